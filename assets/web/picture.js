// The table's picture: what is lit in it, which place a tap means, and how it is enlarged.

import { h } from "./dom.js";

const REACH = 30; // a tap means the nearest lit place within so many pixels
const MOST = 4;
const zoom = { scale: 1, x: 0, y: 0 };
const fingers = new Map();
let moved = false;

const percent = (part, whole) => `${((100 * part) / whole).toFixed(3)}%`;

/** The picture with its lit places; `marks` are [name, class] of zones, `cards` of cards. */
export function tablePicture(picture, marks, cards, label) {
  const { width: w, height: t } = picture;
  const spot = ([x, y, wide, high], kind, key) =>
    h("i.spot", { class: kind, "data-key": key, style: { left: percent(x, w), top: percent(y, t), width: percent(wide, w), height: percent(high, t) } });
  const lit = marks.map(([zone, kind]) => picture.zones[zone] && spot(picture.zones[zone], kind, `z${zone}`));
  const held = cards.map(([card, kind]) => picture.cards[card] && spot(picture.cards[card], kind, `c${card}`));
  return h(
    "div.frame", { class: enlarged() ? "near" : "", "data-key": "frame", "data-frame": true, style: { "aspect-ratio": `${w} / ${t}`, "--shape": w / t } },
    h("div.paper", { "data-paper": true, style: { transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` } },
      h("img", { src: `/picture/${picture.name}`, alt: label, width: w, height: t, draggable: "false" }), lit, held),
  );
}

export const enlarged = () => zoom.scale > 1.01;

/** Nearer, or the whole table again. */
export function enlarge(frame) {
  if (enlarged()) Object.assign(zoom, { scale: 1, x: 0, y: 0 });
  else zoomAt(frame, 2.2, frame.clientWidth / 2, frame.clientHeight / 2);
  draw(frame);
}

function zoomAt(frame, scale, x, y) {
  const to = Math.max(1, Math.min(MOST, scale));
  zoom.x = x - ((x - zoom.x) * to) / zoom.scale;
  zoom.y = y - ((y - zoom.y) * to) / zoom.scale;
  zoom.scale = to;
  hold(frame);
}

/** The picture covers its frame. */
function hold(frame) {
  const { clientWidth: w, clientHeight: t } = frame;
  zoom.x = Math.min(0, Math.max(w - w * zoom.scale, zoom.x));
  zoom.y = Math.min(0, Math.max(t - t * zoom.scale, zoom.y));
}

function draw(frame) {
  frame.classList.toggle("near", enlarged());
  frame.querySelector("[data-paper]").style.transform = `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`;
}

/** Follow the fingers on any picture of the screen; `tap` is told of a place in shares of it. */
export function follow(root, tap) {
  const frameOf = (event) => event.target.closest && event.target.closest("[data-frame]");
  const at = (frame, event) => {
    const box = frame.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  root.addEventListener("pointerdown", (event) => {
    const frame = frameOf(event);
    if (!frame) return;
    fingers.set(event.pointerId, at(frame, event));
    moved = fingers.size > 1;
  });
  root.addEventListener("pointermove", (event) => {
    const frame = frameOf(event);
    const before = fingers.get(event.pointerId);
    if (!frame || !before) return;
    const now = at(frame, event);
    if (Math.hypot(now[0] - before[0], now[1] - before[1]) < 4 && !moved) return;
    moved = true;
    const other = [...fingers].find(([id]) => id !== event.pointerId);
    if (other) {
      const [ox, oy] = other[1];
      const was = Math.hypot(before[0] - ox, before[1] - oy);
      const is = Math.hypot(now[0] - ox, now[1] - oy);
      zoomAt(frame, (zoom.scale * is) / Math.max(was, 1), (now[0] + ox) / 2, (now[1] + oy) / 2);
    } else if (enlarged()) {
      zoom.x += now[0] - before[0];
      zoom.y += now[1] - before[1];
      hold(frame);
    }
    fingers.set(event.pointerId, now);
    draw(frame);
  });
  const end = (event) => fingers.delete(event.pointerId);
  for (const kind of ["pointerup", "pointercancel"]) root.addEventListener(kind, end);
  root.addEventListener("click", (event) => {
    const frame = frameOf(event);
    if (!frame || moved) return;
    const paper = frame.querySelector("[data-paper]").getBoundingClientRect();
    tap((event.clientX - paper.left) / paper.width, (event.clientY - paper.top) / paper.height, REACH / paper.width);
  });
}

/** Of these places of a picture the one that a point means: that lies nearest, within reach. */
export function nearest(picture, places, x, y, reach) {
  const { width: w, height: t } = picture;
  let best = null;
  let least = reach;
  for (const [name, box] of places) {
    if (!box) continue;
    const [left, top, wide, high] = box;
    const dx = Math.max(left - x * w, 0, x * w - left - wide) / w;
    const dy = (Math.max(top - y * t, 0, y * t - top - high) / t) * (t / w);
    const inside = Math.hypot(dx, dy);
    const away = inside + 1e-4 * Math.hypot((left + wide / 2) / w - x, (top + high / 2) / t - y);
    if (away <= least) [best, least] = [name, away];
  }
  return best;
}
