// From taps to a move, by the steps of the page alone: no rules, nothing on the screen.
//
// A `pick` is what a person has done so far: a card or an action, and the `path` of what was chosen
// for it; or the cards that are put together, as the gateway said last (`PutTogether`). `standing`
// tells what that comes to.

const THERE = "there"; // as an action: whatever needs no card and goes to the place that was tapped

export const nothing = () => ({
  card: null, action: null, path: [],
  at: 0, chosen: [], spots: [], signs: "", turns: {}, held: null, turnable: false, step: null, begun: null,
});

/** Whether cards are being put together. */
export const together = ({ chosen, spots }) => chosen.length > 0 || spots.some((card) => card !== null);

export const untouched = (pick) => pick.card === null && pick.action === null && !together(pick);

/** What a card alone may do, as the first of its steps. */
export const stepOf = (page, card) => page.cards[card]?.step;

/** What is left of a pick on a new page; of cards that are put together only the gateway knows. */
export const renewed = (page, pick) => ({
  ...pick, action: null, step: null, begun: null,
  ...(!stepOf(page, pick.card) && { card: null, path: [] }),
});

/** A card that is not put together with others is tapped; null where nothing can be done with it. */
export const tapped = (page, pick, card) =>
  stepOf(page, card) ? { ...pick, card: pick.card === card ? null : card, action: null, path: [] } : null;

/** Go as far as the path leads, and on where there is but one step. */
function walk(step, path, found) {
  const gone = [];
  let at = step;
  while (at.steps.length) {
    if (at.asks === "place") found.lit = at.steps.map((one) => one.place).filter(Boolean);
    const only = at.steps.length === 1 ? at.steps[0] : null;
    const next = at.steps.find((one) => one.value === path[gone.length]) || only;
    if (!only) {
      found.asks = at.asks;
      found.prompt = at.prompt;
      found.options = at.steps.map((one) => ({ ...one, path: [...gone, one.value], on: one === next }));
    }
    if (!next) return;
    gone.push(next.value);
    found.place = next.place || found.place;
    at = next;
  }
  Object.assign(found, { move: at.move, sentence: at.sentence, odds: at.odds });
}

/** The state of a pick:
 *  lit: the places that may be tapped, and the one that was; asks, options: what is to be chosen now;
 *  prompt: the question, where it is another one than the page's;
 *  move: what can be sent, or null; begun: an unfinished move that can be previewed. */
export function standing(page, pick) {
  const gathering = page.gatherings[pick.at] || page.gatherings[0];
  const found = { lit: [], place: "", asks: "", prompt: "", options: [], move: null, begun: pick.begun, sentence: "", odds: "", gathering };
  const step = pick.action === THERE ? page.there : pick.card !== null ? stepOf(page, pick.card) : page.actions[pick.action];
  if (step) walk(step, pick.path, found);
  else if (page.there) found.lit = page.there.steps.map((one) => one.place);
  if (pick.step && !found.move) walk(pick.step, pick.path, found);
  return found;
}

/** What taps make of a pick, by what they do. */
export const picks = {
  cancel: nothing,
  step: (page, pick, path) => ({ ...pick, path: JSON.parse(path) }),
  there(page, pick, place) {
    const { lit, place: before } = standing(page, pick);
    if (!lit.includes(place)) return pick;
    const action = pick.card === null && !together(pick) ? THERE : null;
    return { ...pick, action, path: place === before ? [] : [place] };
  },
};
