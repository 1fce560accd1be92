// The screens, described from what the gateway said and what the person has picked.

import { h } from "./dom.js";
import { tablePicture, enlarged } from "./picture.js";
import { signAt, standing, turns, waysOf } from "./walk.js";

const TABS = ["hand", "table", "log", "score", "rules"];
const FEW = 3; // so many actions are buttons at the foot; more are a list in the prompt
const FACES = [128, 192, 256, 384, 512];

/** What everything is drawn from; `app.js` changes it. */
export const S = {
  words: {}, language: "", languages: [], phrases: [], symbols: [],
  stands: false, door: null, lobby: null, page: null, picture: null, pick: null, weighed: null,
  tab: "hand", seat: null, symbol: "", older: [], first: null, unread: 0, rules: null, rulesOf: "", paragraph: "",
  said: null, sheet: null, bye: null, sending: false, theme: "light",
};

export const t = (key, gaps = {}) =>
  (S.words[key] || "").replace(/\{(\w+)\}/g, (gap, name) => (name in gaps ? String(gaps[name]) : gap));

const button = (text, does, more = {}, kind = "") =>
  h("button", { type: "button", class: kind, "data-do": does, ...more }, text);

const badge = (symbol, size = "") => h("span.badge", { class: size, "data-symbol": symbol || "none", "aria-hidden": "true" }, h("i"));

export function screen() {
  if (S.bye && !S.bye.again) return [byeScreen()];
  if (S.page) return gameScreen();
  if (S.lobby) return [lobbyScreen()];
  if (S.door) return [doorScreen()];
  return [h("main.alone", { "data-key": "splash" }, h("p.splash", {}, "卓"), !S.stands && h("p.soft", { role: "status" }, t("connecting")))];
}

function byeScreen() {
  return h("main.alone", { "data-key": "bye" }, h("h1", {}, S.bye.text), button(t("come_back"), "begin", {}, "primary"));
}

function doorScreen() {
  return h("main.alone", { "data-key": "door" },
    h("h1", {}, t("door")), h("p.soft", { role: "status" }, S.door.text),
    h("form", { "data-form": "code" },
      h("label", { for: "code" }, t("code")),
      h("input", { id: "code", name: "code", maxlength: 12, autocomplete: "off", autocapitalize: "characters", spellcheck: "false" }),
      h("button.primary", { type: "submit" }, t("enter"))));
}

// Before the match

function lobbyScreen() {
  const { title, name, seats = [], me = -1, text, facts = [], watchable, buttons = [] } = S.lobby;
  return h("main.lobby", { "data-key": "lobby" },
    h("header.lead", {}, h("div", {}, h("h1", {}, name || title), h("p.soft", {}, [name ? title : "", ...facts].filter(Boolean).join(" · "))), moreButton()),
    h("p.tell", { role: "status" }, S.stands ? text : t("connecting")),
    h("ul.seats", { "aria-label": t("seats") }, seats.map((seat) => lobbySeat(seat, me))),
    buttons.length > 0 && h("div.row", {}, buttons.map((one, i) => button(one.text, "wish", { "data-id": i }, one.primary ? "primary" : ""))),
    me < 0 && watchable && button(t("watch"), "watch"));
}

function lobbySeat(seat, me) {
  const n = seat.seat || 0;
  const free = seat.state === "free" && me < 0;
  const open = free && S.seat === n;
  return h("li.seat", { "data-key": `seat${n}`, class: n === me ? "mine" : free ? "free" : "" },
    free
      ? h("button.whole", { type: "button", "data-do": "choose", "data-id": n, "aria-expanded": String(open) }, badge("", "plain"), h("b", {}, seat.label))
      : h("div.whole", {}, badge(seat.symbol), h("b", {}, seat.label), seat.state === "ready" && h("span.soft", {}, "✓")),
    open && sitForm(n));
}

function sitForm(n) {
  const free = S.lobby.symbols || S.symbols;
  const chosen = free.includes(S.symbol) ? S.symbol : free[0];
  return h("form", { "data-form": "sit", "data-id": n },
    h("label", { for: "name" }, t("name")),
    h("input", { id: "name", name: "name", maxlength: 24, required: true, autocomplete: "nickname", value: S.name || "" }),
    h("fieldset", {}, h("legend", {}, t("symbol")),
      h("div.symbols", {}, free.map((symbol) => h("button", {
        type: "button", "data-do": "symbol", "data-id": symbol, "aria-pressed": String(symbol === chosen), "aria-label": t(`symbol_${symbol}`) || symbol,
      }, badge(symbol))))),
    h("button.primary", { type: "submit" }, t("sit")));
}

