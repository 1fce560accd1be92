// The screens, described from what the gateway said and what the person has picked.

import { h } from "./dom.js";
import { tablePicture, enlarged } from "./picture.js";
import { can as phone, mayNotify } from "./signals.js";
import { sorted } from "./sort.js";
import { nothing, standing, untouched } from "./walk.js";

const TABS = ["hand", "table", "log", "score", "rules"];
const FEW = 3; // the most actions that are shown large
const MOST_IN_ROWS = 7; // more cards of a zone are drawn small
const HEAP_PX = 56; // a heap's width with its margin
const FACES = [128, 192, 256, 384, 512];

/** What everything is drawn from; `app.js` changes it. */
export const S = {
  words: {}, phrases: [], symbols: {}, pick: nothing(), weighed: null, tab: "hand", older: [], unread: 0, draft: "", order: {},
};

export const t = (key, gaps = {}) =>
  (S.words[key] || "").replace(/\{(\w+)\}/g, (gap, name) => gaps[name] ?? gap);

/** Texts put together by twos, as the words say; empty ones are left out. */
const folded = (key, texts) => texts.filter(Boolean).reduce((first, second) => (first ? t(key, { first, second }) : second), "");
const joined = (texts) => folded("beside", texts);
const soft = (...texts) => h("span.soft", texts);
const sign = (text) => h("span", { "aria-hidden": true }, text);
const badge = (symbol, kind = "") => h(symbol ? "img.badge" : "span.badge", { class: kind, src: symbol && new URL(`seats/${symbol}.svg`, import.meta.url).href, alt: "" });
const person = (symbol, name, ...texts) => [badge(symbol, "little"), h("div", h("b", name), texts)];
const group = (kind, label, ...children) => h(`div.${kind}`, { role: "group", label }, children);
const moreButton = () => h("button.icon", { key: "more", does: "sheet", with: "more", label: t("more"), "aria-haspopup": "dialog" }, sign("⋯"));
const ruleLink = (paragraph) => paragraph && h("button.link", { does: "rule", with: paragraph }, t("rule", { n: paragraph }));
const submit = (text) => h("button.primary", { type: "submit" }, text);
const enlarging = (card) => deed("enlarge", "quiet", { with: card });
const labelled = ({ label, odds }) => [label, " ", odds && soft(odds)];
/** A language that only the game has is named by its code. */
const called = ({ text, does }) => (text === does.language ? new Intl.DisplayNames([text], { type: "language" }).of(text) : text);
const wish = (one, kind = "plain") => h(`button.${kind}`, { does: "wish", with: one, pressed: one.on, disabled: !S.stands }, called(one));
/** A button that is named after what it does. */
const deed = (does, kind = "quiet", more = {}) => h(`button.${kind}`, { does, ...more }, t(does));

/** An element that the gateway has described completely. */
const node = ([tag, ...parts]) => h(tag, ...parts.map((part) => (Array.isArray(part) ? node(part) : part)));

export function screen() {
  if (S.bye && !S.bye.again) return alone("bye", h("h1", S.bye.text), h("button.primary", { does: "begin" }, S.bye.reload ? t("reload") : t("begin")));
  if (S.page) return gameScreen(S.page);
  if (S.lobby) return lobbyScreen(S.lobby);
  if (!S.door) return alone("splash", h("p.splash", "卓"), S.bye && h("p.soft", { role: "status" }, S.bye.text));
  return alone("door", h("h1", t("door")), h("p.soft", { role: "status" }, S.door.text),
    h("form", { "data-form": "code" },
      h("label", t("code"), codeField(1000)),
      submit(t("enter"))),
    S.door.fingerprint && deed("trust"));
}

const alone = (key, ...children) => [h("main.alone", { key }, children)];

// Before the match

function lobbyScreen({ title, name, box, seats, me, text, facts, buttons, moving, chat, muted }) {
  return [h("main.lobby", { key: "lobby" },
    h("header.lead", box && faceImage({ picture: box }, 84, { class: "box" }), h("div", h("h1", name || title), h("p.soft", joined([name && name !== title && title, ...facts]))), moreButton()),
    h("p.tell", { role: "status" }, S.stands ? text : S.bye?.text || t("connecting")),
    h("ul.seats", { label: t("seats") }, seats.map((seat) => lobbySeat(seat, me))),
    h("div.row", buttons.map((one) => wish(one, one.primary ? "primary" : "plain"))),
    S.forgets && h("p.soft", t("no_storage")),
    moving && h("p.soft", moving),
    me >= 0 && !phone.stayAwake && h("p.soft", t("screen_off")),
    talk(chat, me, muted))];
}

