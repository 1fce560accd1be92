"""The viewer switch: the state machine that hands one screen from player to player (hot seat).

Its events are methods, its effects calls of a `ViewerScreen` and answers of the seats. No Qt, no
clock of its own. A state says what the screen shows:

`empty`      no view: nobody has looked yet, or who looked plays no longer
`looking`    the view of `shown`, up to date
`animating`  the view of `shown`, on which the latest news still moves
`covered`    the curtain, until the next player opens it
`unwatched`  the curtain, until the player who looked before opens it
`ended`      nothing: the table was left, and every event is ignored

News of several moves may arrive at once: a step (`go_on`) is scheduled at the first and sees them
all. It alone decides who looks next, so nobody is called for a table that has changed since.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Literal, Protocol

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, Ask, Move
from tabletop.engine.play import waits
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
    """The seats of the people at one computer, and the audience's."""

    @property
    def kit(self) -> GameKit: ...

    @property
    def players(self) -> tuple[Player, ...]: ...

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people here for whom no bot plays."""
        ...

    @property
    def snapshot(self) -> MatchSnapshot | None:
        """The whole match as of the latest news, if it is known here."""
        ...

    @property
    def open_table(self) -> bool:
        """Whether nothing is hidden from anybody here."""
        ...

    @property
    def has_remote_watchers(self) -> bool:
        """Whether people at other computers may watch the table."""
        ...

    def seat(self, viewer: int) -> Seat: ...


class PauseSettings(Protocol):
    @property
    def reaction_pause(self) -> int:
        """Milliseconds in which an answer can't be told from a pass."""
        ...


class ReactionPreferences(Protocol):
    """How the people here wish to be asked for reactions."""

    @property
    def settings(self) -> PauseSettings:
        """Replaced by another object when a setting changes."""
        ...

    def pass_policy(self, name: str, alone: bool) -> PassPolicy: ...


class ViewerScreen(Protocol):
    """The effects of the switch on the screen."""

    def schedule_step(self) -> None:
        """Call `go_on` soon, once, from the event loop."""

    def show(self, seat: Seat) -> None:
        """Remove the former view, then show this one."""

    def cover(self, looked: int, following: int) -> None:
        """Remove everything of the viewer `looked`, then close the curtain for `following`."""

    def uncover(self) -> None:
        """Remove the curtain: the view of who opened it is already below."""

    def on_news(self) -> None:
        """Everybody here has the news, or others play; the viewer may still see it move."""

    def refresh(self) -> None:
        """Show what may be done now."""

    def announce_question(self, waited: bool) -> None:
        """The viewer is asked something; `waited`: they had to wait for it."""

    def set_resting(self, resting: bool) -> None:
        """Note whether all the news has been shown, so that bots may answer."""


class SwitchDecision(Struct, frozen=True):
    """What follows from the views of the people here."""

    bar: ReactionBar
    following: int
    """The player who must look now; the viewer, if it is nobody else."""
    handover_due: bool
    """Whether the viewer has to hand the screen over to `following`."""
    can_undo: tuple[int, ...]
    """The people who can still take back their answer to the question on the bar."""


