// The page of one seat: what comes from the gateway is shown, what a person does is sent back.

import { fill } from "./dom.js";
import { Line } from "./net.js";
import { enlarge, enlarged, follow, lay, nearest } from "./picture.js";
import { askToNotify, call, notify, stayAwake } from "./signals.js";
import { sortByDrag } from "./sort.js";
import { S, faceOf, screen, sheet, symbolOf, t } from "./views.js";
import { nothing, picks, renewed, standing, stepOf, tapped, together } from "./walk.js";

const HOLD = 450; // milliseconds of a press that enlarges
const WORN = [
  ["--table", "table"], ["--mat", "mat"], ["--line", "line"], ["--edge", "soft"], ["--ink", "ink"], ["--soft", "soft"],
  ["--accent", "accent"], ["--accent-2", "ink"], ["--good", "ink"], ["--bad", "ink"],
];
const app = document.getElementById("app");
const dialog = document.getElementById("sheet");
const toast = document.getElementById("toast");

/** What the phone remembers, so that it keeps its seat without the page; a browser that stores nothing keeps it as
 *  long as the page. */
const kept = {
  now: {},
  get(key) { try { return localStorage.getItem(`tabletop.${key}`) ?? kept.now[key] ?? ""; } catch { return kept.now[key] ?? ""; } },
  set(key, value) {
    kept.now[key] = value;
    try { localStorage.setItem(`tabletop.${key}`, value); } catch { S.forgets = true; }
  },
};

// The code stays in the address: a reload keeps it, and so does another browser in which the page is opened.
let code = scannedCode();
let scanned = Boolean(code) && code !== kept.get("came"); // false as soon as it has led to a seat
addEventListener("hashchange", () => location.reload()); // another code was scanned
for (const key of ["name", "symbol", "language"]) S[key] = kept.get(key);
kept.set("storage", "");
try { localStorage.removeItem("tabletop.storage"); } catch { /* S.forgets */ }
S.hums = kept.get("hums") !== "no";
S.notifies = kept.get("notifies") === "yes";
try { S.order = JSON.parse(kept.get("order")); } catch { S.order = {}; }

/** Other apps append parameters of their own to the address. */
function scannedCode() {
  const [text] = location.hash.slice(1).split(/[?&]/);
  try { return decodeURIComponent(text); } catch { return text; }
}

/** Note that there is a seat at the table of the code. */
function arrive() {
  if (scanned) kept.set("came", code);
  scanned = typed = false;
}

let seated = false; // whether the gateway was shown a seat's token
let wanted = false; // whether the seat is wanted back from another phone
let typed = false; // whether the code was typed for the seat of the token
let trusts = ""; // the fingerprint of the host's new certificate, if the person accepted it
let looked = "";
let asked = "";
const line = new Line(hear, stand, () => {
  const look = looking();
  looked = JSON.stringify(look);
  return [greeting(), { ...look, whole: true }]; // the picture comes with the first page
}, explain);

/** Show what repeated failures look like; the gateway knows why no socket opens. */
async function explain(failure) {
  const ask = async () => (await (await fetch(`why?origin=${encodeURIComponent(location.origin)}`)).json()).socket;
  const text = failure === "unopened" ? await ask().catch(() => "") : t("packets_lost");
  if (!text || S.stands) return;
  S.bye = { text, again: true };
  draw();
}

function greeting(token = kept.get("token")) {
  const back = wanted;
  wanted = false;
  seated = Boolean(token);
  return { kind: "hello", token, code, scanned, language: S.language, way: kept.get("way"), back, typed, trusts };
}

// What the gateway says