function lobbySeat({ seat, state, label, symbol, way }, me) {
  const open = way !== "" && S.seat === seat;
  return h("li.seat", { key: `seat${seat}`, class: seat === me ? "mine" : way },
    h(way ? "button.whole" : "div.whole", way && { does: "choose", with: seat, "aria-expanded": open },
      badge(symbol), h("b", label), state === "ready" && soft("✓")),
    open && h("form", { "data-form": way === "sit" ? way : "take", with: seat },
      way === "sit" && whoSits(),
      way === "code" && h("label", t("seat_code"), codeField()),
      submit(t("sit"))));
}

const codeField = (maxlength = 12) => h("input", { name: "code", maxlength, required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });

/** The wished symbol, or another one where somebody has it. */
export const symbolOf = ({ symbols }) => (symbols.includes(S.symbol) ? S.symbol : symbols[0]);

const whoSits = () => [
  h("label", t("name"), h("input", { id: "name", name: "name", maxlength: 24, required: true, autocomplete: "nickname", value: S.name })),
  h("fieldset", h("legend", t("symbol")), h("div.symbols", S.lobby.symbols.map((symbol) =>
    h("button", { does: "symbol", with: symbol, pressed: symbol === symbolOf(S.lobby), label: S.symbols[symbol] }, badge(symbol))))),
];

// The match

function gameScreen(page) {
  const at = standing(page, S.pick);
  const watches = page.seat < 0;
  const tab = watches && S.tab === "hand" ? "table" : S.tab;
  const plays = tab === "hand" || tab === "table";
  const panel = { log: logPanel, score: scorePanel, rules: rulesPanel }[tab];
  const here = S.stands && page.connected;
  const below = plays && foot(page, at);
  return [
    h("header.me", { key: "me", class: page.prompt.active && "turn" },
      badge(page.symbol),
      h("div.who", h("h1", page.name || t("spectator")), h("p.soft", page.heading || page.title)),
      h("span.line", { class: here ? "here" : "gone", role: "status", label: here ? t("connected") : t("connecting") }, !here && t("connecting")),
      plays && S.picture && h("button.icon.near", { key: "near", does: "near", label: enlarged() ? t("whole") : t("enlarge") }, sign(enlarged() ? "−" : "+")),
      moreButton()),
    h("main", { key: `main-${tab}` },
      h(`div.panel.${tab}`, { class: below ? "" : "free", style: tab === "hand" && rows(longestRow(page)), id: "panel", role: "tabpanel", "aria-labelledby": `tab-${tab}`, tabindex: plays ? null : 0 },
        plays ? playPanel(page, at, tab === "table") : panel(page))),
    below,
    h("nav.tabs", { key: "tabs", role: "tablist", label: t("tabs") }, TABS.slice(watches ? 1 : 0).map((name) =>
      h("button", { role: "tab", id: `tab-${name}`, does: "tab", with: name, "aria-selected": name === tab, "aria-controls": "panel" },
        t(name),
        name === "log" && S.unread > 0 && h("span.dot", S.unread),
        name === "hand" && page.prompt.active && tab !== "hand" && h("span.dot", { label: t("your_turn") }, "!")))),
  ];
}

/** The table's picture, what is asked, and the cards near at hand, or all cards and players. */
function playPanel(page, at, whole) {
  const zones = page.zones.filter((zone) => (whole ? zone.cards.length || zone.hidden : zone.near));
  return [
    h("div.look", { key: "look", class: whole && "large" }, picture(page, at)),
    h("div.do", { class: !zones.length && "bare" },
      h("div.talk",
        prompt(page, at),
        !whole && at.gathering?.spots.length > 0 && board(page, at.gathering),
        (whole || !zones.length) && players(page.others)),
      h("div.zones", { class: whole && "list" }, zones.map((zone) => zoneRow(page, zone, at)))),
  ];
}

const players = (others, told = "told") => h("ul.players", { label: t("players") }, others.map((one) =>
  h("li", { class: one.turn && "turn" }, person(one.symbol, one.name, h("p.soft", one[told])), one.points && h("strong", one.points))));

