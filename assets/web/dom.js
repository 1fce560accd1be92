// Elements made of plain values, and an old tree made equal to a new one.
// Whole screens are described afresh at every change; `morph` keeps what stays, so that focus,
// scroll, what is typed and pictures stay as well. Text is only ever text: nothing is parsed.

/** What there is among children: nested lists of them, in which `cond && h(...)` may have left nothing. */
const present = (children) => children.flat(9).filter((one) => one !== null && one !== undefined && one !== false && one !== "");

/** An element: h("button.card.lit", {"data-do": "tap", style: {...}}, "text", [more]). */
export function h(name, given = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(given)) {
    if (value === false || value === null || value === undefined) continue;
    if (key === "src") made.source = value; // fetched once it is on the screen: most are only compared
    else if (key === "style") for (const [k, v] of Object.entries(value)) made.style.setProperty(k, v);
    else if (key === "class") made.className = [...classes, value].join(" ").trim();
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...present(children));
  return made;
}

/** The element of a key, else the next one of the same tag that has no key. */
function twin(fresh, rest, keyed) {
  if (fresh.nodeType !== 1) return rest.find((one) => one.nodeType === fresh.nodeType);
  const key = fresh.getAttribute("data-key");
  if (key) return keyed.get(key);
  return rest.find((o) => o.nodeType === 1 && o.tagName === fresh.tagName && !o.hasAttribute("data-key"));
}

/** Make the children of `old` equal to these nodes; what is not there among them is left out, as by `h`. */
export function fill(old, nodes) {
  const rest = [...old.childNodes];
  const keyed = new Map();
  for (const one of rest) {
    const key = one.nodeType === 1 && one.getAttribute("data-key");
    if (key) keyed.set(key, one);
  }
  let place = old.firstChild;
  for (const fresh of present(nodes)) {
    const node = fresh instanceof Node ? fresh : document.createTextNode(fresh);
    const found = twin(node, rest, keyed);
    const same = found && found.nodeName === node.nodeName && rest.includes(found);
    if (same) {
      rest.splice(rest.indexOf(found), 1);
      morph(found, node);
    }
    const kept = same ? found : node;
    if (kept === place) place = place.nextSibling;
    else old.insertBefore(kept, place);
    if (!same) load(kept);
  }
  for (const gone of rest) gone.remove();
}

function load(node) {
  if (node.source) node.src = node.source;
  else if (node.nodeType === 1) for (const image of node.querySelectorAll("img")) image.src = image.source;
}

function morph(old, fresh) {
  if (old.nodeType !== 1) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (name !== "style" && name !== "src" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old.source !== fresh.source) old.src = old.source = fresh.source;
  if (old.style.cssText !== fresh.style.cssText) old.style.cssText = fresh.style.cssText;
  if (!old.hasAttribute("data-own")) fill(old, [...fresh.childNodes]);
}