// The match

function gameScreen() {
  const { page, pick } = S;
  const at = standing(page, pick);
  const watches = page.seat === -1;
  const tab = watches && S.tab === "hand" ? "table" : S.tab;
  const panel = { hand: handPanel, table: tablePanel, log: logPanel, score: scorePanel, rules: rulesPanel }[tab];
  return [
    head(page),
    h("main", { "data-key": `main-${tab}`, class: `panel ${tab}`, id: "panel", role: "tabpanel", "aria-labelledby": `tab-${tab}` }, panel(page, at)),
    (tab === "hand" || tab === "table") && foot(page, at),
    h("nav.tabs", { "data-key": "tabs", role: "tablist", "aria-label": t("tabs") },
      TABS.filter((name) => !watches || name !== "hand").map((name) => h("button", {
        type: "button", role: "tab", id: `tab-${name}`, "data-key": name, "data-do": "tab", "data-id": name,
        "aria-selected": String(name === tab), "aria-controls": "panel",
      }, t(name), name === "log" && S.unread > 0 && h("span.dot", {}, String(S.unread)),
      name === "hand" && page.prompt.active && tab !== "hand" && h("span.dot", { "aria-label": t("your_turn") }, "!")))),
  ];
}

function head(page) {
  const here = S.stands && page.connected !== false;
  return h("header.me", { "data-key": "me" },
    badge(page.symbol),
    h("div.who", {}, h("h1", {}, page.name || t("spectator")), h("p.soft", {}, [page.title, page.heading].filter(Boolean).join(" · "))),
    h("span.line", { class: here ? "here" : "gone", role: "status" }, here ? t("connected") : t("connecting")),
    moreButton());
}

const moreButton = () => h("button.icon", { type: "button", "data-do": "sheet", "data-id": "more", "aria-label": t("more"), "aria-haspopup": "dialog" }, h("span", { "aria-hidden": "true" }, "⋯"));

function handPanel(page, at) {
  const zones = (page.zones || []).filter((zone) => shownInHand(page, zone));
  return [
    h("div.look", { "data-key": "look" }, picture(page, at)),
    h("div.do", { "data-key": "do" },
      prompt(page, at),
      at.gathering && (at.gathering.spots || []).length > 0 && board(page, at),
      h("div.zones", { "data-key": "zones" }, zones.map((zone) => zoneRow(page, zone, at)))),
  ];
}

/** Own cards, and those of the table that can be taken up now. */
function shownInHand(page, zone) {
  const cards = zone.cards || [];
  if (!cards.length) return zone.own && zone.hand && zone.hidden > 0;
  return (zone.own && zone.hand) || cards.some((card) => can(page, card));
}

const gatherable = (page, card) => (page.gatherings || []).some((g) => g.cards.includes(card));
const can = (page, card) => waysOf(page, card).length > 0 || gatherable(page, card);

function picture(page, at) {
  if (!S.picture) return h("div.frame.empty", { "data-key": "frame" });
  const marks = at.lit.map((zone) => [zone, zone === S.pick.target ? "lit chosen" : "lit"]);
  const noted = (S.weighed && S.weighed.notes) || [];
  for (const note of noted) for (const zone of note.zones || []) marks.push([zone, "noted"]);
  const cards = Object.keys(S.picture.cards).map(Number).flatMap((card) => {
    if (card === S.pick.card || S.pick.chosen.includes(card) || S.pick.spots.includes(card)) return [[card, "held"]];
    return can(page, card) && !at.lit.length ? [[card, "can"]] : [];
  });
  return [
    tablePicture(S.picture, marks, cards, t("picture", { game: page.title })),
    h("button.icon.near", { type: "button", "data-do": "near", "data-key": "near", "aria-label": enlarged() ? t("whole") : t("closer") }, h("span", { "aria-hidden": "true" }, enlarged() ? "−" : "+")),
  ];
}

