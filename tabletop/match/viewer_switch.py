"""State machine that passes one screen from player to player in a hot-seat match.

Events arrive as method calls. Effects are calls to a `ViewerScreen` and answers sent by seats. The
module uses neither Qt nor a clock of its own. The states are:

`empty`      no view is shown: before the first one, or after its player left the match
`looking`    the view of `shown_seat` is shown and up to date
`animating`  the view of `shown_seat` is shown and still animates the latest news
`covered`    the curtain is closed until the next player opens it
`unwatched`  the curtain is closed until the previous viewer opens it again
`ended`      nothing is shown because the table was left; all events are ignored

News of several moves may arrive in a burst. The first schedules one call of `run_step`, which
handles them all. Only `run_step` chooses the next viewer, so no player is called for an outdated
table.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Literal, Protocol

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, Ask, Move
from tabletop.engine.play import waiting_ask
from tabletop.match.hot_seat import (
    ReactionBar,
    make_reaction_bar,
    needs_curtain,
    next_viewer,
    reaction_round,
    simultaneous_reaction_asks,
)
from tabletop.match.match import MatchSnapshot, Player, Reset, Update
from tabletop.match.open_asks import awaited_seats
from tabletop.match.reactions import PASS, PassPolicy
from tabletop.match.seat import ReactionSettings, Seat, StartTimer

SwitchState = Literal["empty", "looking", "animating", "covered", "unwatched", "ended"]

COVERED: tuple[SwitchState, ...] = ("covered", "unwatched")
"""The states in which the curtain hides the table."""


class SharedSeats(Protocol):
    """The seats of the humans at one computer, and the audience's seat."""

    @property
    def kit(self) -> GameKit: ...

    @property
    def players(self) -> tuple[Player, ...]: ...

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of humans at this computer, except those that a stand-in bot plays."""
        ...

    @property
    def snapshot(self) -> MatchSnapshot | None:
        """The whole match as of the latest news, or None if this computer has only views."""
        ...

    @property
    def open_table(self) -> bool:
        """Whether the players at this computer may see all cards."""
        ...

    @property
    def has_remote_watchers(self) -> bool:
        """Whether people at other computers may watch the table."""
        ...

    def seat(self, viewer: int) -> Seat: ...


class PauseSettings(Protocol):
    @property
    def reaction_pause(self) -> int:
        """The pause in milliseconds before automatic passes, so that they seem deliberate."""
        ...


class ReactionPreferences(Protocol):
    """How the humans at this computer want to be asked for reactions."""

    @property
    def settings(self) -> PauseSettings:
        """The current settings, replaced by a new object whenever one changes."""
        ...

    def pass_policy(self, name: str, alone: bool) -> PassPolicy: ...


class ViewerScreen(Protocol):
    """The screen that a `ViewerSwitch` controls."""

    def schedule_step(self) -> None:
        """Call `ViewerSwitch.run_step` once, soon, from the event loop."""

    def show(self, seat: Seat) -> None:
        """Replace the previous view with the view of `seat`."""

    def cover(self, looked: int, following: int) -> None:
        """Remove everything of the viewer `looked`, then close the curtain for seat `following`."""

    def uncover(self) -> None:
        """Remove the curtain; the new viewer's view is already displayed behind it."""

    def on_news(self) -> None:
        """Update what doesn't wait for animations, because news arrived or the players changed."""

    def refresh(self) -> None:
        """Show what the viewer can do now."""

    def announce_question(self, waited: bool) -> None:
        """Tell the viewer about a new question.

        `waited`: whether the viewer had to wait for others before this question.
        """

    def set_resting(self, resting: bool) -> None:
        """Store whether all news has been shown, so that bots may answer."""


class SwitchDecision(Struct, frozen=True):
    """The next viewer and the public reaction question, derived from the views at this computer."""

    bar: ReactionBar
    following: int
    """The seat that must look next; the active viewer if no other seat must."""
    handover_due: bool
    """Whether the active viewer must hand the screen over to `following`."""
    can_undo: tuple[int, ...]
    """The seats that can still take back their answer to the question on the bar."""


