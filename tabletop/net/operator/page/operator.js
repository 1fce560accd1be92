// The operator's page: asks the server how it is, shows that, and gives orders. It has no texts of
// its own, and makes elements of plain text alone.

const PAUSE = 2000; // milliseconds between two looks
const SHOWN = 8000; // milliseconds that what came of an order is to be read
const GIB = 2 ** 30;

const part = (id) => document.getElementById(id);
const words = await (await fetch("/words")).json();
const say = (name, gaps = {}) =>
  words[name].replace(/\{(\w+)\}/g, (whole, gap) => (gap in gaps ? gaps[gap] : whole));
const number = new Intl.NumberFormat(words.language);
const moment = new Intl.DateTimeFormat(words.language, { dateStyle: "medium", timeStyle: "short" });
const when = (seconds) => moment.format(new Date(seconds * 1000));

/** Set what has changed, and nothing else: what is selected or has the focus stays so. */
function put(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

/** Keep one child for each item; `fill` makes it tell what its item is now. */
function keep(parent, items, keyOf, make, fill) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const kept = items.map((item) => {
    const key = String(keyOf(item));
    const child = old.get(key) ?? make(item);
    old.delete(key);
    child.dataset.key = key;
    fill(child, item);
    return child;
  });
  for (const gone of old.values()) gone.remove();
  kept.forEach((child, at) => {
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
  });
}

function element(tag, name = "") {
  const made = document.createElement(tag);
  if (name) made.className = name;
  return made;
}

function button(word, press) {
  const made = element("button");
  made.type = "button";
  made.textContent = say(word);
  made.addEventListener("click", press);
  return made;
}

/** A list whose columns are [word, class, what a cell says], and whose rows end with buttons. */
function list(id, columns, keyOf, acts) {
  const table = part(id);
  const empty = table.parentElement.querySelector(".empty");
  const head = table.querySelector("thead tr");
  for (const [word] of columns) head.append(Object.assign(element("th"), { textContent: say(word), scope: "col" }));
  head.append(element("td"));
  const make = (item) => {
    const row = element("tr");
    for (const [word, name] of columns) {
      const cell = element("td", name);
      cell.dataset.head = say(word);
      row.append(cell);
      cell.append(element("span"));
    }
    const last = element("td", "acts");
    last.append(...acts(keyOf(item), () => row.item));
    row.append(last);
    return row;
  };
  const fill = (row, item) => {
    row.item = item;
    columns.forEach(([, , tell], at) => put(row.children[at].firstChild, tell(item)));
  };
  return (items) => {
    table.hidden = !items.length;
    if (empty) empty.hidden = items.length > 0;
    keep(table.tBodies[0], items, keyOf, make, fill);
  };
}

function player(table, seat) {
  const name = table.players[seat];
  if (!name) return say("free");
  if (name === "bot") return say("bot");
  return table.away.includes(seat) ? say("away", { name }) : name;
}

const showTables = list(
  "tables",
  [
    ["at_table", "", (t) => `${t.name} (${t.table})`],
    ["game", "", (t) => t.game],
    ["phase", "", (t) => say(t.asleep ? "asleep" : t.phase === "playing" ? "playing_now" : t.phase)],
    ["players", "", (t) => t.players.map((_, seat) => player(t, seat)).join(", ")],
    ["moves_played", "number", (t) => number.format(t.moves)],
    ["watching", "number", (t) => number.format(t.watching)],
  ],
  (t) => t.table,
  (table, now) => [button("close", () => order("close", { table }, say("close_sure", { table: now().name })))],
);

const showGuests = list(
  "guests",
  [
    ["guest", "number", (g) => g.guest],
    ["address", "", (g) => g.address],
    ["players", "", (g) => g.players.join(", ")],
    ["at_table", "", (g) => g.table],
    ["since", "", (g) => when(g.since)],
  ],
  (g) => g.guest,
  (guest, now) => [
    button("kick", () => order("kick", { who: String(guest) }, say("kick_sure", { guest }))),
    button("ban", () => order("ban", { who: now().address }, say("ban_sure", now()))),
  ],
);