function prompt(page, at) {
  const { text, paragraph, active, waiting = [], tone = "", reaction } = page.prompt;
  const weighed = S.weighed;
  const sentence = at.move ? (weighed && weighed.sentence) || at.sentence : "";
  const notes = (weighed && weighed.notes) || [];
  const odds = (weighed && weighed.odds) || (at.move && at.odds);
  const chosen = S.pick.card !== null && faceOf(page, S.pick.card);
  return h("section.prompt", { "data-key": "prompt", "data-symbol": page.symbol || "none", class: `${active ? "active" : "idle"} ${tone} ${reaction ? "reaction" : ""}`, "aria-label": t("prompt") },
    h("div.ask", {}, h("h2", { "aria-live": "polite" }, text || ""), paragraphLink(paragraph)),
    !active && waiting.length > 0 && !waiting.every((name) => (text || "").includes(name)) && h("p.soft", {}, t("waiting", { names: waiting.join(" · ") })),
    (at.gathering || !free()) && h("div.taken", {},
      h("span.soft", { "aria-live": "polite" }, chosen ? h("b", {}, chosen.name) : at.gathering && counted(at.gathering)),
      chosen && button(t("closer"), "enlarge", { "data-id": S.pick.card }, "quiet"),
      !free() && button(t("cancel"), "cancel", {}, "quiet")),
    asked(page, at),
    sentence && h("p.sentence", { "aria-live": "polite" }, sentence),
    odds && h("p.odds", {}, h("b", {}, odds), " ", h("span.soft", {}, t("odds"))),
    notes.map((note) => h("p.note", {}, note.text, " ", paragraphLink(note.paragraph))),
    S.said && h("p.said", { role: "alert", class: S.said.good ? "good" : "" }, S.said.text, " ", paragraphLink(S.said.paragraph)),
    actionList(page, at),
    quickButtons(page));
}

const paragraphLink = (paragraph) =>
  paragraph ? button(t("rule", { n: paragraph }), "rule", { "data-id": paragraph }, "link") : null;

function counted(g) {
  const spots = (g.spots || []).length > 0;
  const n = spots ? S.pick.spots.filter((card) => card != null).length : S.pick.chosen.length;
  const least = g.least || 0;
  const range = least === g.most || spots ? String(g.most) : `${least}–${g.most}`;
  return [g.label, t("chosen", { n, of: range })].filter(Boolean).join(" · ");
}

/** What is to be chosen from now: places, ways, turns. */
function asked(page, at) {
  if (!at.options.length) return null;
  const dial = at.options.some((one) => one.angle);
  return h("div.options", { class: `${at.ask} ${dial ? "dial" : ""}`, role: "group", "aria-label": t(`ask_${at.ask}`) },
    at.options.map((one) => h("button", {
      type: "button", "data-do": one.does, "data-id": JSON.stringify(one.value), "aria-pressed": one.does === "target" ? null : String(Boolean(one.on)),
    }, dial && h("span.arrow", { "aria-hidden": "true", style: { transform: `rotate(${one.angle || 0}deg)` } }, "↑"), one.label, one.odds && h("span.soft", {}, ` ${one.odds}`))));
}

const free = () => S.pick.card === null && S.pick.action === null && !S.pick.chosen.length && !S.pick.spots.some((c) => c != null);
const bare = (page) => (page.actions || []).map((way, i) => ({ way, i }));

/** Actions without a card, where they are more than fit at the foot; and the places of others. */
function actionList(page, at) {
  if (!free()) return null;
  const all = bare(page);
  const direct = all.filter(({ way }) => !way.target);
  const there = [...new Set(all.filter(({ way }) => way.target).map(({ way }) => way.target))];
  return [
    direct.length > FEW && h("div.options", { role: "group", "aria-label": t("actions") }, direct.map(({ way, i }) => actionButton(way, i))),
    there.length > 0 && h("div.options.place", { role: "group", "aria-label": t("ask_place") },
      there.map((zone) => button((page.places || {})[zone] || zone, "there", { "data-id": zone }))),
  ];
}

const actionButton = (way, i, kind = "") =>
  h("button", { type: "button", class: kind, "data-key": `act${i}`, "data-do": "act", "data-id": i, disabled: S.sending }, way.sentence, way.odds && h("span.soft", {}, ` ${way.odds}`));

/** What the gateway offers beside the game itself: undo, consent, coming back. */
function quickButtons(page) {
  const all = (page.buttons || []).map((one, i) => ({ one, i })).filter(({ one }) => !one.primary);
  if (!all.length) return null;
  return h("div.quick", {}, all.map(({ one, i }) => button(one.text, "wish", { "data-id": i }, "quiet")));
}

