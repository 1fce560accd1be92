// What both views of the public page are made of. They have no texts of their own, and make elements
// of plain text alone.

const LANGUAGES = { en: "English", ja: "日本語" };
const SHOWN = 8000; // milliseconds that a sentence in passing is to be read

export let words = {};
export const language = { now: kept("language") };
export const app = document.getElementById("app");
export const say = (name, gaps = {}) =>
  words[name].replace(/\{(\w+)\}/g, (whole, gap) => (gap in gaps ? gaps[gap] : whole));

/** What this browser keeps of what was chosen; one that keeps nothing forgets it with the page. */
export function kept(key) {
  try { return localStorage.getItem(`tabletop.${key}`) || ""; } catch { return ""; }
}

export function keep(key, value) {
  try { localStorage.setItem(`tabletop.${key}`, value); } catch { /* private */ }
}

/** An element: `h("p.soft", { lang: "ja" }, "text", child, false)`. */
export function h(tag, ...inside) {
  const [name, ...classes] = tag.split(".");
  const made = document.createElement(name);
  if (classes.length) made.className = classes.join(" ");
  const given = inside[0] && inside[0].constructor === Object ? inside.shift() : {};
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...inside.flat().filter((one) => one !== false && one !== null && one !== undefined && one !== ""));
  return made;
}

/** An element that the gateway sends as a list: its tag, its attributes, texts and further ones. */
export const told = (node) =>
  typeof node === "string" ? node : h(...node.map((one) => (Array.isArray(one) ? told(one) : one)));

/** Texts put together by twos, as the words say; empty ones are left out. */
export const folded = (key, texts) =>
  texts.filter(Boolean).reduce((first, second) => (first ? say(key, { first, second }) : second), "");

/** What the gateway answers, in the chosen language; a sentence that says why not is thrown. */
export async function ask(path, more = {}) {
  const query = new URLSearchParams({ ...(language.now && { language: language.now }), ...more });
  const answer = await fetch(`${path}?${query}`);
  const found = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(found.told), found);
  return found;
}

/** Take up what an answer brings for the frame: its texts and their language. */
export function localize(found) {
  words = found.words;
  language.now = found.language;
  document.documentElement.lang = found.language;
}

let fading = 0;

/** Tell something in passing. */
export function tell(text) {
  document.getElementById("told").textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => tell(""), SHOWN);
}

/** The head of a page, with what leads back and the choice of the language. */
export function head(title, under, back = "") {
  document.title = `${title} — Tabletop 卓`;
  const other = Object.keys(LANGUAGES).find((one) => one !== language.now);
  const turn = () => {
    keep("language", other);
    location.reload();
  };
  return h("header",
    h("div.title",
      back ? h("a.back", { href: back }, `‹ ${say("back")}`) : h("p.sign", { ariaHidden: "true" }, "卓"),
      h("h1", title),
      under && h("p.soft", under)),
    h("button.quiet", { type: "button", lang: other, onclick: turn }, LANGUAGES[other]));
}

export function moment(seconds) {
  const form = new Intl.DateTimeFormat(language.now, { dateStyle: "medium", timeStyle: "short" });
  return form.format(new Date(seconds * 1000));
}
