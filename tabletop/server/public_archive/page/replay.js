// One finished match, step by step: the table as a picture, what happened, and where one is in it.

import { app, ask, folded, h, head, keep, kept, localize, moment, say, tell, told, words } from "./frame.js";

const PACE = 1300; // milliseconds between two steps while it plays
const SETTLED = 90; // after so many without another step the table is asked for
const DARK = matchMedia("(prefers-color-scheme: dark)");
const CONTRAST = matchMedia("(prefers-contrast: more)");

let match = "";
let M = null; // the match
let at = 0;
let eyes = kept("eyes") || "all";
let playing = 0;
let asked = 0;
const P = {}; // the parts of the page that change

const theme = () => (CONTRAST.matches ? "contrast" : DARK.matches ? "dark" : "light");
const fresh = (step) => `/replay/${match}/${step}`;
const clamp = (step) => Math.max(0, Math.min(M.last, step));

/** Where a turn begins before or behind this step. */
const turn = (way) => (way > 0 ? M.turns.find((one) => one > at) ?? M.last : M.turns.findLast((one) => one < at) ?? 0);

/** The picture's address, in the size in which it is seen. */
function pictured(step) {
  const ratio = Math.min(2, devicePixelRatio || 1);
  const side = (css) => Math.max(240, Math.min(1680, Math.ceil((css * ratio) / 60) * 60));
  const { clientWidth: width, clientHeight: height } = P.frame;
  const wanted = { language: M.language, eyes, theme: theme(), width: side(width), height: side(height) };
  return `${fresh(step)}/picture?${new URLSearchParams(wanted)}`;
}

/** Show a picture once it is whole, so that nothing flickers; it may be set to come later. */
async function draw(step, number) {
  const image = new Image();
  image.src = pictured(step);
  try {
    await image.decode();
  } catch {
    setTimeout(() => number === asked && draw(step, number), 1500);
    return;
  }
  if (number !== asked) return;
  P.image.src = image.src;
  if (step < M.last) new Image().src = pictured(step + 1);
}

async function ground(number) {
  try {
    const beat = await ask(`${fresh(at)}.json`, { eyes });
    if (number !== asked) return;
    P.heading.textContent = beat.heading;
    P.table.textContent = beat.table;
    P.image.alt = say("picture", { heading: beat.heading });
    beat.points.forEach((points, seat) => (P.points[seat].textContent = points));
    [...P.players.children].forEach((one, seat) => one.classList.toggle("turn", beat.turn.includes(seat) && at < M.last));
  } catch (error) {
    if (number === asked) tell(error.told || words.unreachable);
  }
}

/** The last sentence, and its place in the log. */
function speak() {
  const line = M.lines.findLast(([step]) => step <= at);
  P.said.textContent = line ? line[1] : "";
  const now = line ? P.log.children[M.lines.indexOf(line)] : null;
  P.log.querySelector("[aria-current]")?.removeAttribute("aria-current");
  if (!now) return;
  now.setAttribute("aria-current", "step");
  if (P.log.clientHeight) P.log.scrollTop = now.offsetTop - P.log.clientHeight / 2;
}

let settling = 0;

function go(step, settled = SETTLED) {
  at = clamp(step);
  asked += 1;
  const number = asked;
  P.range.value = at;
  const text = say("step", { at, last: M.last });
  P.range.setAttribute("aria-valuetext", text);
  P.step.textContent = text;
  P.buttons.first.disabled = P.buttons.former_turn.disabled = P.buttons.former.disabled = at === 0;
  P.buttons.last.disabled = P.buttons.next_turn.disabled = P.buttons.next.disabled = at === M.last;
  P.players.classList.toggle("over", at === M.last);
  speak();
  clearTimeout(settling);
  settling = setTimeout(() => {
    ground(number);
    if (M.drawn) draw(at, number);
  }, settled);
  if (at === M.last) pause();
}

function pause() {
  clearInterval(playing);
  playing = 0;
  P.buttons.play.replaceChildren(sign(SIGNS.play));
  P.buttons.play.ariaLabel = P.buttons.play.title = say("play");
}

function play() {
  if (playing) return pause();
  if (at === M.last) go(0);
  playing = setInterval(() => go(at + 1), PACE);
  P.buttons.play.replaceChildren(sign(SIGNS.pause));
  P.buttons.play.ariaLabel = P.buttons.play.title = say("pause");
  return undefined;
}

const steps = {
  first: () => go(0),
  former_turn: () => go(turn(-1)),
  former: () => go(at - 1),
  play,
  next: () => go(at + 1),
  next_turn: () => go(turn(1)),
  last: () => go(M.last),
};

