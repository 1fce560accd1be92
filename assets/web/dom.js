// Elements made of plain values, and an old tree made equal to a new one.
// Whole screens are described afresh at every change; what stays is kept, and with it focus,
// scroll, what is typed and pictures. Text is only ever text: nothing is parsed.

const SHORT = { does: "data-do", with: "data-id", key: "data-key", label: "aria-label", pressed: "aria-pressed" };

/** What there is among children: nested lists of them, in which `cond && h(...)` may have left nothing. */
const present = (children) => children.flat(9).filter(Boolean);

/** An element: h("button.card.lit", { does: "tap", with: 3 }, "text", [more]); its values may be left out. */
export function h(name, ...children) {
  const given = children[0]?.constructor === Object ? children.shift() : {};
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  if (tag === "button") made.type = "button";
  for (const [short, value] of Object.entries(given)) {
    const key = SHORT[short] || short;
    if (value === null || value === undefined || (value === false && !key.startsWith("aria-"))) continue;
    if (key === "class") classes.push(value);
    else if (key === "src") made.source = value; // fetched once it is on the screen: most are only compared
    else if (key === "style") for (const [k, v] of Object.entries(value)) made.style.setProperty(k, v);
    else made.setAttribute(key, typeof value === "object" ? JSON.stringify(value) : value);
  }
  made.className = classes.join(" ");
  made.append(...present(children));
  return made;
}

/** Make the children of `old` equal to these nodes: each stays that has the same tag and key. */
export function fill(old, nodes) {
  const rest = [...old.childNodes];
  let place = old.firstChild;
  for (const child of present(nodes)) {
    const fresh = child instanceof Node ? child : document.createTextNode(child);
    const at = rest.findIndex((one) => one.nodeName === fresh.nodeName && one.dataset?.key === fresh.dataset?.key);
    const [kept] = at < 0 ? [fresh] : rest.splice(at, 1);
    if (kept === place) place = place.nextSibling;
    else old.insertBefore(kept, place);
    if (kept === fresh) load(kept);
    else morph(kept, fresh);
  }
  for (const gone of rest) gone.remove();
}

function load(node) {
  const inside = node.querySelectorAll ? node.querySelectorAll("img") : [];
  for (const image of [node, ...inside]) if (image.source) image.src = image.source;
}

function morph(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
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
  fill(old, [...fresh.childNodes]);
}