const can = (page, card) => page.cards[card]?.playable;

function picture(page, at) {
  if (!S.picture && S.blind) return inWords(page);
  if (!S.picture) return h("div.frame.empty", { key: "frame" });
  const { card, chosen, spots } = S.pick;
  const zones = [
    ...at.lit.map((zone) => [zone, zone === at.place ? "lit chosen" : "lit"]),
    ...(S.weighed?.notes || []).flatMap((note) => note.zones.map((zone) => [zone, "noted"])),
  ];
  const kind = (one) => [card, ...chosen, ...spots].includes(one) ? "held" : can(page, one) && !at.lit.length ? "can" : "";
  const cards = Object.keys(S.picture.cards).map((one) => [one, kind(Number(one))]).filter(([, kind]) => kind);
  return tablePicture(S.picture, zones, cards, t("picture", { game: page.title }));
}

/** The table where its picture cannot be had. */
const inWords = (page) => h("div.frame.told", { key: "told", role: "region", label: t("picture", { game: page.title }), tabindex: 0 },
  page.zones.filter((zone) => zone.cards.length || zone.hidden).map((zone) =>
    h("p", h("b", zone.label), " ", joined([...zone.cards.map((card) => faceOf(page, card).name), zone.hidden && String(zone.hidden)]))));

function prompt(page, at) {
  const { text, paragraph, active, tone, reaction } = page.prompt;
  const kind = `${active ? "active" : "idle"} ${tone} ${reaction ? "reaction" : ""} ${untouched(S.pick) ? "" : "picked"}`;
  const odds = S.weighed?.odds || at.odds;
  const free = untouched(S.pick);
  const card = S.pick.card !== null && faceOf(page, S.pick.card);
  const bare = !card && !at.gathering;
  return h("section.prompt", { key: "prompt", class: kind, label: t("prompt") },
    h("div.ask", h("h2", { live: "polite" }, (!S.stands && S.bye?.text) || at.prompt || counting(text)), bare && !free && deed("cancel", "link"), ruleLink(paragraph)),
    !bare && h("div.taken",
      h("span.soft", { live: "polite" }, card ? h("b", card.name) : at.gathering && counted(at.gathering)),
      card && enlarging(S.pick.card),
      !free && deed("cancel")),
    at.options.length > 0 && options(at),
    odds && h("p.odds", h("b", odds), " ", soft(t("odds"))),
    S.weighed?.notes.map((note) => h("p.note", note.text, " ", ruleLink(note.paragraph))),
    S.said && h("p.said", { role: "alert", class: S.said.good && "good" }, S.said.text, " ", ruleLink(S.said.paragraph)),
    free && page.there && group("options.place", t("ask_place"), page.there.steps.map((one) => h("button", { does: "there", with: one.place }, one.label))),
    h("div.quick", page.buttons.filter((one) => !one.primary).map((one) => wish(one, "quiet"))));
}

/** A prompt with the time left in its place, which nobody is read aloud each second. */
function counting(text) {
  const [before, after] = text.split("{clock}");
  const left = Math.max(0, Math.round((S.ends - Date.now()) / 1000));
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return after === undefined ? text : [before, h("span", { "aria-hidden": true }, clock), after];
}

function counted({ label, count }) {
  const n = [...S.pick.spots, ...S.pick.chosen].filter((card) => card !== null).length;
  return joined([label, t("chosen", { n, of: count })]);
}

/** What is to be chosen from now: places, ways, turns. */
function options({ asks, options: all }) {
  const dial = all.some((one) => one.angle);
  return group(dial ? `options.${asks}.dial` : `options.${asks}`, t(`ask_${asks}`), all.map((one) =>
    h("button", { does: "step", with: one.path, pressed: one.on },
      dial && h("span.arrow", { "aria-hidden": true, style: rotated(one.angle) }, "↑"), labelled(one))));
}

