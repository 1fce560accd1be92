// From taps to a move, by the offers of the page alone: no rules, nothing on the screen.
//
// A `pick` is what a person has done so far: {card, way, target, path} on the way of one card (or of
// none), {spots, turns, held} or {chosen} while cards are put together. `standing` tells what that
// comes to.

const EMPTY = -2; // a spot without a card, in a move that is only begun

const THERE = "there"; // as an action: whatever needs no card and goes to the place that was tapped

export const nothing = () => ({ card: null, action: null, way: null, target: null, path: [], gathering: 0, chosen: [], spots: [], turns: {}, held: null });

/** The gathering that is being filled, if any. */
export function gathered(page, pick) {
  const all = page.gatherings || [];
  return all[Math.min(pick.gathering, all.length - 1)] || null;
}

/** What is left of a pick on a new page: what still can be done is kept. */
export function renewed(page, pick) {
  const fresh = nothing();
  const g = gathered(page, pick);
  if (g) {
    fresh.gathering = pick.gathering;
    fresh.chosen = pick.chosen.filter((card) => g.cards.includes(card));
    fresh.turns = pick.turns;
    if (g.spots && g.spots.length === pick.spots.length) {
      fresh.spots = pick.spots.map((card) => (g.cards.includes(card) ? card : null));
    }
  }
  const ways = pick.card === null ? null : waysOf(page, pick.card);
  if (ways && ways.length) {
    fresh.card = pick.card;
    if (ways.some((way) => (way.target || "") === pick.target)) fresh.target = pick.target;
  }
  return fresh;
}

export const waysOf = (page, card) => (page.cards && page.cards[card] && page.cards[card].ways) || [];

/** The ways that are weighed now: of the card that is taken up, or of the action that is begun. */
function candidates(page, pick) {
  if (pick.card !== null) return waysOf(page, pick.card);
  if (pick.action === null) return [];
  return (page.actions || []).filter((way, i) => (pick.action === THERE ? way.target : i === pick.action));
}

/** A card is tapped; gives the new pick, or null where nothing can be done with the card. */
export function tapped(page, pick, card) {
  const g = gathered(page, pick);
  const mine = g && g.cards.includes(card);
  const ways = waysOf(page, card);
  if (!mine && !ways.length) return null;
  const next = { ...nothing(), gathering: pick.gathering, chosen: pick.chosen, spots: pick.spots, turns: pick.turns };
  if (mine && g.spots && g.spots.length) return put(g, next, card, pick.held);
  if (mine) next.chosen = toggled(g, pick.chosen, card);
  if (ways.length && (!mine || next.chosen.includes(card))) {
    next.card = pick.card === card && !mine ? null : card;
    settle(page, next);
  }
  return next;
}

/** Where only one place or one way is left, it is taken. */
function settle(page, pick) {
  const ways = candidates(page, pick);
  const targets = [...new Set(ways.map((way) => way.target || ""))];
  if (pick.target === null && targets.length === 1) pick.target = targets[0];
}

function toggled(g, chosen, card) {
  if (chosen.includes(card)) return chosen.filter((one) => one !== card);
  if (g.most === 1) return [card];
  return chosen.length < g.most ? [...chosen, card] : chosen;
}

/** Put a card into the spot that is held, else into the first free one; one that lies is held. */
function put(g, pick, card, held) {
  const spots = g.spots.map((_, i) => (pick.spots[i] === undefined ? null : pick.spots[i]));
  const at = spots.indexOf(card);
  if (at >= 0 && held === null) return { ...pick, spots, held: at };
  if (at >= 0 && held === at) return { ...pick, spots, held: null };
  const to = held !== null ? held : spots.indexOf(null);
  if (to < 0) return { ...pick, spots };
  if (at >= 0) spots[at] = spots[to];
  spots[to] = card;
  return { ...pick, spots: closed(g, spots), held: null };
}

/** Within a zone that has several spots, the free ones are the last. */
function closed(g, spots) {
  const result = [...spots];
  for (const zone of new Set(g.spots)) {
    const here = g.spots.map((name, i) => (name === zone ? i : -1)).filter((i) => i >= 0);
    const cards = here.map((i) => spots[i]).filter((card) => card !== null);
    here.forEach((i, place) => (result[i] = place < cards.length ? cards[place] : null));
  }
  return result;
}

/** A spot is tapped: it is the one to be filled next, or what lies there is held or let go. */
export function spotTapped(page, pick, i) {
  const g = gathered(page, pick);
  const spots = g.spots.map((_, k) => (pick.spots[k] === undefined ? null : pick.spots[k]));
  if (pick.held === null || pick.held === i) return { ...pick, spots, held: pick.held === i ? null : i };
  const from = spots[pick.held];
  if (from === null) return { ...pick, spots, held: i };
  spots[pick.held] = spots[i];
  spots[i] = from;
  return { ...pick, spots: closed(g, spots), held: null };
}

/** Take what is held back from its spot. */
export function taken(page, pick) {
  const spots = [...pick.spots];
  if (pick.held !== null) spots[pick.held] = null;
  return { ...pick, spots: closed(gathered(page, pick), spots), held: null };
}

/** Turn what is held the next way round. */
export function turned(pick) {
  const card = pick.spots[pick.held];
  return { ...pick, turns: { ...pick.turns, [card]: (pick.turns[card] || 0) + 1 } };
}

const signsAt = (g, i) => (g.signs && g.signs[i] ? [...g.signs[i]] : []);