const hears = {
  welcome(told) {
    if (S.version && S.version !== told.version) location.reload(); // the gateway was updated: load its scripts
    Object.assign(S, told, { bye: null, older: [] });
    document.documentElement.lang = S.language;
  },
  door(door) {
    if (scanned && seated) { // the token's table is another, or gone
      line.send(greeting(""));
      return;
    }
    looked = ""; // at the door no picture is asked for
    Object.assign(S, { door, lobby: null, page: null });
  },
  lobby(lobby) {
    if (S.page) { // the next match has its own picture, and other cards
      looked = "";
      S.order = {};
    }
    if (lobby.me >= 0) arrive();
    if (code && code !== scannedCode()) history.replaceState(null, "", `#${encodeURIComponent(code)}`); // perhaps typed
    Object.assign(S, { lobby, door: null, page: null, picture: null, pick: nothing(), older: [], tab: "hand" });
    if (lobby.me >= 0) S.seat = null;
  },
  token({ token }) {
    kept.set("token", token);
    if (token && S.forgets) tell({ text: t("no_storage") });
  },
  page({ page }) {
    const before = S.page;
    const fresh = !before || before.prompt.text !== page.prompt.text;
    if (fresh || before.prompt.seconds !== page.prompt.seconds) S.ends = Date.now() + page.prompt.seconds * 1000;
    if (page.seat >= 0) arrive();
    Object.assign(S, { page, door: null, lobby: null });
    S.pick = before ? renewed(page, S.pick) : nothing();
    if (fresh) S.said = null;
    const slid = before ? before.log.length - before.logged + page.logged - page.log.length : -1;
    S.older = S.older.length && slid >= 0 ? [...S.older, ...before.log.slice(0, slid)] : [];
    if (page.chat.length > before?.chat.length && S.tab !== "log") S.unread += 1;
    if (page.prompt.active && (fresh || !before.prompt.active)) callPlayer(page);
    if (!page.result !== !before?.result) S.tab = page.result ? "score" : "hand";
    if (together(S.pick)) put({});
    weigh();
  },
  picture(picture) { laid = laid.then(() => show(picture)); },
  note: tell,
  bye(bye) { S.bye = bye; },
};

function hear(message) {
  hears[message.kind]?.(message); // callers get their answers
  if (message.kind !== "picture") draw();
}

let laid = Promise.resolve(); // settled once all pictures are on the canvas

/** Show a picture; request a whole one if what it changes is missing. */
async function show(picture) {
  const fits = S.picture || !picture.changed;
  S.picture = fits && await lay(picture).then(() => picture, () => null);
  S.blind = !S.picture && (S.blind || fits);
  if (S.picture) failures = 0;
  else if (fits) wait();
  if (!S.picture) looked = "";
  draw();
}

let failures = 0; // consecutive failures of pictures
let pausing = 0;

/** Wait before asking for the picture again, longer each time; meanwhile the table is shown as text. */
function wait() {
  clearTimeout(pausing);
  pausing = setTimeout(() => { pausing = 0; draw(); }, Math.min(30000, 500 * 2 ** failures++));
}

function stand(stands) {
  S.stands = stands;
  if (!stands) looked = "";
  draw();
}

/** Tell the player that it is their turn. */
function callPlayer({ title, prompt }) {
  if (S.hums) call();
  if (S.notifies) notify(title, counted(prompt.text));
  nameTab(); // a hidden page is not painted
}

/** The question without the place of its clock. */
const counted = (text) => text.replace("{clock}", "").trim();

function nameTab() {
  const { title = "Tabletop 卓", prompt } = S.page || S.lobby || {};
  document.title = prompt?.active ? `● ${title}` : title;
}

let fading = 0;

function tell({ text, good }) {
  if (!text) return;
  toast.textContent = text;
  toast.className = good ? "shown good" : "shown";
  clearTimeout(fading);
  fading = setTimeout(() => (toast.className = ""), 3000 + 60 * text.length);
}

// Drawing

let due = 0;

function draw() {
  if (!due) due = requestAnimationFrame(paint);
}

setInterval(() => S.page?.prompt.seconds > 0 && draw(), 1000); // countdowns go on

function paint() {
  cancelAnimationFrame(due);
  due = 0;
  S.sending = line.open.size > 0;
  S.theme = theme();
  wear((S.page || S.lobby)?.look?.[S.theme]);
  fill(app, screen());
  app.setAttribute("aria-busy", S.sending || taps.length > 0);
  nameTab();
  if (S.sheet?.kind === "card" && !(S.page && faceOf(S.page, S.sheet.card).picture)) close();
  fill(dialog, [S.sheet && sheet()]);
  if (S.sheet && !isOpen()) {
    if (dialog.showModal) dialog.showModal();
    else dialog.setAttribute("open", ""); // Safari up to 15.3, Firefox up to 97
  }
  readFromTop();
  look();
  goToRule();
  stayAwake(S.page?.phase === "playing" && !document.hidden);
}