function foot({ actions, buttons, gatherings }, at) {
  const label = S.pick.card === null && gatherings.find((one) => one.verb === at.move?.verb)?.label;
  const sentence = at.move && (S.weighed?.sentence || at.sentence);
  const parts = [
    sentence && h("p.sentence", { live: "polite" }, sentence),
    at.move && h("button.primary.large", { does: "confirm", disabled: S.sending || !S.stands }, label || t("confirm")),
    untouched(S.pick) && actions.map((one, i) =>
      h(actions.length > FEW ? "button" : "button.large", { does: "act", with: i, disabled: S.sending }, labelled(one))),
    buttons.filter((one) => one.primary).map((one) => wish(one, "primary.large")),
  ].flat().filter(Boolean);
  return parts.length > 0 && h("footer.foot", parts);
}

// Cards

export const faceOf = (page, card) => page.faces[page.cards[card]?.face] || { name: "" };

const faceImage = (face, css, more = {}) => {
  const pixels = css * Math.min(3, devicePixelRatio || 1);
  return h("img", { src: `face/${face.picture}?w=${FACES.find((w) => w >= pixels) || 512}&t=${S.theme}`, alt: "", draggable: "false", ...more });
};

const rotated = (angle) => (angle ? `transform:rotate(${angle}deg)` : null);

/** The cards of a zone that lie singly: in no heap, and on no spot of a board. */
const single = (page, { cards, heaps = {} }) => cards.filter((card) => (can(page, card) || !(page.cards[card].face in heaps)) && !S.pick.spots.includes(card));

function zoneRow(page, { zone, label, cards, heaps = {}, hidden = 0, back, hand }, at) {
  const shown = sorted(single(page, { cards, heaps }), S.order[zone]);
  const heapCount = Object.keys(heaps).length + (hidden > 0);
  return h("section.zone", { key: zone, class: at.lit.includes(zone) && "lit", "data-sorts": hand && shown.length > 1 ? zone : null },
    h("h3", cards.length + hidden > 1 ? t("counted", { place: label, n: cards.length || hidden }) : label),
    h(shown.length > MOST_IN_ROWS ? "div.cards.many" : "div.cards", { role: "group", label, style: rows(shown.length, heapCount) },
      shown.map((card) => cardButton(page, card, at)),
      Object.entries(heaps).map(([face, n]) => heap(page.faces[face], n)),
      hidden > 0 && heap(page.faces[back], hidden)));
}

/** The most cards of one zone that are drawn large in the hand. */
const longestRow = (page) => Math.max(0, ...page.zones.filter((zone) => zone.near).map((zone) => single(page, zone).length).filter((count) => count <= MOST_IN_ROWS));

/** The numbers from which `style.css` derives the rows of `count` cards before some heaps. */
const rows = (count, heapCount = 0) => `--gaps:${Math.max(1, count - 1)};--half:${Math.max(1, Math.ceil(count / 2))};--rest:${HEAP_PX * heapCount}px`;

/** Equal cards that can do nothing now: one picture, and how many there are. */
const heap = (face, n) => h("div.heap", faceImage(face, 48, { class: "back", alt: face.name }), h("span.count", n));

function cardButton(page, card, at) {
  const face = faceOf(page, card);
  const { odds, laid, angle } = page.cards[card];
  const open = can(page, card);
  const place = S.pick.chosen.indexOf(card) + 1;
  const on = S.pick.card === card || place > 0;
  const shut = page.choosing && !open;
  const state = laid ? t("laid") : open ? t("playable") : shut && t("unplayable");
  return h("button.card", {
    key: card, does: "card", with: card,
    class: `${open ? "can" : shut ? "cannot" : ""} ${on ? "on" : ""} ${laid ? "laid" : ""}`,
    pressed: open ? on : null, label: folded("listed", [face.name, face.text, odds, state]),
  }, faceImage(face, 110, { style: rotated(angle) }), place > 0 && h("span.count", place), odds && h("span.chance", odds));
}

