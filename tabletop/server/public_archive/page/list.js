// The list: tables that one can come to, and matches that can be watched again.

import { app, ask, folded, h, head, localize, moment, say, tell, words } from "./frame.js";

const PAUSE = 5000; // milliseconds between two looks
let shown = "";

const back = ({ back: face }) =>
  h("span.box", face && h("img", { src: `/face/${face}?w=128&t=light`, alt: "", width: 50, height: 70, loading: "lazy" }));

function running(one) {
  const facts = [
    one.title,
    one.playing ? say("playing") : say("gathering"),
    one.free > 0 && say("free", one),
    one.needs_code && say("needs_code"),
  ];
  const way = (word, to, kind) => h(`a.button${kind}`, { href: to, ariaLabel: say("labelled", { label: say(word), text: one.name }) }, say(word));
  return h("li", back(one),
    h("div.what", h("h3", one.name || one.title), h("p.soft", folded("beside", facts))),
    h("div.acts",
      one.needs_code && way("with_code", "/", ""),
      !one.needs_code && one.free > 0 && !one.playing && way("sit", `/#${one.table}`, ".primary"),
      !one.needs_code && one.spectators !== "none" && way("watch", `/#watch:${one.table}`, "")));
}

function finished(one) {
  const names = one.players.map((name) => name || say("bot"));
  const won = one.winners.map((seat) => names[seat]);
  const end = won.length ? say("won", { names: folded("listed", won) }) : say("nobody_won");
  return h("li", back(one),
    h("div.what", h("h3", one.name || one.title),
      h("p.soft", folded("beside", [one.title, moment(one.ended)])),
      h("p", say("ended", { players: folded("beside", names), end }))),
    h("div.acts", h("a.button", { href: `/replay/${one.match}`, ariaLabel: say("labelled", { label: say("replay"), text: one.name }) }, say("replay"))));
}

const part = (title, none, rows) =>
  h("section", { ariaLabel: say(title) }, h("h2", say(title)), rows.length ? h("ul", rows) : h("p.soft.none", say(none)));

async function look() {
  const found = await ask("/tables/list.json");
  const now = JSON.stringify(found);
  if (now === shown) return;
  shown = now;
  localize(found);
  const at = document.activeElement?.getAttribute("href");
  app.replaceChildren(
    head(say("title"), ""),
    found.told ? h("p.none", found.told) : "",
    h("main.lists", part("running", "none_running", (found.running || []).map(running)), part("finished", "none_finished", (found.finished || []).map(finished))));
  if (at) app.querySelector(`[href="${at}"]`)?.focus();
}

async function lookOn() {
  try {
    if (!document.hidden) await look();
  } catch (error) {
    tell(error.told || words.unreachable || "");
  }
  setTimeout(lookOn, PAUSE);
}

export async function show() {
  app.className = "list";
  await lookOn();
  document.addEventListener("visibilitychange", () => document.hidden || look().catch(() => {}));
}
