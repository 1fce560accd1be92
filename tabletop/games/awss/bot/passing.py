"""Where the cards lie that a seat has seen in its hands and passed on."""

from collections.abc import Sequence

from tabletop.engine.instinct import Past
from tabletop.engine.mask import known
from tabletop.engine.model import AUDIENCE, State, as_number
from tabletop.games.awss.places import DIRECTION, HAND, OLDER, PICKED, PICKS


def passed_on(value: Sequence[float], view: State, past: Past) -> dict[int, str]:
    """Where the cards are likely to be that this seat has passed on.

    Whoever held the hand since has taken one card of it, most likely the best one.
    """
    viewer = view.viewer if view.viewer is not None else AUDIENCE
    year, now = as_number(view.values["year"]), as_number(view.values["round"])
    drafting = view.values["phase"] == "draft"
    seen = known(view, viewer)
    where: dict[int, str] = {}
    for earlier in past.seen:
        if earlier.values["phase"] != "draft":
            continue
        then, passed = as_number(earlier.values["year"]), as_number(earlier.values["round"])
        still = then == year and drafting
        steps = (now if still else PICKS) - passed
        holders = [(viewer + step * DIRECTION[then]) % view.seats for step in range(1, steps + 1)]
        if not holders or (still and viewer in holders):
            continue  # this very hand is seen
        left = [card for card in earlier.cards[HAND[viewer]] if card not in seen]
        left.sort(key=lambda card: -value[card])
        takers = holders[:-1] if still else [holder for holder in holders if holder != viewer]
        taken = PICKED if then == year else OLDER
        where.update((card, taken[seat]) for card, seat in zip(left, takers, strict=False))
        if still:
            where.update((card, HAND[holders[-1]]) for card in left[len(takers) :])
    return where