function foot(page, at) {
  const primary = (page.buttons || []).map((one, i) => ({ one, i })).filter(({ one }) => one.primary);
  const direct = bare(page).filter(({ way }) => !way.target);
  const parts = [];
  if (at.move) {
    const label = at.gathering && S.pick.card === null ? at.gathering.label || t("confirm") : t("confirm");
    parts.push(h("button.primary.large", { type: "button", "data-key": "confirm", "data-do": "confirm", disabled: S.sending || !S.stands }, label));
  }
  if (free() && direct.length <= FEW) parts.push(...direct.map(({ way, i }) => actionButton(way, i, "large")));
  parts.push(...primary.map(({ one, i }) => button(one.text, "wish", { "data-id": i, "data-key": `wish${i}` }, "primary large")));
  return parts.length ? h("footer.foot", { "data-key": "foot" }, parts) : null;
}

// Cards

export function faceOf(page, card) {
  const entry = (page.cards || {})[card];
  return (entry && page.faces && page.faces[entry.face]) || { name: "", text: "", picture: "" };
}

export function faceUrl(face, css) {
  const pixels = css * Math.min(3, devicePixelRatio || 1);
  return `/face/${face.picture}?w=${FACES.find((w) => w >= pixels) || 512}&t=${S.theme}`;
}

function zoneRow(page, zone, at) {
  const cards = zone.cards || [];
  const lying = new Set(S.pick.spots.filter((card) => card != null));
  const faces = new Map();
  for (const card of cards) if (!can(page, card)) faces.set(kindOf(page, card), [...(faces.get(kindOf(page, card)) || []), card]);
  const heaps = [...faces.values()].filter((alike) => alike.length > 3);
  const shown = cards.filter((card) => !lying.has(card) && !heaps.some((alike) => alike.includes(card)));
  const lit = at.lit.includes(zone.zone);
  return h("section.zone", { "data-key": zone.zone, class: lit ? "lit" : "" },
    h("h3", {}, zone.label || "", " ", h("span.soft", {}, String(cards.length || zone.hidden || 0))),
    h("div.cards", { class: shown.length > 7 ? "many" : shown.length > 5 ? "six" : "", role: "group", "aria-label": zone.label || "" },
      shown.map((card, i) => cardButton(page, card, zone, i, at)),
      heaps.map((alike) => heap(faceOf(page, alike[0]), alike.length)),
      zone.hidden > 0 && heap((page.faces || {})[zone.back], zone.hidden)));
}

const kindOf = (page, card) => ((page.cards || {})[card] || {}).face;

/** Equal cards that can do nothing now: one picture, and how many there are. */
const heap = (face, n) => face && h("div.heap", {}, h("img.back", { src: faceUrl(face, 48), alt: face.name }), h("span.count", {}, String(n)));

export function cardButton(page, card, zone, i, at) {
  const face = faceOf(page, card);
  const entry = (page.cards || {})[card] || {};
  const open = card >= 0 && can(page, card);
  const place = S.pick.chosen.indexOf(card);
  const on = S.pick.card === card || place >= 0;
  const laid = Boolean(entry.laid);
  const asks = page.prompt.active && (at.gathering || Object.values(page.cards || {}).some((c) => c.playable || (c.ways || []).length));
  const state = laid ? t("laid") : open ? t("playable") : asks ? t("unplayable") : "";
  return h("button.card", {
    type: "button", "data-key": card >= 0 ? `c${card}` : `h${zone.zone}${i}`, "data-do": "card", "data-id": card, "data-card": card,
    class: `${open ? "can" : asks ? "cannot" : ""} ${on ? "on" : ""} ${laid ? "laid" : ""}`,
    "aria-pressed": open ? String(on) : null, "aria-label": [face.name, face.text, entry.odds, state].filter(Boolean).join(". "),
  }, h("img", { src: faceUrl(face, 110), alt: "", draggable: "false", style: entry.angle ? { transform: `rotate(${entry.angle}deg)` } : {} }), place >= 0 && at.gathering && at.gathering.most > 1 && h("span.count", {}, String(place + 1)), entry.odds && h("span.chance", {}, entry.odds));
}