const showBanned = list(
  "banned",
  [
    ["address", "", ([address]) => address],
    ["since", "", ([, since]) => when(since)],
  ],
  ([address]) => address,
  (who) => [button("lift", () => order("ban", { who, lift: true }))],
);

function showFigures(status) {
  const figures = [
    ["tables", number.format(status.tables), say("playing", { count: number.format(status.playing) })],
    ["guests", number.format(status.guests), say("guests_now")],
    ["moves", number.format(status.moves), say("moves_since")],
    ["bots", number.format(status.bots_waiting), say("bots_waiting")],
    ["disk", say("disk_unit", { count: number.format(Math.round((status.disk_free / GIB) * 10) / 10) }), ""],
  ];
  const make = () => {
    const item = element("li");
    item.append(element("span", "soft"), element("b"), element("span", "soft"));
    return item;
  };
  keep(part("figures"), figures, ([name]) => name, make, (item, [name, value, about]) => {
    put(item.children[0], say(name));
    put(item.children[1], value);
    put(item.children[2], about);
  });
}

function showCounts(id, counts) {
  const found = Object.entries(counts).sort(([, one], [, other]) => other - one);
  const lines = found.flatMap(([name, count]) => [["dt", name, name], ["dd", name, number.format(count)]]);
  part(id).parentElement.querySelector(".empty").hidden = found.length > 0;
  keep(part(id), lines, ([tag, name]) => `${tag} ${name}`, ([tag]) => element(tag), (line, [, , text]) => put(line, text));
}

function showState(text, ill) {
  put(part("state"), text);
  part("state").classList.toggle("ill", ill);
}

async function look() {
  const [status, tables, guests] = await Promise.all(
    ["/status", "/tables", "/guests"].map(async (path) => {
      const answer = await fetch(path);
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.json();
    }),
  );
  showState(status.trouble || (status.draining ? say("draining") : say("well")), Boolean(status.trouble));
  put(part("about"), say("about", { version: status.program, port: status.port, since: when(status.since) }));
  part("drain").disabled = status.draining;
  showFigures(status);
  showTables(tables);
  showGuests(guests);
  const banned = Object.entries(status.banned);
  part("banned-section").hidden = !banned.length;
  showBanned(banned);
  showCounts("refusals", status.refusals);
  showCounts("cut", status.cut);
}

function sure(question) {
  const dialog = part("sure");
  put(part("question"), question);
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((then) =>
    dialog.addEventListener("close", () => then(dialog.returnValue === "yes"), { once: true }),
  );
}

let shown = 0;
function tell(text) {
  put(part("told"), text);
  clearTimeout(shown);
  shown = setTimeout(() => put(part("told"), ""), SHOWN);
}

/** Give an order, once whoever gives it is sure; whether it was obeyed. */
async function order(name, given, question = "") {
  if (question && !(await sure(question))) return false;
  try {
    const answer = await fetch(`/${name}`, { method: "POST", body: JSON.stringify(given) });
    tell((await answer.json()).told);
    await look();
    return answer.ok;
  } catch {
    tell(say("unreachable"));
    return false;
  }
}

async function lookOn() {
  try {
    if (!document.hidden) await look();
  } catch {
    showState(say("unreachable"), true);
  }
  setTimeout(lookOn, PAUSE);
}

document.documentElement.lang = words.language;
document.title = `${say("title")} — Tabletop 卓`;
for (const each of document.querySelectorAll("[data-word]")) each.textContent = say(each.dataset.word);
part("text").placeholder = say("announce_field");
part("announce").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await order("announce", { text: part("text").value })) part("text").value = "";
});
part("drain").addEventListener("click", () => order("drain", {}, say("drain_sure")));
document.addEventListener("visibilitychange", () => document.hidden || look().catch(() => {}));
await lookOn();
part("app").hidden = false;