/** A new question is seen from its first line, wherever the last one was scrolled. */
function readFromTop() {
  const question = S.page ? [S.page.prompt.text, standing(S.page, S.pick).prompt].join() : "";
  if (question !== asked) app.querySelector(".talk")?.scrollTo(0, 0);
  asked = question;
}

/** Colour all but paper as the game's table, or as the page. */
function wear(look) {
  const { style } = document.documentElement;
  for (const [name, key] of WORN) {
    if (look) style.setProperty(name, look[key]);
    else style.removeProperty(name);
  }
}

/** Chromium up to 112 gives the value with the space before it. */
function theme() {
  return getComputedStyle(app).getPropertyValue("--theme").trim() || "light";
}

/** The table's picture as large as it may be here, or none; measuring would take longer. */
function looking() {
  const seen = !S.page || app.querySelector(".look");
  const most = innerWidth > innerHeight ? innerWidth / 2 : Math.min(innerWidth, 0.86 * innerHeight);
  const width = seen ? Math.min(1600, most * Math.min(2, devicePixelRatio || 1) * (enlarged() ? 1.7 : 1)) : 0;
  const [wide, high] = [width, 0.64 * width].map((side) => 60 * Math.ceil(side / 60));
  return { kind: "look", width: wide, height: high, theme: theme() };
}

function look() {
  const wanted = looking();
  const key = JSON.stringify(wanted);
  if (!S.stands || pausing || key === looked || !(S.page || S.lobby)) return;
  looked = key;
  line.send({ ...wanted, whole: !S.picture });
}

// What would come of what is picked

let weighing = "";

function weigh() {
  const at = S.page ? standing(S.page, S.pick) : {};
  const move = at.move || at.begun;
  const key = JSON.stringify(move || "");
  if (key === weighing) return;
  weighing = key;
  S.weighed = null;
  if (move) line.send({ kind: "weigh", move }, (answer) => {
    if (weighing !== key) return;
    S.weighed = answer;
    if (!answer) weighing = "";
  });
}

function picked(pick) {
  S.pick = pick;
  S.said = null;
  weigh();
  draw();
}

let taps = []; // on cards put together; each waits for the last one's answer

function put(tap) {
  if (taps.push(tap) === 1) putNext();
}

function putNext() {
  const { at, chosen, spots, turns, held } = S.pick;
  line.send({ kind: "together", at, chosen, spots, turns, held, ...taps[0] }, (answer) => {
    if (!answer) { // the next page asks about these cards
      taps = [];
      say(answer);
      return;
    }
    taps.shift();
    picked({ ...nothing(), ...answer.together });
    if (taps.length) putNext();
  });
}

/** Show what the gateway answered, or that no answer came: at the prompt of a match, else in passing. */
function say(answer) {
  const said = heard(answer);
  if (!S.page) tell(said);
  else S.said = said.text ? said : null;
}

const heard = (answer) => answer || { text: t("lost") };

function send(move) {
  if (move && !line.open.size) line.move(move, (answer) => {
    if (answer.taken) picked(nothing());
    else say(answer);
  });
}

// What a person does