/** A board to be filled: its spots in the order of their zones, cells of a grid in their places. */
function board(page, at) {
  const g = at.gathering;
  const cell = /^(.+)\/(\d+),(\d+)$/;
  const cells = g.spots.map((name) => cell.exec(name));
  const grid = cells.every(Boolean);
  const lines = grid ? null : [...new Set(g.spots)];
  const least = grid ? Math.min(...cells.map((c) => Number(c[3]))) : 0;
  const spots = g.spots.map((name, i) => {
    const card = S.pick.spots[i] ?? null;
    const face = card === null ? null : faceOf(page, card);
    const sign = signAt(g, S.pick, i);
    const angle = (g.angles || {})[sign] || 0;
    const label = (page.places || {})[name] || name;
    const way = sign && card !== null ? (g.turned || {})[sign] || "" : "";
    return h("button.spot", {
      type: "button", "data-key": `s${i}`, "data-do": "spot", "data-id": i, "aria-pressed": String(S.pick.held === i),
      "aria-label": [`${i + 1}. ${label}`, face ? face.name : t("empty"), way].filter(Boolean).join(", "), class: `${card === null ? "empty" : ""} ${S.pick.held === i ? "on" : ""}`,
      style: grid ? { "grid-row": String(Number(cells[i][2]) + 1), "grid-column": String(Number(cells[i][3]) - least + 1) } : {},
    }, face ? h("img", { src: faceUrl(face, 96), alt: "", draggable: "false", style: { transform: `rotate(${angle}deg)` } }) : h("span.soft", { "aria-hidden": "true" }, String(i + 1)));
  });
  const held = S.pick.held !== null && (S.pick.spots[S.pick.held] ?? null) !== null;
  return h("section.board", { "data-key": "board", "aria-label": t("board") },
    grid
      ? h("div.grid", { style: { "grid-template-columns": `repeat(${Math.max(...cells.map((c) => Number(c[3]))) - least + 1}, auto)` } }, spots)
      : lines.map((name) => h("div.line", { "data-key": name }, h("h3", {}, (page.places || {})[name] || name), h("div.spots", {}, spots.filter((_, i) => g.spots[i] === name)))),
    h("div.quick", { "aria-live": "polite" }, held && [
      turns(g, S.pick.held) && button(t("turn"), "turn", {}, ""),
      button(t("take_back"), "take", {}, "quiet"),
      button(t("closer"), "enlarge", { "data-id": S.pick.spots[S.pick.held] }, "quiet"),
    ]));
}

// The other tabs

function tablePanel(page, at) {
  const zones = (page.zones || []).filter((zone) => (zone.cards || []).length || zone.hidden);
  return [
    h("div.look.large", { "data-key": "look" }, picture(page, at)),
    h("div.do", { "data-key": "do" },
      prompt(page, at),
      players(page),
      h("div.zones.list", { "data-key": "zones" }, zones.map((zone) => zoneRow(page, zone, at)))),
  ];
}

function players(page) {
  return h("ul.players", { "data-key": "players", "aria-label": t("players") }, (page.others || []).map((one) =>
    h("li", { class: one.turn ? "turn" : "", "data-key": `p${one.seat || 0}` }, badge(one.symbol, "little"),
      h("div", {}, h("b", {}, one.name), h("p.soft", {}, [one.turn ? t("turn_of") : "", one.mark ? t(`mark_${one.mark}`) : "", ...(one.figures || [])].filter(Boolean).join(" · "))))));
}

function logPanel(page) {
  const lines = [...S.older, ...(page.log || [])];
  const more = (page.logged || 0) > lines.length;
  return [
    h("section.lines", { "data-key": "lines", "aria-label": t("log") },
      more && button(t("older"), "older", {}, "quiet"),
      h("ol", {}, lines.map((line) => h("li", {}, line)))),
    h("section.chat", { "data-key": "chat", "aria-label": t("chat") },
      h("h2", {}, t("chat")),
      h("ol", { "aria-live": "polite" }, (page.chat || []).map((said) => h("li", {}, badge(said.symbol, "little"), h("div", {}, h("b", {}, said.name), " ", said.text)))),
      page.muted && h("p.soft", {}, t("muted")),
      page.seat !== -1 && !page.muted && [
        h("div.phrases", { role: "group", "aria-label": t("phrases") }, S.phrases.map((phrase, i) => button(phrase, "phrase", { "data-id": i }, "quiet"))),
        h("form", { "data-form": "say" },
          h("input", { name: "text", maxlength: 300, "aria-label": t("say"), placeholder: t("say"), autocomplete: "off", enterkeyhint: "send" }),
          h("button.primary", { type: "submit" }, t("send"))),
      ]),
  ];
}

