// The page of one seat: what comes from the gateway is shown, what a person does is sent back.

import { fill } from "./dom.js";
import { Line } from "./net.js";
import { enlarge, enlarged, follow, nearest } from "./picture.js";
import { S, faceOf, screen, sheet, t } from "./views.js";
import { nothing, placeTapped, renewed, spotTapped, standing, taken, tapped, turned, waysOf } from "./walk.js";

const HOLD = 450; // a press so long enlarges, in milliseconds
const HUM = [60, 40, 60];
const app = document.getElementById("app");
const dialog = document.getElementById("sheet");
const toast = document.getElementById("toast");

/** What the phone keeps; a browser that keeps nothing forgets its seat with the page. */
const kept = {
  get: (key) => { try { return localStorage.getItem(`tabletop.${key}`) || ""; } catch { return ""; } },
  set: (key, value) => { try { value ? localStorage.setItem(`tabletop.${key}`, value) : localStorage.removeItem(`tabletop.${key}`); } catch { /* private */ } },
};

let code = decodeURIComponent(location.hash.slice(1));
if (location.hash) history.replaceState(null, "", location.pathname);
S.name = kept.get("name");
S.symbol = kept.get("symbol");
S.language = kept.get("language");
S.hums = kept.get("hums") !== "no";
S.pick = nothing();
try { S.words = JSON.parse(kept.get("words") || "{}"); } catch { S.words = {}; }

const line = new Line(hear, stand, () => ({ token: kept.get("token"), code, language: S.language, way: kept.get("way") }));

// What the gateway says

function hear(message) {
  switch (message.kind) {
    case "welcome": welcome(message); break;
    case "door": Object.assign(S, { door: message, lobby: null, page: null }); break;
    case "lobby": showLobby(message); break;
    case "token": kept.set("token", message.token || ""); break;
    case "page": showPage(message.page); break;
    case "picture": S.picture = message; break;
    case "note": tell(message); break;
    case "bye": S.bye = message; break;
  }
  draw();
}

function welcome({ words, language, languages = [], phrases = [], symbols = [] }) {
  Object.assign(S, { words, language, languages, phrases, symbols, bye: null });
  document.documentElement.lang = language;
  kept.set("words", JSON.stringify(words));
  looked = "";
}

function showLobby(lobby) {
  Object.assign(S, { lobby, door: null, page: null, picture: null, pick: nothing(), older: [], sending: false });
  if ((lobby.me ?? -1) >= 0) S.seat = null;
}

function showPage(page) {
  const before = S.page;
  page.seat = page.seat || 0;
  S.page = page;
  S.door = S.lobby = null;
  S.pick = before ? renewed(page, S.pick) : nothing();
  if (!before || before.prompt.text !== page.prompt.text) S.said = null;
  if (!before || page.logged !== before.logged) S.older = before && (page.logged || 0) > (before.logged || 0) ? S.older : [];
  if (before && (page.chat || []).length > (before.chat || []).length && S.tab !== "log") S.unread += 1;
  if (page.prompt.active && !(before && before.prompt.active && before.prompt.text === page.prompt.text)) hum();
  if (page.result && !(before && before.result)) S.tab = "score";
  else if (before && before.result && !page.result) S.tab = "hand";
  S.sending = line.open.size > 0;
  weigh();
}

function stand(stands) {
  S.stands = stands;
  if (!stands) looked = "";
  draw();
}

function hum() {
  if (S.hums && navigator.vibrate && navigator.userActivation && navigator.userActivation.hasBeenActive) navigator.vibrate(HUM);
}

let fading = 0;

function tell(note) {
  toast.textContent = note.text;
  toast.className = note.good ? "shown good" : "shown";
  clearTimeout(fading);
  fading = setTimeout(() => (toast.className = ""), 3000 + 60 * note.text.length);
}

// Drawing

let due = 0;
let looked = "";

function draw() {
  if (!due) due = requestAnimationFrame(paint);
}

function paint() {
  cancelAnimationFrame(due);
  due = 0;
  const scrolled = document.getElementById("panel");
  const top = scrolled ? scrolled.scrollTop : 0;
  fill(app, screen());
  app.setAttribute("aria-busy", String(S.sending));
  const now = document.getElementById("panel");
  if (now && now === scrolled) now.scrollTop = top;
  document.title = S.page && S.page.prompt.active ? `● ${S.page.title}` : (S.page || S.lobby || {}).title || "Tabletop 卓";
  if (S.sheet && (S.page || S.lobby)) {
    if (S.sheet.kind === "card" && !(S.page && faceOf(S.page, S.sheet.card).picture)) close();
    else fill(dialog, sheet());
    if (S.sheet && !dialog.open) dialog.showModal();
  }
  look();
  goToRule();
}