class ViewerSwitch:
    """Chooses which player's view one screen shows."""

    def __init__(
        self,
        table: SharedSeats,
        preferences: ReactionPreferences,
        screen: ViewerScreen,
        start_timer: StartTimer,
    ) -> None:
        self._table, self._preferences, self._screen, self._start_timer = (
            table,
            preferences,
            screen,
            start_timer,
        )
        self.state: SwitchState = "empty"
        self.shown_seat: Seat | None = None
        """The seat whose view is on the screen."""
        self.active_viewer = AUDIENCE
        """The number of `shown_seat`, or AUDIENCE if no view is shown."""
        self.went_back = False
        """Whether the latest news undid moves."""
        self.called_seat: int | None = None
        """The seat whose player claimed the chance to react; reset when the reaction is played."""
        self.seen_log_lengths: dict[int, int] = {}
        """For each viewer shown so far, the number of public log lines the viewer has seen."""
        self._following = AUDIENCE
        """The seat that the curtain is closed for."""
        self._had_to_wait = False
        """Whether the viewer had to wait for others since the viewer's last question."""
        self._scheduled: Literal["", "step", "news"] = ""
        """The kind of step that is scheduled; "" for none."""
        self._passes = PassChain(self._seats_of_people)
        self._cancel_bar_close: Callable[[], None] | None = None
        """Cancels the timer that closes the reaction bar, if one is running."""
        self._stop_updates: Callable[[], None] = lambda: None
        self._stop_refusals: dict[int, Callable[[], None]] = {}
        self._cached_decision: tuple[object, SwitchDecision] | None = None
        """The latest decision, with the inputs it was computed from."""
        self._listen_to_refusals()

    # Decisions

    @property
    def is_animating(self) -> bool:
        """Whether the viewer's screen still animates the latest news."""
        return self.state == "animating"

    @property
    def _ended(self) -> bool:
        return self.state == "ended"

    @property
    def decision(self) -> SwitchDecision:
        """The next viewer and the public reaction question, cached until an input changes."""
        table = self._table
        players, people, covered = table.players, table.people, self.state in COVERED
        seats = {
            n: table.seat(n) for n in dict.fromkeys((AUDIENCE, *people, *self.seen_log_lengths))
        }
        seen = [(seat.view, seat.open_offers, seat.undoable) for seat in seats.values()]
        who = (
            people,
            players,
            self.active_viewer,
            self.shown_seat is None,
            self.called_seat,
            covered,
        )
        basis = (self._preferences.settings, who, seen)
        if self._cached_decision is None or self._cached_decision[0] != basis:
            self._cached_decision = basis, self._decide(players, people, seats)
        return self._cached_decision[1]

    def _decide(
        self, players: tuple[Player, ...], people: tuple[int, ...], seats: Mapping[int, Seat]
    ) -> SwitchDecision:
        table, view = self._table, seats[AUDIENCE].view
        asked = {n: offers for seat in people for n, offers in seats[seat].open_offers.items()}
        whole = table.snapshot.state if table.snapshot is not None else view
        chances = simultaneous_reaction_asks(view, people, asked)
        chances = chances or reaction_round(table.kit, whole, people, self.active_viewer)
        policies = [self.policy_of(seat) for seat in range(len(players))]
        bar = make_reaction_bar(table.kit, view, chances, policies)
        if self.called_seat is None and (bar.passed or (bar.asks and not bar.stays)):
            following = self.active_viewer
        else:
            reacting = tuple(ask.seat for ask in bar.asks)
            following = next_viewer(view, people, self.active_viewer, reacting, self.called_seat)
        due = (
            self.shown_seat is not None
            and self.state not in COVERED
            and self._needs_curtain(following)
        )
        return SwitchDecision(bar, following, due, self._seats_able_to_undo(bar, people, seats))

    def _seats_able_to_undo(
        self, bar: ReactionBar, people: tuple[int, ...], seats: Mapping[int, Seat]
    ) -> tuple[int, ...]:
        if any(ask.sealed for ask in bar.asks):
            return tuple(seat for seat in people if waiting_ask(seats[AUDIENCE].view, seat))
        seat = self._last_passer() if bar.asks else None  # only until the next player answers
        return (seat,) if seat in people and seats[seat].undoable else ()

    def _last_passer(self) -> int | None:
        """Return the seat whose pass was the last move.

        Return None if the last move wasn't a pass, or isn't known at this computer.
        """
        snapshot = self._table.snapshot
        last = snapshot.latest if snapshot is not None else None
        passed = last is not None and last.move is not None and last.move.verb == PASS
        return last.seat if last is not None and passed else None

    def _needs_curtain(self, following: int) -> bool:
        """Return whether the curtain must close before the view of seat `following` is shown.

        Players who have already looked count, even if a stand-in bot plays their seat now.
        """
        if self._table.open_table:
            return False
        seats = {*self.seen_log_lengths, *self._table.people}
        views = {seat: self._table.seat(seat).view for seat in seats}
        return needs_curtain(views, self.active_viewer, following)

    @property
    def is_single_human(self) -> bool:
        """Whether exactly one human plays, with bots in all other seats."""
        return sum(player.kind != "bot" for player in self._table.players) == 1

    def policy_of(self, seat: int) -> PassPolicy:
        """Return how the player of `seat` wants to be asked for reactions."""
        return self._preferences.pass_policy(self._table.players[seat].name, self.is_single_human)

    @property
    def reaction_pause_ms(self) -> int:
        """The pause in milliseconds before an automatic pass; 0 if nobody could notice it."""
        unseen = self.is_single_human and not self._table.has_remote_watchers
        return 0 if unseen else self._preferences.settings.reaction_pause

    # Events of the table

    def on_news(self, went_back: bool) -> None:
        """Schedule a step after all seats at this computer received a move or an undo.

        `went_back`: whether the news undid moves.
        """
        if not self._ended:
            self.went_back = went_back
            if self._scheduled != "news":
                # a fast bot must not answer before the step
                self._screen.set_resting(False)
            self._schedule("news")

    def on_people_changed(self) -> None:
        """Schedule a step after humans left or rejoined. Hide the view of a player who left."""
        if self._ended:
            return
        self._listen_to_refusals()
        if self.active_viewer != AUDIENCE and self.active_viewer not in self._table.people:
            self._hide_viewer()
        self._schedule("news")

    def on_refusal(self) -> None:
        """Stop sending automatic passes, because an answer from this computer was refused."""
        if not self._ended:
            self._passes.stop()

    # Events of the screen

    def start(self) -> None:
        """Show the first player's view."""
        if self.state == "empty":
            self.run_step()

    def on_animation_finished(self) -> None:
        """Record that the view is up to date, and schedule a step."""
        if self.state == "animating":
            self.state = "looking"
            self._schedule("step")

    def resume(self) -> None:
        """Schedule a step, for example after the table has been laid out."""
        if not self._ended:
            self._schedule("step")

    def on_settings_changed(self) -> None:
        """Apply changed reaction settings to the open questions."""
        if self._ended:
            return
        self._cancel_bar_timer()
        self._passes.stop()
        if self.shown_seat is not None:
            self.shown_seat.reapply_pass_policy()
        self._schedule("step")

    def cover_unwatched(self) -> None:
        """Close the curtain over the active viewer's table, because that player seems to be away.

        An audience view or a finished match stays visible, because everyone may see it.
        """
        watched = self.state in ("looking", "animating") and self.active_viewer != AUDIENCE
        if watched and self._table.seat(AUDIENCE).view.result is None:
            self._cover(self.active_viewer)

    def open_curtain(self) -> None:
        """Show the view that the curtain was closed for, then remove the curtain."""
        if self.state in COVERED:
            self._show_viewer(self._following)
            self._screen.uncover()
            self._update_viewer()

    def close(self) -> None:
        """Leave the table: hide the view, stop timers and listeners, and ignore later events."""
        if self._ended:
            return
        self._cancel_bar_timer()
        self._passes.stop()
        self._hide_viewer()
        for stop in self._stop_refusals.values():
            stop()
        self.state, self._scheduled = "ended", ""

    # Player actions

    def hand_over(self) -> None:
        """Close the curtain for the next player, if a hand-over is due."""
        if self.state in ("looking", "animating") and self.decision.handover_due:
            self._cover(self.decision.following)

    def call_player(self, seat: int) -> None:
        """Make the player at `seat` the next viewer, so that the player can react.

        Pass for the players whose turn to react comes earlier.
        """
        if self._ended or self.state in COVERED:
            return
        self._cancel_bar_timer()
        before = [ask for ask in self.decision.bar.asks if not ask.sealed]
        count = next((n for n, ask in enumerate(before) if ask.seat == seat), 0)
        self.called_seat = seat
        self._passes.start(before[:count])
        if self._needs_curtain(seat):
            self._cover(seat)
        elif self.state != "animating":
            self._update_viewer()

    def pass_all(self) -> None:
        """Pass for every player at this computer who is asked for a reaction."""
        if not self._ended:
            self._cancel_bar_timer()
            self._passes.start(self.decision.bar.asks)

    def undo_answer(self, seat: int) -> None:
        """Undo the answer of `seat` to the question on the bar. Make its player the next viewer."""
        covered = self._ended or self.state in COVERED
        if not covered and seat in self.decision.can_undo:
            self._table.seat(seat).undo()
            self.called_seat = seat

    # Steps

    def _schedule(self, what: Literal["step", "news"]) -> None:
        if not self._scheduled:
            self._screen.schedule_step()
        if self._scheduled != "news":
            self._scheduled = what

    def run_step(self) -> None:
        """Process scheduled news, then show the next viewer's view or wait for the hand-over.

        Do nothing until all seats at this computer have received the same news.
        """
        if self._ended:
            return
        pending, self._scheduled = self._scheduled, ""
        if not self._seats_in_sync:
            return  # the other seats' news schedules another step
        if pending == "news":
            self._process_news()
        if self.state in COVERED:
            self._call_covered_player()
        elif self.state in ("empty", "looking"):
            self._update_viewer()
        if not self._ended:
            self._screen.set_resting(self.state != "animating")

    @property
    def _seats_in_sync(self) -> bool:
        """Return whether all seats have received the match up to the same ply.

        A host updates each seat with a separate message.
        """
        viewers = (AUDIENCE, *self._table.people)
        return len({self._table.seat(viewer).view.ply for viewer in viewers}) == 1

    def _process_news(self) -> None:
        """Continue pending passes.

        Reset the called seat if it has answered or is no longer asked.
        """
        self._cancel_bar_timer()
        self._passes.continue_passing()
        self._store_log_length()
        answers = self.called_seat == self.active_viewer and bool(
            self._table.seat(self.active_viewer).open_offers
        )
        if not answers and self.called_seat not in [ask.seat for ask in self.decision.bar.asks]:
            self.called_seat = None
        self._screen.on_news()

    def _update_viewer(self) -> None:
        """Show the next viewer's view; if the audience's view is shown, close the curtain first."""
        standing = self.decision
        if self.shown_seat is None or standing.following != self.active_viewer:
            if not self._needs_curtain(standing.following):
                self._show_viewer(standing.following)
            elif self.active_viewer == AUDIENCE:
                self._cover(standing.following)
                self._had_to_wait = False
                return
        self._screen.refresh()
        self._update_bar()
        asked = self.shown_seat is not None and bool(self.shown_seat.offers)
        if asked:
            self._screen.announce_question(self._had_to_wait)
        self._had_to_wait = not asked

    def _call_covered_player(self) -> None:
        """Announce a new question to the player who left the table covered."""
        asked = self._following in awaited_seats(self._table.seat(AUDIENCE).view)
        if self.state == "unwatched" and asked and self._had_to_wait:
            self._screen.announce_question(True)
        self._had_to_wait = not asked

    def _show_viewer(self, viewer: int) -> None:
        """Show the view of `viewer`, behind the curtain if it is closed."""
        self._hide_viewer()
        seat = self._table.seat(viewer)
        self.shown_seat, self.active_viewer = seat, viewer
        self._store_log_length()
        # subscribe before the scene does: the scene may finish animating within its own callback
        self._stop_updates = seat.on_update(self._on_update)
        if viewer != AUDIENCE:
            policy = partial(self.policy_of, viewer)
            meaning = self._table.kit.meaning
            seat.set_reactions(
                ReactionSettings(meaning, policy, lambda: self.reaction_pause_ms, self._start_timer)
            )
        self._screen.show(seat)
        self.state = "looking"

    def _hide_viewer(self) -> None:
        """Stop updates and reactions for the shown seat, and make AUDIENCE the active viewer."""
        if self.shown_seat is not None:
            self._store_log_length()
            self._stop_updates()
            self.shown_seat.set_reactions(None)
            self.shown_seat, self.active_viewer = None, AUDIENCE
        if self.state == "animating":
            self._schedule("step")  # so that bots may answer again
        if self.state not in COVERED:
            self.state = "empty"

    def _cover(self, following: int) -> None:
        """Remove the active viewer's view, then close the curtain for seat `following`."""
        looked = self.active_viewer
        self._hide_viewer()
        self._following = following
        self._screen.cover(looked, following)
        self.state = "unwatched" if following == looked else "covered"
        self._screen.refresh()

    def _on_update(self, _: Update | Reset) -> None:
        if self.state == "looking":
            self.state = "animating"

    def _store_log_length(self) -> None:
        if self.shown_seat is not None:
            self.seen_log_lengths[self.active_viewer] = len(self._table.seat(AUDIENCE).log)

    # The reaction bar

    def _update_bar(self) -> None:
        """Pass for players who don't want to be asked, and start or stop the bar's timer."""
        bar = self.decision.bar
        if self.called_seat is not None or self._passes.remaining:
            self._cancel_bar_timer()
        elif bar.passed:
            self._passes.start(bar.passed)
        elif not bar.asks or bar.stays:
            self._cancel_bar_timer()
        elif self._cancel_bar_close is None:
            self._cancel_bar_close = self._start_timer(
                self._preferences.settings.reaction_pause, self._close_bar
            )

    def _cancel_bar_timer(self) -> None:
        if self._cancel_bar_close is not None:
            self._cancel_bar_close()
            self._cancel_bar_close = None

    def _close_bar(self) -> None:
        self._cancel_bar_close = None
        self.pass_all()

    def _seats_of_people(self) -> dict[int, Seat]:
        return {seat: self._table.seat(seat) for seat in self._table.people}

    def _listen_to_refusals(self) -> None:
        for viewer in (AUDIENCE, *self._table.people):
            if viewer not in self._stop_refusals:
                stop = self._table.seat(viewer).on_refusal(lambda _: self.on_refusal())
                self._stop_refusals[viewer] = stop


class PassChain:
    """Sends passes for several players at one computer, one after the other.

    The next player's question may open only after the previous pass was applied, possibly with a
    new ask ID.
    """

    def __init__(self, seats: Callable[[], Mapping[int, Seat]]) -> None:
        """`seats`: returns the seats of the humans at this computer."""
        self._get_seats = seats
        self.remaining: list[Ask] = []
        """The questions that haven't been passed yet."""

    def start(self, asks: Iterable[Ask]) -> None:
        self.remaining = list(asks)
        self.continue_passing()

    def stop(self) -> None:
        self.remaining = []

    def continue_passing(self) -> None:
        """Pass the remaining questions that are open.

        Stop the chain at one that is no longer asked.
        """
        while self.remaining:
            ask, seats = self.remaining[0], self._get_seats()
            seat = seats.get(ask.seat)
            if seat is None:
                self.stop()
                return
            open_asks = (each for each in seat.view.asks if each.id in seat.open_offers)
            number = next((each.id for each in open_asks if each.what == ask.what), None)
            if number is None and all(each.pending is None for each in seats.values()):
                self.stop()
                return
            if number is None or seat.pending is not None:
                return  # wait for news
            del self.remaining[0]
            seat.send(Move(number, PASS))
