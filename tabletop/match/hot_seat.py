"""Hot-seat rules: who sees a shared screen next, and when a curtain must hide it.

The functions read only the views of the humans at this computer, except that `reaction_round`
simulates passes on the whole table.
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
"""The events of a pass that has no effect except that the next player is asked."""


class ReactionBar(Struct, frozen=True):
    """A public bar that asks the humans at this computer who wants to react."""

    asks: tuple[Ask, ...] = ()
    """The questions on the bar.

    If the players are asked one after the other, the list includes questions that are asked only if
    all earlier players pass.
    """
    stays: bool = False
    """Whether the bar stays until a button is pressed; otherwise it closes after a pause."""
    passed: tuple[Ask, ...] = ()
    """The questions to pass before the bar is shown, for players who don't want to be asked."""


def local_humans(players: Sequence[Player]) -> tuple[int, ...]:
    """Return the seats of humans at this computer."""
    return tuple(seat for seat, player in enumerate(players) if player.kind == "person")


def _is_chance_to_react(kit: GameKit, ask: Ask) -> bool:
    return ask.what in kit.meaning.reactions


def simultaneous_reaction_asks(
    view: State, people: Sequence[int], offers: Mapping[int, Sequence[Offer]]
) -> tuple[Ask, ...]:
    """Return the open reaction questions that several humans here were asked together, by seat.

    Such questions are sealed and can all be passed. Answered questions are omitted but still count,
    so the last player is asked in the same way as the first. The result doesn't depend on hidden
    cards.
    """
    asked = [ask for ask in view.asks if ask.sealed and ask.seat in people]
    left = tuple(ask for ask in asked if ask.id not in view.answers)
    passable = all(can_pass(ask, offers.get(ask.id, ())) for ask in left)
    if len({ask.seat for ask in asked}) < 2 or not passable:
        return ()
    return tuple(sorted(left, key=lambda ask: ask.seat))


def reaction_round(
    kit: GameKit, state: State, people: Sequence[int], active_viewer: int
) -> tuple[Ask, ...]:
    """Return the reaction chances that are asked in turn as long as every player passes.

    Only chances for humans at this computer, other than the active viewer, count. If `state` is a
    view instead of the whole table, only the currently open chance is returned. Simulating the
    passes reveals nothing, because the rules choose the next seat from public information.
    """
    asks: list[Ask] = []
    while (ask := _asked_alone(kit, state, people, active_viewer)) is not None:
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


def _asked_alone(
    kit: GameKit, state: State, people: Sequence[int], active_viewer: int
) -> Ask | None:
    """Return the only open question if it is another human's reaction chance at this screen.

    Return None otherwise, or if fewer than two humans share the screen.
    """
    asked = open_asks(state)
    if len(people) < 2 or len(asked) != 1:
        return None
    (ask,) = asked
    bystander = ask.seat in people and ask.seat != active_viewer
    return ask if bystander and not ask.sealed and _is_chance_to_react(kit, ask) else None


def make_reaction_bar(
    kit: GameKit, view: State, asks: Sequence[Ask], policies: Sequence[PassPolicy]
) -> ReactionBar:
    """Return the bar for the questions `asks`; `policies` holds each seat's pass policy.

    The bar doesn't depend on hidden cards. For a player with policy "able", the bar closes after a
    pause and then passes.
    """
    silent = tuple(ask for ask in asks if _is_passed_silently(kit, view, ask, policies[ask.seat]))
    shown = tuple(ask for ask in asks if ask not in silent)
    stays = any(not _is_chance_to_react(kit, ask) or policies[ask.seat] == "ask" for ask in shown)
    # in a round of single questions, pass only those before the first one shown
    if shown and not shown[0].sealed:
        silent = tuple(ask for ask in asks[: asks.index(shown[0])] if ask in silent)
    return ReactionBar(shown, stays, silent)


def _is_passed_silently(kit: GameKit, view: State, ask: Ask, policy: PassPolicy) -> bool:
    return _is_chance_to_react(kit, ask) and passes_unasked(kit.meaning, view, ask, policy)


def next_viewer(
    view: State,
    people: Sequence[int],
    active_viewer: int,
    reacting: Sequence[int] = (),
    called: int | None = None,
) -> int:
    """Return the viewer to show on the screen now.

    `people` are the seats of the humans here and `active_viewer` is the current viewer. A single
    human is always the viewer; without humans, the audience is. If there are several, the viewer
    stays until another human must answer, and the next such human in seat order follows. A finished
    match is shown to the audience. While the seats `reacting` are asked for reactions, the
    audience's view is shown until one of them is `called`.
    """
    if len(people) < 2:
        return people[0] if people else AUDIENCE
    if view.result is not None:
        return AUDIENCE
    if reacting:
        return called if called is not None and called in reacting else AUDIENCE
    return _next_asked(view, people, active_viewer)


def _next_asked(view: State, people: Sequence[int], active_viewer: int) -> int:
    """Return `active_viewer` if it must answer or no human must, else the next human who must."""
    asked = [seat for seat in awaited_seats(view) if seat in people]
    if not asked or active_viewer in asked:
        return active_viewer if active_viewer in people else AUDIENCE
    start = max(active_viewer, 0)
    return min(asked, key=lambda seat: (seat - start) % view.seats)


def views_differ(one: State, other: State) -> bool:
    """Return whether either of two views contains information that the other lacks."""
    return one.cards != other.cards or one.answers != other.answers


def needs_curtain(views: Mapping[int, State], active_viewer: int, following: int) -> bool:
    """Return whether the screen must be covered before it shows viewer `following`.

    `views` holds the view of every human here, by seat. The audience's view contains no secrets, so
    it needs no curtain. A seat's view needs one if the view of another human here differs from it.
    """
    if following in (AUDIENCE, active_viewer):
        return False
    mine = views[following]
    return any(views_differ(mine, view) for seat, view in views.items() if seat != following)
