// A hand in the order into which its player drags it.

const FAR = 10; // pixels a finger moves before its card

/** The cards in this order; those that are not in it come last. */
export function sorted(cards, order = []) {
  const place = (card) => (order.includes(card) ? order.indexOf(card) : order.length);
  return [...cards].sort((one, other) => place(one) - place(other)); // cards of equal place keep their order
}

/** Whether the middle of a card comes after another one: below it, or right of it in its row. */
function isAfter(x, y, other) {
  const { left, right, top, bottom } = other.getBoundingClientRect();
  return y > bottom || (y >= top && x > (left + right) / 2);
}

/** Follow the fingers on cards of hands; `begun` is called as a card is dragged, `moved` with the name of
 *  its zone and the cards there in their new order. */
export function sortByDrag(root, begun, moved) {
  let drag = null; // the card under the finger, where that came down, and whether it goes along
  const end = () => {
    if (drag?.goes) drag.card.style.transform = "";
    drag = null;
  };
  root.addEventListener("pointerdown", (event) => {
    const card = event.target.closest("[data-sorts] .card");
    end();
    if (card && event.isPrimary && !event.button) drag = { card, x: event.clientX, y: event.clientY, goes: false };
  });
  root.addEventListener("pointermove", (event) => {
    if (!drag || !event.isPrimary) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.goes) {
      if (Math.hypot(dx, dy) < FAR) return;
      drag.goes = true;
      root.setPointerCapture(event.pointerId); // what is under the finger is not tapped
      begun();
    }
    drag.card.style.transform = `translate(${dx}px, ${dy}px)`;
  });
  root.addEventListener("pointerup", () => {
    const { card, goes } = drag || {};
    const zone = goes && card.isConnected ? card.closest("[data-sorts]") : null;
    if (zone) {
      const { left, right, top, bottom } = card.getBoundingClientRect();
      const others = [...zone.querySelectorAll(".card")].filter((one) => one !== card);
      const at = others.filter((one) => isAfter((left + right) / 2, (top + bottom) / 2, one)).length;
      others.splice(at, 0, card);
      moved(zone.dataset.sorts, others.map((one) => Number(one.dataset.id)));
    }
    end();
  });
  root.addEventListener("pointercancel", end);
}
