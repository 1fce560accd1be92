// The table's picture: what is lit in it, which place a tap means, and how it is enlarged.

import { h, paper } from "./dom.js";

const REACH = 30; // pixels within which a tap means the nearest lit place
const MOST = 4;
const CELL = 32; // a side of the cells that change
const zoom = { scale: 1, x: 0, y: 0 };
const fingers = new Map();
let moved = false;

export const enlarged = () => zoom.scale > 1.01;
const transform = () => `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`;
const percent = (part, whole) => `${((100 * part) / whole).toFixed(3)}%`;

/** Lay a picture on the canvas, or the cells that changed. */
export async function lay({ name, width, height, changed }) {
  const image = new Image();
  image.src = name ? `picture/${name}` : "";
  if (name) await image.decode();
  const pen = paper.getContext("2d", { willReadFrequently: true }); // in memory, not lost
  if (changed) changed.forEach((at, i) => pen.drawImage(image, 0, i * CELL, CELL, CELL, ...at, CELL, CELL));
  else {
    Object.assign(paper, { width, height });
    pen.drawImage(image, 0, 0);
  }
}

/** The picture with its lit places: zones and cards, each [name, class]. */
export function tablePicture({ width, height, ...where }, zones, cards, alt) {
  const spots = (all, places) => all.filter(([one]) => places[one]).map(([one, kind]) => {
    const [x, y, wide, high, angle = 0] = places[one];
    const style = `transform:rotate(${angle}deg);left:${percent(x, width)};top:${percent(y, height)};width:${percent(wide, width)};height:${percent(high, height)}`;
    return h("i.spot", { class: kind, style });
  });
  return h("div.frame", { class: enlarged() && "near", key: "frame", "data-frame": true, style: `width:min(100%,calc(var(--room)*${(width / height).toFixed(3)}))` },
    h("div", { style: `padding-top:${percent(height, width)}` }),
    h("div.paper", { style: `transform:${transform()}` },
      h("canvas", { role: "img", label: alt }), spots(zones, where.zones), spots(cards, where.cards)));
}

/** Zoom in, or show the whole table again. */
export function enlarge(frame) {
  zoomAt(enlarged() ? 1 : 2.2, frame.clientWidth / 2, frame.clientHeight / 2);
  hold(frame);
}

function zoomAt(scale, x, y) {
  const to = Math.max(1, Math.min(MOST, scale));
  zoom.x = x - ((x - zoom.x) * to) / zoom.scale;
  zoom.y = y - ((y - zoom.y) * to) / zoom.scale;
  zoom.scale = to;
}

/** Have the picture cover its frame. */
function hold(frame) {
  const within = (at, size) => Math.min(0, Math.max(size - size * zoom.scale, at));
  zoom.x = within(zoom.x, frame.clientWidth);
  zoom.y = within(zoom.y, frame.clientHeight);
  frame.classList.toggle("near", enlarged());
  frame.querySelector(".paper").style.transform = transform();
}

/** Follow the fingers on any picture of the screen; `tap` is called with a place in shares of it. */
export function follow(root, tap) {
  const on = (kind, then) => root.addEventListener(kind, (event) => {
    const frame = event.target.closest("[data-frame]");
    if (frame) then(event, frame, frame.getBoundingClientRect());
  });
  const within = (event, box) => [event.clientX - box.left, event.clientY - box.top];
  on("pointerdown", (event, frame, box) => {
    fingers.set(event.pointerId, within(event, box));
    moved = fingers.size > 1;
  });
  on("pointermove", (event, frame, box) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = within(event, box);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    if (Math.hypot(dx, dy) < 4 && !moved) return;
    moved = true;
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const apart = ([x, y]) => Math.hypot(x - other[0], y - other[1]);
      zoomAt((zoom.scale * apart(now)) / Math.max(apart(before), 1), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    } else if (enlarged()) {
      zoom.x += dx;
      zoom.y += dy;
    }
    fingers.set(event.pointerId, now);
    hold(frame);
  });
  for (const kind of ["pointerup", "pointercancel"]) root.addEventListener(kind, (event) => fingers.delete(event.pointerId));
  on("click", (event, frame) => {
    const paper = frame.querySelector(".paper").getBoundingClientRect();
    const [x, y] = within(event, paper);
    if (!moved) tap(x / paper.width, y / paper.height, REACH / paper.width);
  });
}

/** Of these places of a picture the one that a point means: the nearest within reach. */
export function nearest({ width, height }, places, x, y, reach) {
  let best = null;
  let least = reach;
  for (const [name, box] of places) {
    if (!box) continue;
    const [left, top, wide, high] = box;
    const [dx, dy] = [x * width - left - wide / 2, y * height - top - high / 2].map(Math.abs); // from its middle
    const away = (Math.hypot(Math.max(0, dx - wide / 2), Math.max(0, dy - high / 2)) + 1e-4 * Math.hypot(dx, dy)) / width;
    if (away <= least) [best, least] = [name, away];
  }
  return best;
}
