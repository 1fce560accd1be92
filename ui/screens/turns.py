"""Who must look at the screen next, when several share one computer, and what hides from whom.

No Qt here, no rules, and no whole table: only who is a person here, which questions are open, and
what the views of those people differ in.
"""

from collections.abc import Mapping, Sequence

from tabletop.engine.model import AUDIENCE, Ask, Move, Offer, State
from tabletop.match import Player

PASS = "pass"
"""The verb of an answer that lets a chance to react go by."""


def persons(players: Sequence[Player]) -> tuple[int, ...]:
    """The seats of people at this computer."""
    return tuple(seat for seat, player in enumerate(players) if player.kind == "person")


def waiting(state: State) -> tuple[int, ...]:
    """The seats that must answer now, in seat order; who may answer but need not comes not."""
    asked = {a.seat for a in state.asks if not a.optional and a.id not in state.answers}
    return tuple(sorted(asked))


def window(
    view: State, people: Sequence[int], offers: Mapping[int, Sequence[Offer]]
) -> tuple[Ask, ...]:
    """What several people here are asked at once whether they react, in seat order; else nothing.

    Such questions are sealed and may all be passed. Those already answered are left out, but count:
    the last one is asked in the same way as the first. Nothing here depends on what anybody holds.
    """
    asked = [ask for ask in view.asks if ask.sealed and ask.seat in people]
    left = tuple(ask for ask in asked if ask.id not in view.answers)
    if len({ask.seat for ask in asked}) < 2 or not all(
        any(offer.admits(Move(ask.id, PASS)) for offer in offers.get(ask.id, ())) for ask in left
    ):
        return ()
    return tuple(sorted(left, key=lambda ask: ask.seat))


def next_viewer(
    view: State,
    people: Sequence[int],
    looking: int,
    reacting: Sequence[int] = (),
    called: int | None = None,
) -> int:
    """Whose view the screen must show now, given whose it shows; `people` are the seats here.

    With one person here it is always that person's, with none the audience's. Otherwise it stays
    with who looks until another person here must answer, and then goes round the table; the end
    belongs to everybody. While several are asked whether they react (`reacting`), everybody looks
    at the open table, until one of them is called.
    """
    if len(people) < 2:
        return people[0] if people else AUDIENCE
    if view.result is not None:
        return AUDIENCE
    if reacting:
        return called if called is not None and called in reacting else AUDIENCE
    asked = [seat for seat in waiting(view) if seat in people]
    if not asked or looking in asked:
        return looking
    start = max(looking, 0)
    return min(asked, key=lambda seat: (seat - start) % view.seats)


def differ(one: State, other: State) -> bool:
    """Whether either of two viewers knows anything that the other does not."""
    return one.cards != other.cards or one.answers != other.answers


def needs_curtain(views: Mapping[int, State], looking: int, following: int) -> bool:
    """Whether the screen must be covered before it changes from one viewer to another.

    `views` are those of all people here. The audience's view hides everything that hides from
    anybody, so it needs no curtain. A seat's does where any other person at this computer may see
    less of it, whoever looked before.
    """
    if following in (AUDIENCE, looking):
        return False
    mine = views[following]
    return any(differ(mine, view) for seat, view in views.items() if seat != following)


def bots_waiting(state: State, players: Sequence[Player]) -> tuple[int, ...]:
    """The bots that must answer now."""
    return tuple(seat for seat in waiting(state) if players[seat].kind == "bot")