/** A board to be filled: its spots in the order of their zones, cells of a grid in their places. */
function board(page, g) {
  const { held, spots: cards } = S.pick;
  const spots = g.spots.map((name, i) => {
    const face = (cards[i] ?? null) !== null && faceOf(page, cards[i]);
    const way = S.pick.signs[i];
    const told = [t("numbered", { number: i + 1, text: page.places[name] }), face ? face.name : t("empty"), face && g.turned[way]];
    return h("button.spot", {
      does: "spot", with: i, pressed: held === i, label: folded("listed", told), class: `${face ? "" : "empty"} ${held === i ? "on" : ""}`,
      style: g.grid[i] && `grid-area:${g.grid[i]}`,
    }, face ? faceImage(face, 96, { style: rotated(g.angles[way]) }) : sign(i + 1));
  });
  return h("section.board", { key: "board", label: t("board") },
    g.grid.length
      ? h("div.grid", spots, Object.entries(g.lain).map(([at, card]) => h("div.lain", { style: `grid-area:${at}` },
        faceImage(faceOf(page, card), 96, { alt: faceOf(page, card).name, style: rotated(page.cards[card]?.angle) }))))
      : [...new Set(g.spots)].map((name) => h("div", { key: name }, h("h3", page.places[name]), h("div.spots", spots.filter((_, i) => g.spots[i] === name)))),
    h("div.quick", { live: "polite" }, (cards[held] ?? null) !== null && [
      S.pick.turnable && deed("turn", "plain"),
      deed("take"),
      enlarging(cards[held]),
    ]));
}

// The other tabs

function logPanel({ log, logged, chat, muted, seat }) {
  const lines = [...S.older, ...log];
  return [
    h("section.lines", { label: t("log") },
      logged > lines.length && deed("older"),
      h("ol", lines.map((line) => h("li", line)))),
    talk(chat, seat, muted),
  ];
}

const talk = (chat, seat, muted) => h("section.chat", { key: "chat", label: t("chat") },
  h("h2", t("chat")),
  h("ol", { live: "polite" }, chat.map((one) => h("li", person(one.symbol, one.name, " ", one.text)))),
  muted && soft(t("muted")),
  seat >= 0 && !muted && [
    group("phrases", t("phrases"), S.phrases.map((one, i) => h("button.quiet", { does: "phrase", with: i }, one))),
    h("form", { "data-form": "say" },
      h("input", { name: "text", value: S.draft, maxlength: 300, label: t("say"), placeholder: t("say"), autocomplete: "off", enterkeyhint: "send" }),
      submit(t("send"))),
  ]);

const scorePanel = ({ result, others, race, verdict, phase, buttons }) => [
  result
    ? [h("h2.result", result.text), h("p.soft", result.decided), result.sheet && h("div.scroll", { tabindex: 0, role: "region", label: t("score") }, node(result.sheet))]
    : [race && h("p.soft", race), players(others, "race")],
  verdict && h("p.verdict", { class: verdict.good ? "good" : "bad" }, verdict.good ? "✓ " : "! ", verdict.text),
  phase !== "playing" && buttons.map((one) => wish(one, "primary.large")),
];

const rulesPanel = () => h("article", S.rules ? S.rules.map(node) : h("p.soft", t("loading")));

// Sheets over the screen

const sheets = {
  card({ card }) {
    const face = faceOf(S.page, card);
    return [h("h2", face.name), faceImage(face, 300, { class: "huge" }), face.text && h("p", face.text)];
  },
  sure: (one) => [h("h2", one.confirm), wish({ ...one, confirm: "" }, "primary")],
  note: () => [
    h("h2", t("note")), h("p.soft", S.page?.notes),
    h("form", { "data-form": "note" },
      h("textarea", { name: "text", maxlength: 900, rows: 5, required: true, label: t("note") }),
      submit(t("send"))),
  ],
  more() {
    const { menu, moving } = S.page || S.lobby;
    const groups = [...new Set(menu.map((one) => one.group))];
    return [
      h("h2", t("more")),
      groups.map((name) => h(name ? "fieldset" : "div.stack", name && h("legend", name), menu.filter((one) => one.group === name).map((one) => wish(one)))),
      S.page?.notes && h("button.plain", { does: "sheet", with: "note" }, t("note")),
      phone.hum && deed("hum", "plain", { pressed: S.hums }),
      phone.chime && deed("chime", "plain", { pressed: S.hums }),
      mayNotify() && deed("notify", "plain", { pressed: S.notifies }),
      S.forgets && h("p.soft", t("no_storage")),
      moving && h("p.soft", moving),
      !phone.stayAwake && h("p.soft", t("screen_off")),
    ];
  },
};

export const sheet = () => h("div.stack", { key: S.sheet.kind }, sheets[S.sheet.kind](S.sheet), S.sheet.said && h("p.said", { role: "alert" }, S.sheet.said), h("button.quiet", { does: "close" }, S.sheet.kind === "sure" ? t("cancel") : t("close")));
