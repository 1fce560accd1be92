// From taps to a move, by the offers of the page alone: no rules, nothing on the screen.
//
// A `pick` is what a person has done so far: a card or an action, and the `path` of what was chosen
// for it; or the cards that are put together, `chosen` or laid into `spots`, with `turns` of a card
// and the spot that is `held`. `standing` tells what that comes to.

const EMPTY = -2; // a spot without a card, in a move that is only begun
const THERE = "there"; // as an action: whatever needs no card and goes to the place that was tapped

export const nothing = () => ({ card: null, action: null, path: [], chosen: [], spots: [], turns: {}, held: null });

export const untouched = (pick) =>
  pick.card === null && pick.action === null && !pick.chosen.length && pick.spots.every((card) => card === null);

/** The cards that are to be put together, if any are: those that what is picked belongs to. */
const gathered = (page, { chosen, spots }) =>
  page.gatherings.find((g) => [...chosen, ...spots].every((card) => card === null || g.cards.includes(card))) || page.gatherings[0];

/** What a card alone may do, as the first of its steps. */
export const stepOf = (page, card) => page.cards[card]?.step;

/** What is left of a pick on a new page: what still can be done is kept. */
export function renewed(page, pick) {
  const g = gathered(page, pick);
  const cards = g?.cards || [];
  const spots = pick.spots.length === g?.spots.length ? pick.spots : [];
  return {
    ...nothing(),
    ...(stepOf(page, pick.card) && { card: pick.card, path: pick.path }),
    chosen: pick.chosen.filter((card) => cards.includes(card)),
    spots: spots.map((card) => (cards.includes(card) ? card : null)),
    turns: pick.turns,
  };
}

/** A card is tapped; gives the new pick, or null where nothing can be done with the card. */
export function tapped(page, pick, card) {
  const before = gathered(page, pick);
  const g = before?.cards.includes(card) ? before : page.gatherings.find((one) => one.cards.includes(card));
  const step = stepOf(page, card);
  if (!g && !step) return null;
  const fresh = { ...(g && g !== before ? nothing() : pick), card: null, action: null, path: [] };
  if (g?.spots.length) return put(g, fresh, card);
  const chosen = g ? toggled(g, fresh.chosen, card) : fresh.chosen;
  const up = step && (g ? chosen.includes(card) : pick.card !== card);
  return { ...fresh, chosen, card: up ? card : null };
}

function toggled(g, chosen, card) {
  if (chosen.includes(card)) return chosen.filter((one) => one !== card);
  if (g.most === 1) return [card];
  return chosen.length < g.most ? [...chosen, card] : chosen;
}

// Spots

/** What lies in each spot. */
const lying = (g, pick) => g.spots.map((_, i) => pick.spots[i] ?? null);

/** Within a zone that has several spots, the free ones are the last. */
function closed(g, spots) {
  const cards = {};
  g.spots.forEach((name, i) => spots[i] !== null && (cards[name] ??= []).push(spots[i]));
  return g.spots.map((name) => cards[name]?.shift() ?? null);
}

const laid = (g, pick, spots) => ({ ...pick, spots: closed(g, spots), held: null });

/** Put a card into the spot that is held, else into the first free one; one that lies is held. */
function put(g, pick, card) {
  const spots = lying(g, pick);
  if (spots.includes(card)) return moved(g, pick, spots.indexOf(card));
  const to = pick.held ?? spots.indexOf(null);
  if (to < 0) return pick;
  spots[to] = card;
  return laid(g, pick, spots);
}

/** A spot is held or let go, or changes places with the one that is held. */
function moved(g, pick, i) {
  const spots = lying(g, pick);
  const { held } = pick;
  if (held === null || spots[held] === spots[i]) return { ...pick, spots, held: held === i ? null : i };
  [spots[held], spots[i]] = [spots[i], spots[held]];
  return laid(g, pick, spots);
}

/** The sign by which the card at a spot lies. */
export function signAt(g, { turns, spots }, i) {
  const signs = g.signs[i] || "";
  return signs[(turns[spots[i]] || 0) % signs.length] || "";
}

// Steps: what is chosen one after the other, from a card to a move

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
      found.options = at.steps.map((one) => ({ ...one, path: [...gone, one.value], on: one === next }));
    }
    if (!next) return;
    gone.push(next.value);
    found.place = next.place || found.place;
    at = next;
  }
  Object.assign(found, { move: at.move, sentence: at.sentence, odds: at.odds });
}

/** Where a pick stands:
 *  lit: the places that may be tapped, and the one that was; asks, options: what is to be chosen now;
 *  move: what can be sent, or null; begun: what can be weighed though it is not whole. */
export function standing(page, pick) {
  const g = gathered(page, pick);
  const found = { lit: [], place: "", asks: "", options: [], move: null, begun: null, sentence: "", odds: "", gathering: g };
  const step = pick.action === THERE ? page.there : pick.card !== null ? stepOf(page, pick.card) : page.actions[pick.action];
  if (step) walk(step, pick.path, found);
  else if (page.there) found.lit = page.there.steps.map((one) => one.place);
  if (g && !found.move) gather(page, g, pick, found);
  return found;
}

/** Cards that are put together. */
function gather(page, g, pick, found) {
  const fits = (count) => count > 0 && count >= g.least && count <= g.most;
  if (!g.spots.length) {
    const cards = g.cards.filter((card) => pick.chosen.includes(card));
    if (fits(cards.length)) walk(g.step, pick.path, found);
    if (found.move) found.move = { ...found.move, cards };
    found.sentence = "";
    return;
  }
  const spots = lying(g, pick);
  const cards = spots.filter((card) => card !== null);
  const choice = g.spots.map((_, i) => signAt(g, pick, i)).join("");
  const move = { ask: g.ask, verb: g.verb, target: "", choice };
  if (cards.length) found.begun = { ...move, cards: spots.map((card) => card ?? EMPTY) };
  const gapless = spots.every((card, i) => (card !== null) === i < cards.length);
  if (gapless && fits(cards.length)) found.move = { ...move, cards };
}

/** What taps make of a pick, by what they do. */
export const picks = {
  cancel: nothing,
  step: (page, pick, path) => ({ ...pick, path: JSON.parse(path) }),
  spot: (page, pick, i) => moved(gathered(page, pick), pick, Number(i)),
  take: (page, pick) => laid(gathered(page, pick), pick, pick.spots.map((card, i) => (i === pick.held ? null : card))),
  turn(page, pick) {
    const card = pick.spots[pick.held];
    return { ...pick, turns: { ...pick.turns, [card]: (pick.turns[card] || 0) + 1 } };
  },
  there(page, pick, place) {
    const { lit, place: before } = standing(page, pick);
    if (!lit.includes(place)) return pick;
    const action = pick.card === null && !pick.chosen.length ? THERE : null;
    return { ...pick, action, path: place === before ? [] : [place] };
  },
};