const deeds = {
  tab(tab) {
    Object.assign(S, { tab, said: null });
    if (tab === "log") S.unread = 0;
    if (tab === "rules") loadRules();
  },
  card(id) {
    const card = Number(id);
    const watches = S.page.seat < 0;
    if (!watches && S.page.cards[card]?.together) { put({ does: "card", card }); return; }
    const next = !watches && tapped(S.page, S.pick, card);
    if (next) picked(next);
    else if (watches || card < 0 || !S.page.prompt.active) deeds.enlarge(id);
    else line.send({ kind: "why", card, to: "" }, say);
  },
  enlarge(id) { S.sheet = { kind: "card", card: Number(id) }; },
  spot(id) { put({ does: "spot", spot: Number(id) }); },
  take() { put({ does: "take" }); },
  turn() { put({ does: "turn" }); },
  act(id) {
    const pick = { ...nothing(), action: Number(id) };
    const { move } = standing(S.page, pick);
    if (move) send(move);
    else picked(pick);
  },
  confirm() { send(standing(S.page, S.pick).move); },
  wish(id) {
    const one = JSON.parse(id);
    if (one.confirm) S.sheet = { kind: "sure", ...one };
    else perform(one.does);
  },
  rule(id) { S.paragraph = id; deeds.tab("rules"); },
  older() {
    const before = S.page.logged - S.older.length - S.page.log.length;
    line.send({ kind: "log", before }, (answer) => {
      if (answer) S.older = [...answer.lines, ...S.older];
      else say(answer);
    });
  },
  phrase(id) { line.send({ kind: "phrase", phrase: Number(id) }, say); },
  near() {
    const frame = app.querySelector("[data-frame]");
    if (frame.clientWidth) enlarge(frame);
    else deeds.tab("table"); // the hand has replaced the picture
  },
  sheet(kind) { S.sheet = { kind }; },
  close,
  hum() { S.hums = !S.hums; kept.set("hums", S.hums ? "" : "no"); },
  chime() { deeds.hum(); if (S.hums) call(); },
  async notify() {
    S.notifies = !S.notifies && await askToNotify();
    kept.set("notifies", S.notifies ? "yes" : "");
    draw();
  },
  choose(id) {
    S.seat = S.seat === Number(id) ? null : Number(id);
    paint();
    document.getElementById("name")?.focus();
  },
  symbol(symbol) { S.symbol = symbol; },
  trust() {
    trusts = S.door.fingerprint;
    line.send(greeting(), say);
  },
  begin() {
    if (S.bye.reload) { location.reload(); return; }
    S.bye = null;
    wanted = true;
    line.begin();
  },
};

const act = (what, id) => (picks[what] ? picked(picks[what](S.page, S.pick, id)) : deeds[what](id));

const forms = {
  code(form) {
    code = form.code.value.trim(); // or a whole message with the invitation
    typed = Boolean(S.door?.keeps_seat);
    line.send(typed ? greeting() : greeting(""), say);
  },
  sit(form, id) {
    const who = { name: form.name.value.trim(), symbol: symbolOf(S.lobby) };
    Object.assign(S, who);
    for (const key in who) kept.set(key, who[key]);
    line.send({ kind: "sit", seat: Number(id), ...who }, say);
  },
  take(form, id) { line.send({ kind: "take", seat: Number(id), code: form.code?.value || "" }, say); },
  say(form) {
    const text = form.text.value.trim();
    if (!text || text === saying) return; // it is being sent already
    S.draft = saying = text;
    line.send({ kind: "say", text }, (answer) => {
      saying = "";
      if (answer?.taken && S.draft.trim() === text) {
        S.draft = "";
        const field = app.querySelector("[data-form=say] [name=text]");
        if (field) field.value = "";
      }
      if (S.tab === "log") tell(heard(answer));
      else say(answer);
    });
  },
  note(form) {
    const from = S.sheet;
    line.send({ kind: "note", text: form.text.value.trim() }, (answer) => {
      if (answer?.taken && S.sheet === from) close();
      else if (!answer?.taken) from.said = heard(answer).text;
    });
  },
};

let saying = ""; // a line of chat that is not answered yet

/** Do what a button of the gateway's says; a move that it proposes is taken up, to be confirmed. The sheet
 *  on which the button is comes back where no answer does. */
function perform(does) {
  const from = S.sheet;
  close();
  for (const key of ["language", "way"]) if (does[key]) kept.set(key, does[key]);
  line.send(does, (answer) => {
    if (!answer && from && !S.sheet) S.sheet = { ...from, said: heard(answer).text };
    if (!answer) { say(answer); return; }
    const { cards: [card, ...more] = [], target } = answer.move || {};
    if (card !== undefined && !more.length && stepOf(S.page, card)) picked({ ...nothing(), card, path: target ? [target] : [] });
    say({ ...answer, good: Boolean(answer.move) });
  });
}

function close() {
  S.sheet = null;
  if (!isOpen()) return;
  if (dialog.close) dialog.close();
  else dialog.removeAttribute("open");
}

const isOpen = () => dialog.hasAttribute("open");