function scorePanel(page) {
  const { result, others = [], verdict } = page;
  const seats = others.map((one) => one.seat || 0);
  const name = (seat) => others.find((one) => (one.seat || 0) === seat) || { name: "", symbol: "" };
  const wins = (seat) => result && (result.winners || []).includes(seat);
  return [
    result && h("h2.result", { "data-key": "result" }, result.text),
    result && result.decided && h("p.soft", {}, result.decided),
    result
      ? h("div.scroll", { "data-key": "sheet", tabindex: 0, role: "region", "aria-label": t("score") }, h("table.sums", {},
          h("thead", {}, h("tr", {}, h("td", {}), seats.map((seat) => h("th", { scope: "col", class: wins(seat) ? "wins" : "" }, badge(name(seat).symbol, "little"), h("br"), name(seat).name)))),
          h("tbody", {}, (result.rows || []).map((row) => h("tr", {}, h("th", { scope: "row" }, row.text),
            seats.map((seat) => h("td", {}, (row.points || [])[seat] ?? "", (row.formulas || [])[seat] && h("small", {}, row.formulas[seat])))))),
          (result.totals || []).length > 0 && h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("total")), seats.map((seat) => h("td", { class: wins(seat) ? "wins" : "" }, result.totals[seat]))))))
      : [h("ul.players.points", { "data-key": "points" }, others.map((one) => h("li", { class: one.turn ? "turn" : "" }, badge(one.symbol, "little"), h("div", {}, h("b", {}, one.name), h("p.soft", {}, (one.figures || []).join(" · "))), one.points && h("strong", {}, one.points)))), !others.some((one) => one.points) && h("p.soft", {}, t("scored_later"))],
    verdict && h("p.verdict", { class: verdict.good ? "good" : "bad" }, verdict.good ? "✓ " : "! ", verdict.text),
    (page.buttons || []).map((one, i) => page.phase !== "playing" && button(one.text, "wish", { "data-id": i }, "primary large")),
  ];
}

function rulesPanel(page) {
  if (!S.rules || S.rulesOf !== page.game + S.language) return [h("p.soft", {}, t("loading"))];
  return [h("article", { "data-key": "rules" }, S.rules.map((block) => {
    if (block.level) return h(`h${Math.min(4, block.level + 1)}`, { "data-number": block.number, tabindex: -1 }, block.number && h("span.soft", {}, `${block.number} `), block.text);
    if (block.list) return h("ul", {}, block.list.map((line) => h("li", {}, line)));
    if (block.rows) return h("div.scroll", {}, h("table", {}, block.rows.map((row, i) => h("tr", {}, row.map((text) => h(i ? "td" : "th", {}, text))))));
    return h("p", { "data-number": block.number }, block.text);
  }))];
}

// Sheets over the screen

export function sheet() {
  const { kind, card, text, does, label } = S.sheet;
  const close = button(t("close"), "close", {}, "quiet");
  if (kind === "card") {
    const face = faceOf(S.page, card);
    return [h("h2", {}, face.name), h("img.huge", { src: faceUrl(face, 300), alt: "" }), face.text && h("p", {}, face.text), close];
  }
  if (kind === "sure") return [h("h2", {}, text), h("div.stack", {}, button(label, "sure", { "data-id": JSON.stringify(does) }, "primary"), button(t("cancel"), "close", {}, "quiet"))];
  const page = S.page;
  return [
    h("h2", {}, t("more")),
    h("div.stack", {},
      ((page && page.menu) || []).map((one, i) => button(one.text, "menu", { "data-id": i })),
      page && Object.keys(page.ways || {}).length > 0 && h("fieldset", {}, h("legend", {}, t("way")),
        Object.entries(page.ways).map(([way, text]) => h("button", { type: "button", "data-do": "setway", "data-id": way, "aria-pressed": String(way === page.way) }, text))),
      h("fieldset", {}, h("legend", {}, t("language")), S.languages.map((one) =>
        h("button", { type: "button", "data-do": "language", "data-id": one, lang: one, "aria-pressed": String(one === S.language) }, one === "ja" ? "日本語" : "English"))),
      h("button", { type: "button", "data-do": "hum", "aria-pressed": String(S.hums) }, t("vibrate")),
      close),
  ];
}
