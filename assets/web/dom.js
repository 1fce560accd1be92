// Screens are described afresh at every change, and the page's elements made equal to that: what stays
// keeps focus, scroll, what is typed and pictures. Text is only ever text: nothing is parsed.

const SHORT = { does: "data-do", with: "data-id", key: "data-key", label: "aria-label", live: "aria-live", pressed: "aria-pressed" };

/** An element: h("button.card.lit", { does: "tap", with: 3 }, "text", [more]); its values may be left out. */
export function h(name, ...children) {
  const given = children[0]?.constructor === Object ? children.shift() : {};
  const [tag, ...classes] = name.split(".");
  const attributes = tag === "button" ? { type: "button" } : {};
  for (const [short, value] of Object.entries(given)) {
    const key = SHORT[short] || short;
    if (value === null || value === undefined || (value === false && !key.startsWith("aria-"))) continue;
    if (key === "class") classes.push(value);
    else attributes[key] = typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  attributes.class = classes.join(" ");
  return { __proto__: null, tag, attributes, children }; // no prototype: no object of values
}

const words = !CSS.supports("word-break", "auto-phrase") && Intl.Segmenter && new Intl.Segmenter("ja", { granularity: "word" });
const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/, CLINGS = /^([\u3041-\u309fー。、！？：・…」』）]+$|回り)/, KANJI = /[\u4e00-\u9fff]/, OPENS = /[「『（]$/;
if (words) document.documentElement.classList.add("keeps-words");

/** A number with its sign and its counter or its name, and a short text in brackets: no line breaks in them. */
const ONE = /([A-Z]+-\u2060\d+|（[^（）]{1,6}）[。、]?|[\u30a1-\u30ff]{1,7}\d+|[第全各約計差]*[−+]?\d[\d.,]*(?:[%点枚個歩回人手年月日番目度周巡段種組列本分秒位面件戦勝]+|[\u30a1-\u30ff]{1,6}))/;
const IN_LINES = ["P", "LI", "TH", "TD", "H1", "H2"];

/** A Japanese text in parts between which its lines may break, for a browser that breaks them anywhere; for one
 *  that knows phrases, with what it would still break in one piece. */
function inPhrases(text, parent) {
  if (typeof text === "string") text = text.replace(/[A-Z]-(?=\d)/g, "$&\u2060"); // CS-01
  if (typeof text !== "string" || !JAPANESE.test(text)) return text;
  const pieces = text.split(ONE).filter(Boolean);
  if (!words) {
    if (!IN_LINES.includes(parent.tagName) || pieces.length < 2) return text;
    return pieces.map((piece) => (ONE.test(piece) ? h("span.one", piece) : piece));
  }
  const parts = [];
  for (const segment of pieces.flatMap((piece) => (ONE.test(piece) ? piece : [...words.segment(piece)].map((each) => each.segment)))) {
    const last = parts[parts.length - 1] || "";
    const suffix = segment.length === 1 && KANJI.test(segment) && KANJI.test(last.slice(-1)); // 手番, 親札
    const clings = CLINGS.test(segment) && !/[、。][ぁ-ゖ]/.test(last.slice(-1) + segment);
    if (last && (clings || suffix || OPENS.test(last))) parts.push(parts.pop() + segment);
    else parts.push(segment);
  }
  return parts.flatMap((part, place) => (place ? [h("wbr"), part] : [part]));
}

/** The one canvas; it keeps what is on it. */
export const paper = document.createElement("canvas");

/** Make the children of `parent` as described: lists of `h` and texts, in which `cond && h(...)` may
 *  have left nothing. Each stays that had the same tag and key. */
export function fill(parent, nodes) {
  const rest = [...parent.childNodes];
  let place = parent.firstChild;
  for (const now of nodes.flat(9).filter(Boolean).flatMap((node) => inPhrases(node, parent))) {
    const key = now.attributes?.["data-key"];
    const at = rest.findIndex(({ was }) => was && was.tag === now.tag && was.attributes?.["data-key"] === key);
    const made = () => (now.tag === "canvas" ? paper : now.tag ? document.createElement(now.tag) : new Text());
    const [kept] = at < 0 ? [made()] : rest.splice(at, 1);
    if (now.tag) {
      setAttributes(kept, kept.was?.attributes || {}, now.attributes);
      fill(kept, now.children);
    } else if (kept.was !== now) kept.data = now;
    kept.was = now;
    if (kept === place) place = place.nextSibling;
    else parent.insertBefore(kept, place);
  }
  for (const gone of rest) gone.remove();
}

function setAttributes(element, was, now) {
  for (const name of Object.keys({ ...was, ...now })) {
    if (was[name] === now[name]) continue;
    if (name === "style") element.style.cssText = now.style || ""; // the page's policy forbids the attribute
    else if (now[name] === undefined) element.removeAttribute(name);
    else element.setAttribute(name, now[name]);
  }
}