async function loadRules() {
  const key = `${S.page.game}.${S.language}`;
  if (S.rulesOf === key) return;
  Object.assign(S, { rules: null, rulesOf: key });
  try {
    const rules = await (await fetch(`rules/${key}.json`)).json();
    if (S.rulesOf === key) S.rules = rules;
  } catch { S.rulesOf = ""; }
  draw();
}

/** Go to the paragraph that was asked for, or to its container, once the rules are there. */
function goToRule() {
  if (!S.paragraph || S.tab !== "rules" || !S.rules) return;
  const all = [...app.querySelectorAll("[data-number]:not([data-number=''])")];
  const found = all.filter((one) => S.paragraph.startsWith(one.dataset.number)).pop();
  S.paragraph = "";
  found?.scrollIntoView({ block: "start" });
  for (const one of all) one.classList.toggle("meant", one === found);
}

// Listening

const on = (kind, then, how) => document.addEventListener(kind, then, how);
let pressed = 0;
let held = 0; // while a finger is on a card
let heldOrDragged = false; // then the press is not a tap

function letGo() {
  clearTimeout(pressed);
  held = 0;
}

/** Whether a control still is what was tapped: news may have come that is not drawn yet. */
function meant(control) {
  const told = () => JSON.stringify(control.dataset) + control.textContent;
  const before = told();
  if (due) paint();
  return control.isConnected && told() === before;
}

on("click", (event) => {
  const found = event.target === dialog ? null : event.target.closest("[data-do]");
  if (heldOrDragged) event.preventDefault();
  else if (event.target === dialog) close();
  else if (found && !found.disabled && meant(found)) act(found.dataset.do, found.dataset.id);
  heldOrDragged = false;
  draw();
});

on("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  forms[form.dataset.form](form, form.dataset.id);
  draw();
});

on("input", ({ target }) => {
  if (target.form?.dataset.form === "say") S.draft = target.value;
});

on("pointerdown", (event) => {
  const card = event.target.closest("[data-do=card]");
  heldOrDragged = false;
  clearTimeout(pressed);
  if (!card) return;
  // on a busy phone the finger may be up already: let its events come first
  pressed = setTimeout(() => requestAnimationFrame(() => {
    if (held) pressed = setTimeout(() => { heldOrDragged = true; deeds.enlarge(card.dataset.id); draw(); });
  }), HOLD);
  held = pressed;
});
for (const kind of ["pointerup", "pointercancel", "scroll"]) {
  on(kind, letGo, { capture: true, passive: true });
}
sortByDrag(app, () => { letGo(); heldOrDragged = true; }, (zone, cards) => {
  S.order[zone] = cards;
  kept.set("order", JSON.stringify(S.order));
  draw();
});
on("contextmenu", (event) => event.target.closest("[data-do=card], [data-frame]") && event.preventDefault());
on("keydown", (event) => event.key === "Escape" && !isOpen() && S.page && picked(nothing()));
dialog.addEventListener("close", () => { S.sheet = null; });

follow(app, (x, y, reach) => {
  if (!S.page || !S.picture || S.page.seat < 0) return;
  const { lit } = standing(S.page, S.pick);
  const place = nearest(S.picture, lit.map((name) => [name, S.picture.zones[name]]), x, y, reach);
  const card = nearest(S.picture, Object.entries(S.picture.cards), x, y, reach / 3);
  if (place !== null) act("there", place);
  else if (card !== null) deeds.card(card);
  draw();
});

/** Show a card's text until its picture can be loaded, and try again later. */
on("error", ({ target: image }) => {
  if (image.tagName !== "IMG" || !image.src.includes("/face/")) return;
  const button = image.closest("button");
  if (button) image.alt = button.getAttribute("aria-label") || "";
  image.failures = (image.failures || 0) + 1;
  const { src } = image;
  setTimeout(() => { if (image.isConnected && image.src === src) image.src = src; }, Math.min(30000, 500 * 2 ** image.failures));
}, true);
on("load", ({ target: image }) => {
  if (image.failures && image.closest("button")) image.alt = "";
  image.failures = 0;
}, true);

addEventListener("resize", draw);
on("visibilitychange", draw);