class ViewerSwitch:
    """Decides whose view one screen shows."""

    def __init__(
        self,
        table: SharedSeats,
        wishes: ReactionPreferences,
        screen: ViewerScreen,
        later: StartTimer,
    ) -> None:
        self._table, self._preferences, self._screen, self._start_timer = (
            table,
            wishes,
            screen,
            later,
        )
        self.state: SwitchState = "empty"
        self.shown_seat: Seat | None = None
        """The seat whose view is on the screen."""
        self.active_viewer = AUDIENCE
        """The number of `shown`; the audience's while nobody looks."""
        self.went_back = False
        """Whether the latest news took moves back."""
        self.called_seat: int | None = None
        """The player who has said that they react, until they have answered."""
        self.seen_log_lengths: dict[int, int] = {}
        """By each viewer who has looked: the number of public log lines by then."""
        self._following = AUDIENCE
        """The player for whom the curtain is closed."""
        self._had_to_wait = False
        """Whether the viewer had to wait for others since their last question."""
        self._scheduled: Literal["", "step", "news"] = ""
        """What the scheduled step has to do; empty if none is scheduled."""
        self._passes = PassChain(self._seats_of_people)
        self._cancel_bar_close: Callable[[], None] | None = None
        """Cancels the timer after which the bar closes by itself."""
        self._stop_updates: Callable[[], None] = lambda: None
        self._stop_refusals: dict[int, Callable[[], None]] = {}
        self._cached_decision: tuple[object, SwitchDecision] | None = None
        """The standing, after what it was computed from."""
        self._listen_to_refusals()

    # What follows from the state and the views

    @property
    def is_animating(self) -> bool:
        """Whether the viewer doesn't see yet all that happened."""
        return self.state == "animating"

    @property
    def _ended(self) -> bool:
        return self.state == "ended"

    @property
    def decision(self) -> SwitchDecision:
        """Who must look next, and who is asked in public whether they react."""
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
            return tuple(seat for seat in people if waits(seats[AUDIENCE].view, seat))
        seat = self._last_passer() if bar.asks else None  # before the next has answered
        return (seat,) if seat in people and seats[seat].undoable else ()

    def _last_passer(self) -> int | None:
        """Return the seat whose pass was the last move of the match, if that is known here."""
        snapshot = self._table.snapshot
        last = snapshot.latest if snapshot is not None else None
        passed = last is not None and last.move is not None and last.move.verb == PASS
        return last.seat if last is not None and passed else None

    def _needs_curtain(self, following: int) -> bool:
        """Return whether the curtain must close before `following` looks, also for a player who
        has looked and for whom a bot plays now."""
        if self._table.open_table:
            return False
        seats = {*self.seen_log_lengths, *self._table.people}
        views = {seat: self._table.seat(seat).view for seat in seats}
        return needs_curtain(views, self.active_viewer, following)

    @property
    def is_single_human(self) -> bool:
        """Whether one person sits at the table among bots."""
        return sum(player.kind != "bot" for player in self._table.players) == 1

    def policy_of(self, seat: int) -> PassPolicy:
        """Return how the player of `seat` wishes to be asked for reactions."""
        return self._preferences.pass_policy(self._table.players[seat].name, self.is_single_human)

    @property
    def reaction_pause_ms(self) -> int:
        """Milliseconds before a pass goes out that nobody was asked for: 0 if nobody is there who
        could read anything from it."""
        unseen = self.is_single_human and not self._table.has_remote_watchers
        return 0 if unseen else self._preferences.settings.reaction_pause

    # Events of the table

    def on_news(self, went_back: bool) -> None:
        """Take in that all seats here were told of a move, or (`went_back`) that moves were taken
        back."""
        if not self._ended:
            self.went_back = went_back
            if self._scheduled != "news":
                self._screen.set_resting(
                    False
                )  # until the step: a quick bot must not answer before it
            self._schedule("news")

    def on_people_changed(self) -> None:
        """Take in that others play here: who left looks no longer, and who came back may."""
        if self._ended:
            return
        self._listen_to_refusals()
        if self.active_viewer != AUDIENCE and self.active_viewer not in self._table.people:
            self._hide_viewer()
        self._schedule("news")

    def on_refusal(self) -> None:
        """Take in that something was refused to a player here: no more passes are sent."""
        if not self._ended:
            self._passes.stop()

    # Events of the screen

    def start(self) -> None:
        """Let the first player look."""
        if self.state == "empty":
            self.run_step()

    def on_animation_finished(self) -> None:
        """Take in that the view shows all that happened."""
        if self.state == "animating":
            self.state = "looking"
            self._schedule("step")

    def resume(self) -> None:
        """Go on: the table is laid out, or something else that was waited for is done."""
        if not self._ended:
            self._schedule("step")

    def on_settings_changed(self) -> None:
        """Ask the open questions again: the way in which players are asked has changed."""
        if self._ended:
            return
        self._cancel_bar_timer()
        self._passes.stop()
        if self.shown_seat is not None:
            self.shown_seat.reapply_pass_policy()
        self._schedule("step")

    def cover_unwatched(self) -> None:
        """Cover the viewer's table because nobody seems to look. What everybody may see is left."""
        watched = self.state in ("looking", "animating") and self.active_viewer != AUDIENCE
        if watched and self._table.seat(AUDIENCE).view.result is None:
            self._cover(self.active_viewer)

    def open_curtain(self) -> None:
        """Show the view of the player for whom the curtain is closed, then remove the curtain."""
        if self.state in COVERED:
            self._show_viewer(self._following)
            self._screen.uncover()
            self._update_viewer()

    def close(self) -> None:
        """Leave the table."""
        if self._ended:
            return
        self._cancel_bar_timer()
        self._passes.stop()
        self._hide_viewer()
        for stop in self._stop_refusals.values():
            stop()
        self.state, self._scheduled = "ended", ""

    # Events of people

    def hand_over(self) -> None:
        """Close the curtain for the next player: the viewer has seen enough."""
        if self.state in ("looking", "animating") and self.decision.handover_due:
            self._cover(self.decision.following)

    def call_player(self, seat: int) -> None:
        """Let this player react and look next; those who are asked before them pass."""
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
        """Pass for everybody here who is asked whether they react."""
        if not self._ended:
            self._cancel_bar_timer()
            self._passes.start(self.decision.bar.asks)

    def undo_answer(self, seat: int) -> None:
        """Let this player take back their answer, and look next."""
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
        """Take in the news once every seat here has it; once it has been seen, let the right player
        look, or wait for the hand-over."""
        if self._ended:
            return
        pending, self._scheduled = self._scheduled, ""
        if not self._seats_in_sync:
            return  # the seats that lag behind will be told
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
        """Whether all seats show the match up to the same move: a host shows a table again to each
        of them in a message of its own."""
        viewers = (AUDIENCE, *self._table.people)
        return len({self._table.seat(viewer).view.ply for viewer in viewers}) == 1

    def _process_news(self) -> None:
        """A player who called has answered, or is asked no longer."""
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
        """Let the player look who must, or cover the table for them if everybody looks."""
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
        """Call a player who has left the table covered, too, when it is their turn."""
        asked = self._following in awaited_seats(self._table.seat(AUDIENCE).view)
        if self.state == "unwatched" and asked and self._had_to_wait:
            self._screen.announce_question(True)
        self._had_to_wait = not asked

    def _show_viewer(self, viewer: int) -> None:
        """Show the view of `viewer`; if the curtain is closed, below it."""
        self._hide_viewer()
        seat = self._table.seat(viewer)
        self.shown_seat, self.active_viewer = seat, viewer
        self._store_log_length()
        # before the scene listens, which may be settled as soon as it has heard
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
        """Show nobody's view: who looked hears nothing more."""
        if self.shown_seat is not None:
            self._store_log_length()
            self._stop_updates()
            self.shown_seat.set_reactions(None)
            self.shown_seat, self.active_viewer = None, AUDIENCE
        if self.state == "animating":
            self._schedule("step")  # bots rest no longer
        if self.state not in COVERED:
            self.state = "empty"

    def _cover(self, following: int) -> None:
        """Close the curtain: everything of the viewer goes before anything of the next one
        comes."""
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
        """The viewer has heard everything."""
        if self.shown_seat is not None:
            self.seen_log_lengths[self.active_viewer] = len(self._table.seat(AUDIENCE).log)

    # The public question

    def _update_bar(self) -> None:
        """Pass for those who wish not to be asked; let a bar that nobody waits for close by
        itself."""
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
    """Passes of several players at one computer, sent one after the other.

    The question of the next player may open only by the pass before it, maybe under another number.
    """

    def __init__(self, seats: Callable[[], Mapping[int, Seat]]) -> None:
        """`seats` returns the seats of the people here."""
        self._get_seats = seats
        self.remaining: list[Ask] = []
        """The questions that are still to be passed."""

    def start(self, asks: Iterable[Ask]) -> None:
        self.remaining = list(asks)
        self.continue_passing()

    def stop(self) -> None:
        self.remaining = []

    def continue_passing(self) -> None:
        """Pass the questions that are open by now; stop at one that nobody is asked any longer."""
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
                return  # until there is news
            del self.remaining[0]
            seat.send(Move(number, PASS))
