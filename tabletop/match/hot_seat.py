"""Hot-seat rules: who looks at a shared screen next, and what is hidden from whom.

They read the people's views. Only a round of reactions is looked ahead in the whole table.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Answered, Asked, Closed, Planned
from tabletop.engine.model import AUDIENCE, Ask, Move, Offer, State
from tabletop.engine.play import submit
from tabletop.match.match import Player
from tabletop.match.open_asks import awaited_seats, open_asks
from tabletop.match.reactions import PASS, PassPolicy, can_pass, is_reaction_chance, passes_unasked

PASS_EVENTS = (Answered, Closed, Planned, Asked)
"""Events of a pass after which nothing has happened but that the next player is asked."""


class ReactionBar(Struct, frozen=True):
    """A public question to those at this computer: who reacts?"""

    asks: tuple[Ask, ...] = ()
    """To whom; of a window that goes round also those who are asked if all before them pass."""
    stays: bool = False
    """Whether it stays until a button is pressed; else it goes away after a pause."""
    passed: tuple[Ask, ...] = ()
    """Those who wish not to be asked, and are to be passed first."""


def local_humans(players: Sequence[Player]) -> tuple[int, ...]:
    """The seats of people at this computer."""
    return tuple(seat for seat, player in enumerate(players) if player.kind == "person")


def _is_chance_to_react(kit: GameKit, ask: Ask) -> bool:
    return ask.what in kit.meaning.reactions


def simultaneous_reaction_asks(
    view: State, people: Sequence[int], offers: Mapping[int, Sequence[Offer]]
) -> tuple[Ask, ...]:
    """Return the reaction questions that several people here are asked at once, in seat order.

    Such questions are sealed and may all be passed. Those already answered are left out, but count:
    the last one is asked in the same way as the first. Nothing here depends on what anybody holds.
    """
    asked = [ask for ask in view.asks if ask.sealed and ask.seat in people]
    left = tuple(ask for ask in asked if ask.id not in view.answers)
    passable = all(can_pass(ask, offers.get(ask.id, ())) for ask in left)
    if len({ask.seat for ask in asked}) < 2 or not passable:
        return ()
    return tuple(sorted(left, key=lambda ask: ask.seat))


def reaction_round(
    kit: GameKit, state: State, people: Sequence[int], looking: int
) -> tuple[Ask, ...]:
    """The chances to react that come one after the other as long as everybody passes, as far as
    they are for people here who do not look.

    `state` is the whole table, or a view: then only the one is found that is open now. The rules
    choose the next seat by open facts alone, so looking ahead reveals nothing.
    """
    asks: list[Ask] = []
    while (ask := _asked_alone(kit, state, people, looking)) is not None:
        if state.viewer is not None:
            return (ask,)
        if not is_reaction_chance(kit.meaning, ask, kit.rules.offers(state, ask)):
            break
        asks.append(ask)
        passed = submit(kit.rules, state, ask.seat, Move(ask.id, PASS), "")
        if not all(isinstance(event, PASS_EVENTS) for event in passed.events):
            break
        state = passed.state
    return tuple(asks)


def _asked_alone(kit: GameKit, state: State, people: Sequence[int], looking: int) -> Ask | None:
    """The one open question, where it is a chance to react for one of several people here who does
    not look."""
    asked = open_asks(state)
    if len(people) < 2 or len(asked) != 1:
        return None
    (ask,) = asked
    bystander = ask.seat in people and ask.seat != looking
    return ask if bystander and not ask.sealed and _is_chance_to_react(kit, ask) else None


def make_reaction_bar(
    kit: GameKit, view: State, asks: Sequence[Ask], policies: Sequence[PassPolicy]
) -> ReactionBar:
    """The bar for these questions, as each seat wishes to be asked.

    Nothing here hangs on what anybody holds: a player who wishes to be asked only if they could
    answer is asked for a while, and passes by saying nothing.
    """
    silent = tuple(ask for ask in asks if _is_passed_silently(kit, view, ask, policies[ask.seat]))
    shown = tuple(ask for ask in asks if ask not in silent)
    stays = any(not _is_chance_to_react(kit, ask) or policies[ask.seat] == "ask" for ask in shown)
    if shown and not shown[0].sealed:  # one after the other: only those before the first shown
        silent = tuple(ask for ask in asks[: asks.index(shown[0])] if ask in silent)
    return ReactionBar(shown, stays, silent)


def _is_passed_silently(kit: GameKit, view: State, ask: Ask, policy: PassPolicy) -> bool:
    return _is_chance_to_react(kit, ask) and passes_unasked(kit.meaning, view, ask, policy)


def next_viewer(
    view: State,
    people: Sequence[int],
    looking: int,
    reacting: Sequence[int] = (),
    called: int | None = None,
) -> int:
    """The viewer to show on the screen now, given the one it shows; `people` are the seats here.

    With one person here it is always that person's, with none the audience's. Otherwise it stays
    with the viewer until another person here must answer, and then goes round the table; the end
    belongs to everybody. While several are asked whether they react (`reacting`), everybody looks
    at the open table, until one of them is called.
    """
    if len(people) < 2:
        return people[0] if people else AUDIENCE
    if view.result is not None:
        return AUDIENCE
    if reacting:
        return called if called is not None and called in reacting else AUDIENCE
    return _next_asked(view, people, looking)


def _next_asked(view: State, people: Sequence[int], looking: int) -> int:
    """Return the viewer, or if they need not answer the next seat that must."""
    asked = [seat for seat in awaited_seats(view) if seat in people]
    if not asked or looking in asked:
        return looking if looking in people else AUDIENCE
    start = max(looking, 0)
    return min(asked, key=lambda seat: (seat - start) % view.seats)


def views_differ(one: State, other: State) -> bool:
    """Whether either of two viewers knows anything that the other does not."""
    return one.cards != other.cards or one.answers != other.answers


def needs_curtain(views: Mapping[int, State], looking: int, following: int) -> bool:
    """Whether the screen must be covered before it changes from one viewer to another.

    `views` are those of all people here. The audience's view hides everything that hides from
    anybody, so it needs no curtain. A seat's does where any other person at this computer may see
    less of it, no matter who looked before.
    """
    if following in (AUDIENCE, looking):
        return False
    mine = views[following]
    return any(views_differ(mine, view) for seat, view in views.items() if seat != following)