/** The sign by which the card at a spot lies. */
export function signAt(g, pick, i) {
  const signs = signsAt(g, i);
  const card = pick.spots[i];
  return signs.length ? signs[((card != null && pick.turns[card]) || 0) % signs.length] : "";
}

export const turns = (g, i) => signsAt(g, i).length > 1;

/** Where a pick stands:
 *  lit: the places that may be tapped; options: what else is to be chosen from, one of them at a time;
 *  move: what can be sent, or null; begun: what can be weighed though it is not whole; ways: those left. */
export function standing(page, pick) {
  const g = gathered(page, pick);
  const found = { lit: [], ask: "", options: [], move: null, begun: null, sentence: "", gathering: g, odds: "" };
  if (pick.card !== null || pick.action !== null) walk(page, pick, found);
  else free(page, found);
  if (g && !found.move) gather(page, g, pick, found);
  return found;
}

/** Nothing is taken up: places that need no card are lit. */
function free(page, found) {
  found.lit = [...new Set((page.actions || []).map((way) => way.target || "").filter(Boolean))];
}

function walk(page, pick, found) {
  let ways = candidates(page, pick);
  const targets = [...new Set(ways.map((way) => way.target || ""))];
  if (targets.some(Boolean)) found.lit = targets.filter(Boolean);
  if (pick.action === THERE && pick.target === null) return;
  if (pick.target === null && targets.length > 1) {
    found.ask = "place";
    found.options = targets.map((target) => {
      const there = ways.filter((way) => (way.target || "") === target);
      const label = target ? (page.places || {})[target] || there[0].sentence : there[0].sentence;
      return { does: "target", value: target, label, odds: there.length === 1 ? there[0].odds : "" };
    });
    return;
  }
  const target = pick.target === null ? targets[0] : pick.target;
  ways = ways.filter((way) => (way.target || "") === target);
  if (ways.length > 1 && pick.way === null) {
    found.ask = "way";
    found.options = ways.flatMap((way, i) =>
      (way.choices || []).length
        ? way.choices.map((one) => ({ does: "way", value: { way: i, path: [one.choice || ""] }, label: one.sentence || one.label, odds: one.odds }))
        : [{ does: "way", value: { way: i, path: [] }, label: way.sentence, odds: way.odds }]);
    return;
  }
  const way = ways[ways.length > 1 ? pick.way : 0];
  if (way) choose(way, pick.card !== null ? [pick.card] : [], pick, found);
}

/** The choices of a way: one after the other, where one leads to further ones. */
function choose(way, cards, pick, found) {
  let choices = way.choices || [];
  let last = null;
  let depth = 0;
  for (const value of pick.path) {
    const one = choices.find((choice) => (choice.choice || "") === value);
    if (!one) break;
    last = one;
    depth += 1;
    if (!(one.further || []).length) break;
    choices = one.further;
  }
  if (!last && choices.length === 1 && !(choices[0].further || []).length) last = choices[0];
  if ((way.choices || []).length) {
    const whole = last && !(last.further || []).length;
    const path = whole ? pick.path.slice(0, depth - 1) : pick.path.slice(0, depth);
    found.ask = "choice";
    found.options = choices.map((one) => ({
      does: "choice", value: [...path, one.choice || ""], label: one.label || one.sentence, angle: one.angle, odds: one.odds,
      on: whole && (one.choice || "") === (last.choice || ""),
    }));
    if (!whole) return;
  }
  found.sentence = (last && last.sentence) || way.sentence || "";
  found.odds = (last && last.odds) || way.odds || "";
  found.move = { ask: way.ask || 0, verb: way.verb, cards, target: way.target || "", choice: (last && last.choice) || "" };
}

/** Cards that are put together. */
function gather(page, g, pick, found) {
  const base = { ask: g.ask || 0, verb: g.verb, target: "", choice: "" };
  const least = g.least || 0;
  if (g.spots && g.spots.length) {
    const spots = g.spots.map((_, i) => (pick.spots[i] === undefined ? null : pick.spots[i]));
    const count = spots.filter((card) => card !== null).length;
    const whole = spots.slice(0, count).every((card) => card !== null);
    const choice = g.signs && g.signs.length ? g.spots.map((_, i) => signAt(g, pick, i)).join("") : "";
    if (count) found.begun = { ...base, cards: spots.map((card) => (card === null ? EMPTY : card)), choice };
    if (whole && count && count >= least && count <= g.most) {
      found.move = { ...base, cards: spots.filter((card) => card !== null), choice };
    }
    return;
  }
  const cards = g.cards.filter((card) => pick.chosen.includes(card));
  if (!cards.length || cards.length < least || cards.length > g.most) return;
  const way = { ...base, target: "", choices: g.choices || [], sentence: g.label };
  const targets = g.targets || [];
  if (targets.length > 1 && pick.target === null) {
    found.ask = "place";
    found.lit = targets;
    found.options = targets.map((t) => ({ does: "target", value: t, label: (page.places || {})[t] || t }));
    return;
  }
  way.target = targets.length ? pick.target || targets[0] : "";
  choose(way, cards, pick, found);
  if (found.move) found.sentence = "";
}

/** A place in the picture is tapped; gives the new pick, or null. */
export function placeTapped(page, pick, target) {
  const { lit } = standing(page, pick);
  if (!lit.includes(target)) return null;
  if (pick.card !== null || pick.chosen.length) {
    return { ...pick, target: pick.target === target ? null : target, way: null, path: [] };
  }
  return { ...nothing(), spots: pick.spots, turns: pick.turns, action: THERE, target };
}