function keyed(event) {
  if (event.altKey || event.metaKey || event.target.closest("summary")) return;
  const control = event.target.closest("button, a, select");
  const leap = event.ctrlKey;
  const acts = {
    ArrowRight: leap ? "next_turn" : "next",
    ArrowLeft: leap ? "former_turn" : "former",
    PageDown: "next_turn",
    PageUp: "former_turn",
    Home: "first",
    End: "last",
    " ": control ? "" : "play",
  };
  const act = acts[event.key];
  if (!act || event.target.closest("select")) return;
  event.preventDefault();
  if (act !== "play") pause();
  steps[act]();
}

const SIGNS = {
  first: "M6 5v14M18 5 9 12l9 7z",
  former_turn: "M12 5 4 12l8 7zM20 5l-8 7 8 7z",
  former: "M16 5 7 12l9 7z",
  play: "m7 4 12 8-12 8z",
  pause: "M8 5v14M16 5v14",
  next: "m8 5 9 7-9 7z",
  next_turn: "m4 5 8 7-8 7zM12 5l8 7-8 7z",
  last: "M18 5v14M6 5l9 7-9 7z",
};

/** A sign that is drawn, as fonts have no two alike. */
function sign(path) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  made.append(line);
  return made;
}

function lay() {
  P.heading = h("p.heading");
  P.image ??= h("img", { alt: "" }); // with other eyes the former picture stays until theirs has come
  P.frame = h("div.frame", P.image);
  P.said = h("p.said", { ariaLive: "polite" });
  P.step = h("span.soft");
  P.range = h("input", { type: "range", min: 0, max: M.last, value: 0, ariaLabel: say("where"), oninput: () => { pause(); go(Number(P.range.value)); } });
  P.buttons = {};
  for (const [name, act] of Object.entries(steps)) {
    P.buttons[name] = h(name === "play" ? "button.primary" : "button", { type: "button", title: say(name), ariaLabel: say(name), onclick: () => { if (name !== "play") pause(); act(); } }, sign(SIGNS[name]));
  }
  P.points = M.players.map(() => h("strong"));
  P.players = h("ul.players", M.players.map((one, seat) => h("li", h("img", { src: `${M.badges}${one.symbol}.svg`, alt: "", width: 26, height: 26 }), h("span", one.name, one.won && h("span.star", " ★")), P.points[seat])));
  P.log = h("ol.log", M.lines.map(([step, line]) => h("li", h("button.line", { type: "button", onclick: () => { pause(); go(step); } }, line))));
  P.table = h("pre.table");
  P.eyes = h("select", { onchange: look }, ["all", "audience"].map((one) => h("option", { value: one, selected: one === eyes }, say(one))));
  const marks = M.marks.map((one) => h("i.mark", { title: one.label }));
  M.marks.forEach((one, n) => marks[n].style.setProperty("--at", M.last ? one.at / M.last : 0));
  const under = folded("beside", [M.name && M.name !== M.title && M.title, M.ended && moment(M.ended)]);
  app.replaceChildren(
    head(M.name || M.title, under, "/tables"),
    h("main.watch",
      h("section.stage", { ariaLabel: M.title }, M.drawn && P.frame, h("div.happens", P.heading, P.said)),
      h("section.time", { ariaLabel: say("where") },
        h("div.marks", { ariaHidden: "true" }, marks), P.range,
        h("div.steps", Object.values(P.buttons)), h("p.count", P.step)),
      h("aside",
        h("section", { ariaLabel: say("players") }, h("h2", say("players")), P.players),
        h("label", say("eyes"), P.eyes),
        M.result && h("details", h("summary", say("result")), h("p.result", M.result.text), M.result.decided && h("p.soft", M.result.decided), M.result.sheet && h("div.scroll", { tabIndex: 0, role: "region", ariaLabel: say("result") }, told(M.result.sheet))),
        h("details", { open: innerWidth > 900 }, h("summary", say("log")), P.log),
        h("details", { open: !M.drawn }, h("summary", say("words")), P.table),
        h("a.button", { href: `/replay/${match}/record.tabletop`, download: `${match}.tabletop` }, say("save")),
        h("p.soft.keys", say("keys")))));
}

/** Look with other eyes: what was said is another thing then, and so is the table. */
async function look() {
  eyes = P.eyes.value;
  keep("eyes", eyes);
  const before = at;
  M = await ask(`/replay/${match}/match.json`, { eyes });
  pause();
  lay();
  go(before);
  P.eyes.focus();
}

export async function show(name) {
  match = name;
  app.className = "replay";
  try {
    M = await ask(`/replay/${match}/match.json`, { eyes });
  } catch (error) {
    app.replaceChildren(h("main.alone", h("p.sign", { ariaHidden: "true" }, "卓"), h("p", error.told || ""), h("a.button", { href: "/tables" }, `‹ ${error.back || "卓"}`)));
    return;
  }
  localize(M);
  lay();
  app.hidden = false;
  go(0, 0);
  document.addEventListener("keydown", keyed);
  let resizing = 0;
  const again = () => { clearTimeout(resizing); resizing = setTimeout(() => go(at), 300); };
  addEventListener("resize", again);
  for (const one of [DARK, CONTRAST]) one.addEventListener("change", again);
}