/** Ask for the table's picture in the size it is seen in, or for none. */
function look() {
  const box = S.page && (S.tab === "hand" || S.tab === "table") && app.querySelector(".look");
  const ratio = Math.min(2, devicePixelRatio || 1) * (enlarged() ? 1.7 : 1);
  const wide = box ? Math.round(box.clientWidth * ratio) : 0;
  const high = box ? Math.round(Math.max(box.clientHeight, 0.64 * box.clientWidth) * ratio) : 0;
  const wanted = { kind: "look", width: wide && Math.min(1600, Math.ceil(wide / 60) * 60), height: wide && Math.min(1200, Math.ceil(high / 60) * 60), theme: S.theme };
  const key = JSON.stringify(wanted);
  if (!S.stands || !line.back || key === looked || (!S.page && !looked)) return;
  looked = key;
  line.send(wanted);
}

// What would come of what is picked

let weighing = "";

function weigh() {
  const at = S.page ? standing(S.page, S.pick) : {};
  const move = at.move || at.begun;
  const key = move ? JSON.stringify(move) : "";
  if (key === weighing) return;
  weighing = key;
  S.weighed = null;
  if (move) line.send({ kind: "weigh", move }, (answer) => {
    if (weighing !== key) return;
    S.weighed = answer;
    draw();
  });
}

function picked(pick) {
  S.pick = pick;
  S.said = null;
  weigh();
  draw();
}

const say = (answer) => {
  S.said = answer.text ? answer : null;
  draw();
};

function send(move) {
  if (S.sending) return;
  S.sending = true;
  line.move(move, (answer) => {
    S.sending = line.open.size > 0;
    if (answer.taken) {
      S.pick = nothing();
      weigh();
    } else S.said = answer;
    draw();
  });
  draw();
}

// What a person does

const value = (id) => JSON.parse(id);

const deeds = {
  tab(id) { S.tab = id; if (id === "log") S.unread = 0; if (id === "rules") loadRules(); S.said = null; },
  card(id) {
    const card = Number(id);
    if (S.page.seat === -1) return deeds.enlarge(id);
    const next = tapped(S.page, S.pick, card);
    if (next) return picked(next);
    if (card < 0 || !S.page.prompt.active) return deeds.enlarge(id);
    line.send({ kind: "why", card, to: "" }, say);
  },
  enlarge(id) { S.sheet = { kind: "card", card: Number(id) }; },
  target(id) { picked({ ...S.pick, target: value(id), way: null, path: [] }); },
  way(id) { picked({ ...S.pick, ...value(id) }); },
  choice(id) { picked({ ...S.pick, path: value(id) }); },
  spot(id) { picked(spotTapped(S.page, S.pick, Number(id))); },
  take() { picked(taken(S.page, S.pick)); },
  turn() { picked(turned(S.pick)); },
  there(id) { const next = placeTapped(S.page, S.pick, id); if (next) picked(next); },
  act(id) {
    const pick = { ...nothing(), action: Number(id) };
    const at = standing(S.page, pick);
    if (at.move) send(at.move);
    else picked(pick);
  },
  confirm() { const at = standing(S.page, S.pick); if (at.move) send(at.move); },
  cancel() { picked(nothing()); },
  wish(id) { ask((S.page || S.lobby).buttons[Number(id)]); },
  menu(id) { const one = S.page.menu[Number(id)]; close(); ask(one); },
  sure(id) { close(); perform(value(id)); },
  rule(id) { S.paragraph = id; S.tab = "rules"; loadRules(); },
  older() { line.send({ kind: "log", before: (S.page.logged || 0) - S.older.length - (S.page.log || []).length }, ({ lines = [] }) => { S.older = [...lines, ...S.older]; draw(); }); },
  phrase(id) { line.send({ kind: "phrase", phrase: Number(id) }, say); },
  near() { const frame = app.querySelector("[data-frame]"); if (frame) enlarge(frame); },
  sheet(id) { S.sheet = { kind: id }; },
  close() { close(); },
  setway(id) { kept.set("way", id); line.send({ kind: "way", way: id }); },
  language(id) { kept.set("language", id); line.send({ kind: "language", language: id }); },
  hum() { S.hums = !S.hums; kept.set("hums", S.hums ? "" : "no"); },
  choose(id) { S.seat = S.seat === Number(id) ? null : Number(id); requestAnimationFrame(() => requestAnimationFrame(() => { const field = document.getElementById("name"); if (field) field.focus(); })); },
  symbol(id) { S.symbol = id; },
  watch() { line.send({ kind: "watch" }, answered); },
  begin() { S.bye = null; line.begin(); },
};

const forms = {
  code(form) { code = form.code.value.trim().toUpperCase(); line.send({ kind: "hello", token: "", code, language: S.language, way: kept.get("way") }, answered); },
  sit(form, id) {
    const name = form.name.value.trim();
    const free = S.lobby.symbols || S.symbols;
    const symbol = free.includes(S.symbol) ? S.symbol : free[0] || "";
    kept.set("name", (S.name = name));
    kept.set("symbol", symbol);
    line.send({ kind: "sit", seat: Number(id), name, symbol }, answered);
  },
  say(form) { const text = form.text.value.trim(); if (text) line.send({ kind: "say", text }, say); form.reset(); },
};

const answered = (answer) => answer.text && tell(answer);

/** Do what a button of the gateway's says, once the person is sure where that is to be asked. */
function ask({ text, does, confirm }) {
  if (confirm) S.sheet = { kind: "sure", text: confirm, label: text, does };
  else perform(does);
}

function perform(does) {
  line.send(does, (answer) => {
    if (answer.move) takeUp(answer.move);
    if (S.page) say(answer.text ? { ...answer, good: Boolean(answer.move) } : answer);
    else answered(answer);
  });
}

/** Show a move that was proposed, ready to be confirmed, as far as taps can say it. */
function takeUp({ cards = [], target = "" }) {
  const card = cards.length === 1 ? cards[0] : null;
  if (card === null || !waysOf(S.page, card).length) return;
  picked({ ...nothing(), card, target });
}

function close() {
  S.sheet = null;
  if (dialog.open) dialog.close();
}

async function loadRules() {
  const key = S.page.game + S.language;
  if (S.rulesOf === key && S.rules) return;
  S.rules = null;
  S.rulesOf = key;
  try {
    const answer = await fetch(`/rules/${S.page.game}.${S.language}.json`);
    if (answer.ok && S.rulesOf === key) S.rules = await answer.json();
  } catch { S.rulesOf = ""; }
  draw();
}

/** Go to the paragraph that was asked for, once the rules are there. */
function goToRule() {
  if (!S.paragraph || S.tab !== "rules" || !S.rules) return;
  const all = [...app.querySelectorAll("[data-number]")];
  const found = all.find((one) => one.dataset.number === S.paragraph) || all.findLast((one) => one.dataset.number && S.paragraph.startsWith(one.dataset.number));
  S.paragraph = "";
  if (!found) return;
  found.scrollIntoView({ block: "start" });
  found.classList.add("meant");
}

// Listening

let pressed = 0;
let held = 0; // while a finger is on a card
let enlargedByPress = false;

/** Whether a control still is what was tapped: news may have come that is not drawn yet. */
function meant(control) {
  const told = () => control.dataset.do + control.dataset.id + control.textContent;
  const before = told();
  if (due) paint();
  return control.isConnected && told() === before;
}

document.addEventListener("click", (event) => {
  if (enlargedByPress) { enlargedByPress = false; event.preventDefault(); return; }
  if (event.target === dialog) return close(), draw();
  const found = event.target.closest("[data-do]");
  if (!found || found.disabled || !meant(found)) return;
  deeds[found.dataset.do](found.dataset.id);
  draw();
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target.closest("[data-form]");
  forms[form.dataset.form](form, form.dataset.id);
  draw();
});

document.addEventListener("pointerdown", (event) => {
  const card = event.target.closest("[data-card]");
  enlargedByPress = false;
  clearTimeout(pressed);
  if (!card) return;
  // on a phone that was busy the finger may be up again: what it did meanwhile is heard first
  pressed = setTimeout(() => requestAnimationFrame(() => {
    if (held) pressed = setTimeout(() => { enlargedByPress = true; deeds.enlarge(card.dataset.card); draw(); });
  }), HOLD);
  held = pressed;
});
for (const kind of ["pointerup", "pointercancel", "scroll"]) document.addEventListener(kind, () => { clearTimeout(pressed); held = 0; }, { capture: true, passive: true });
document.addEventListener("contextmenu", (event) => event.target.closest("[data-card], [data-frame]") && event.preventDefault());
document.addEventListener("keydown", (event) => event.key === "Escape" && !dialog.open && S.page && picked(nothing()));
dialog.addEventListener("close", () => { S.sheet = null; });

follow(app, (x, y, reach) => {
  if (!S.page || !S.picture || S.page.seat === -1) return;
  const at = standing(S.page, S.pick);
  const zone = nearest(S.picture, at.lit.map((name) => [name, S.picture.zones[name]]), x, y, reach);
  if (zone !== null) {
    const next = placeTapped(S.page, S.pick, zone);
    return next && picked(next);
  }
  const card = nearest(S.picture, Object.entries(S.picture.cards), x, y, reach / 3);
  if (card !== null) { deeds.card(card); draw(); }
});

function dress() {
  const is = (query) => matchMedia(query).matches;
  S.theme = is("(prefers-contrast: more)") ? "contrast" : is("(prefers-color-scheme: dark)") ? "dark" : "light";
  draw();
}
for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) matchMedia(query).addEventListener("change", dress);
addEventListener("resize", draw);
dress();
