"""One match at a hosted table: the fair start, moves, undo, absent players and the proof."""

from collections.abc import Collection, Iterable
from functools import partial
from typing import Literal

from tabletop.engine.model import AUDIENCE, Ask, Move, Reason
from tabletop.engine.play import Illegal
from tabletop.match.history import Entry
from tabletop.match.match import Match, Reset, Update
from tabletop.match.stand_ins import concession_ends_match
from tabletop.protocol.codec import tag_of
from tabletop.protocol.fairness import generate_share
from tabletop.protocol.match_notes import WriteNote
from tabletop.protocol.messages import (
    Concession,
    MatchProof,
    Notice,
    Phase,
    Play,
    Refused,
    SharesCommitted,
    TableNews,
    UndoProposal,
)
from tabletop.table.absences import Absences
from tabletop.table.bot_driver import BotDriver
from tabletop.table.seats import Peer
from tabletop.table.seed_shares import NO_SHARE, WENT_AWAY, WRONG_SHARE, SeedShares
from tabletop.table.services import NOT_NOW, MatchHost
from tabletop.table.spectators import SpectatorFeed
from tabletop.table.table_notes import TableNotes
from tabletop.table.timers import Timers

NOT_STARTED = Reason("The match hasn't started yet.", code="not_begun")
PAUSED = Reason("The table waits for {seat}.", code="paused")
DISAGREES = Reason("{seat} doesn't agree to undo the move.", code="disagrees")
NOTHING_OF_YOURS = Reason("You have no move to undo.", code="nothing_of_yours")
ENDED = Reason("The host ended the match.", code="ended")
DISK_RETRY_DELAY_S = 5.0
"""Seconds before the match continues after a failed write to disk."""
BOT_TROUBLE = Reason("{seat} had a problem and made an easy move.", code="bot_trouble")
CARRIED_ON = Reason("A bot plays for {seat} now.", code="carried_on")
CONCEDES = Reason("{seat} concedes.", code="concedes")
GOES_ON = Reason("{seat} wants to play on, so the match continues.", code="goes_on")


class HostedMatch:
    """A match from its fair start to its proof. Its phase is `gathering` before the start."""

    def __init__(self, host: MatchHost, number: int, sealings: int = 0) -> None:
        self.number = number
        self.sealings = sealings
        """The number of starts since the last finished match for which all shares were committed.

        The commitments are published, so a start counts even if it is cancelled.
        """
        self.phase: Phase = "gathering"
        self.seed_shares = SeedShares(host.table, number)
        self.match: Match | None = None
        self.notes = TableNotes(host, number)
        self.wish: UndoProposal | None = None
        self.ending: Concession | None = None
        self.ended: Reason | None = None
        self._host = host
        self._news: dict[int, Update | Reset] = {}
        self._undo_seats: tuple[int, ...] = ()
        """The seats that asked for the open undo. The latest move of any of them is undone."""
        self._is_undoing = False
        """Whether several moves are being undone, so that bots aren't asked in between."""
        self._timers = Timers(host.services.call_later)
        self.bots = BotDriver(
            self, host.plan.game, host.kit.meaning, host.services.bots, self._timers, host.bot_pace
        )
        plan = host.plan
        self.absences = Absences(self._timers, plan.patience, host.send_info)
        self._spectator_feed = SpectatorFeed(
            plan.delay if plan.spectators == "delayed" else 0,
            host.services.call_later,
            lambda update: host.send_all(update, host.spectators),
        )

    # The fair start

    def shuffle(self) -> None:
        """Commit to the host's share of the seed, and ask all players for theirs."""
        host = self._host
        self.phase = "shuffling"
        self.seed_shares = SeedShares(host.table, self.number, generate_share())
        host.send_info()
        host.send_all(self.seed_shares.shuffle)
        self._timers.set(
            "sealing", host.timing.share_timeout_s, lambda: self._cancel_start(NO_SHARE)
        )
        self._deal_when_sealed()

    def commit(self, seat: int, seal: str) -> None:
        """Store the commitment of `seat` to its share.

        Later commitments of the same seat are ignored.
        """
        seals = self.seed_shares.seals
        if seat in seals:
            return  # repeated after a reconnect: the first one counts
        seals[seat] = seal
        if self.seed_shares.are_all_sealed(self._host.human_seats):
            self.sealings += 1
            self._host.save()
            self._host.send_all(SharesCommitted(self.number, seals))

    def reveal(self, seat: int, share: str) -> None:
        """Store the share of `seat`. After the last share, the cards are dealt.

        A share that doesn't match its commitment cancels the start.

        Raises:
            Illegal: some seat hasn't committed to its share yet.
        """
        if self.seed_shares.shares.get(seat) == share:
            return  # sent again after a reconnect
        if not self.seed_shares.are_all_sealed(self._host.human_seats):
            raise Illegal(NOT_NOW)
        if not self.seed_shares.matches_seal(seat, share):
            self._cancel_start(WRONG_SHARE.with_args(seat=seat))
            return
        self.seed_shares.shares[seat] = share
        self._deal_when_sealed()

    def _deal_when_sealed(self) -> None:
        host = self._host
        if len(self.seed_shares.shares) < len(host.human_seats):
            return
        self._timers.cancel("sealing")
        players = [place.player() for place in host.seats]
        kit, options = host.kit, dict(host.plan.options)
        self._set_match(Match(kit, players, options, self.seed_shares.seed))
        assert self.match is not None
        self.match.fair_start = self.seed_shares.fair_start(self._restarts)
        host.services.journal.start_match(self.match, self.number)
        self.match.journal = host.services.journal
        self.phase = "playing"
        host.save()
        host.send_info()
        self._news = {viewer: self.match.make_reset(viewer) for viewer in self.match.viewers}
        self._send_news()

    def _cancel_start(self, reason: Reason) -> None:
        """Cancel the start. All players gather again, and have to get ready again."""
        self._timers.cancel("sealing")
        self.phase = "gathering"
        self.number -= 1
        self.notes = TableNotes(self._host, self.number)
        self.seed_shares = SeedShares(self._host.table, self.number)
        for place in self._host.seats:
            place.ready = False
        self._host.send_info()
        self._host.notify(reason)

    # The match

    def resume(self, match: Match, phase: Phase, shares: SeedShares, ended: Reason | None) -> None:
        """Continue a restored match. Players who aren't connected count as absent."""
        self._set_match(match)
        self.phase = phase
        self.seed_shares = shares
        self.ended = ended
        match.journal = self._host.services.journal
        self._spectator_feed.show(len(match.record), match.make_reset(AUDIENCE))
        if self._is_final:
            self.phase = "over"
        if self.phase == "over":
            self._spectator_feed.catch_up()
        if self.phase == "playing":
            self._record_stand_ins()
            places = self._host.seats
            self.on_connections_lost(s for s in self._host.human_seats if places[s].peer is None)
            self.bots.update()

    @property
    def _is_final(self) -> bool:
        """Whether the match has a result that can't be undone."""
        match = self.match
        ended = match is not None and match.state.result is not None
        return ended and not self._host.policy.allows_undo_after_end

    def _set_match(self, match: Match) -> None:
        self.match = match
        if self._host.policy.spares_memory:
            match.limit_memory()
        for viewer in match.viewers:
            match.add_listener(viewer, partial(self._on_news, viewer))

    def _on_news(self, viewer: int, news: Update | Reset) -> None:
        """Collect news of the match until there is some for each viewer, then send all of it."""
        self._news[viewer] = news
        if self.match is not None and len(self._news) == len(self.match.viewers):
            self._drop_wish()
            self._send_news()

    def revert_to(self, match: Match, reason: Reason) -> None:
        """Replace the match with `match`, which was restored from its journal after a failed write.

        The lost moves are refused to their players, who haven't had news
        of them. `reason`: why the write failed.
        """
        lost = self._running.record[len(match.record) :]
        self._set_match(match)
        match.journal = self._host.services.journal
        self._news = {viewer: match.make_reset(viewer) for viewer in match.viewers}
        self._send_to_viewers()
        for entry in lost:
            self._refuse(entry, reason)
        if self.ended is not None or self._is_final:
            self._finish_later()
        else:
            self.phase = "playing"
            self._mark_absent(self.absences.absent_seats, 0)
            self._timers.set("disk", DISK_RETRY_DELAY_S, self.bots.update)

    def _refuse(self, entry: Entry, reason: Reason) -> None:
        """Refuse the move of a lost entry to its player."""
        peer = self._host.seats[entry.seat].peer
        if entry.move is not None and peer is not None:
            self._host.send(peer, Refused(reason, tag_of(Play(entry.seat, entry.move)), entry.seat))

    def abort(self, reason: Reason) -> None:
        """End the match because its journal is lost."""
        self.ended = reason
        self._finish_later()

    def _finish_later(self) -> None:
        """End the match after a delay in which the disk may recover."""
        self.phase = "over"
        self._timers.set("disk", DISK_RETRY_DELAY_S, self._finish)

    def play(self, seat: int, move: Move) -> None:
        """Play `move` for `seat`.

        Raises:
            Illegal: the table is waiting for an absent player, or the rules forbid the move.
        """
        match = self._running
        if self.absences.awaited_seats:
            raise Illegal(PAUSED.with_args(seat=self.absences.awaited_seats[0]))
        match.submit(seat, move)

    def concede(self, seat: int, agreeing: Collection[int]) -> None:
        """Concede for `seat`.

        The match ends if the rules say so, or if all other people are among `agreeing`. Otherwise a
        bot plays on, and the others are asked whether the match should end.
        """
        places, state = self._host.seats, self._running.state
        people = [s for s in self._host.human_seats if not places[s].bot_plays]
        ends = concession_ends_match(state, seat, people) or not set(people).difference(agreeing)
        if ends or state.result is not None:  # raises if the match is over
            self._concede(seat)
            return
        places[seat].bot_plays = True
        self._host.notify(CONCEDES.with_args(seat=seat))
        self.hand_to_bots((seat,))
        self.ending = Concession(seat, tuple(s for s in people if s not in agreeing))
        self._host.send_info()

    def answer_end_wish(self, seat: int, agree: bool) -> None:
        """Handle the answer of `seat` to the question whether the
        match should end after a concession.
        """
        ending = self.ending
        if ending is None or seat not in ending.waiting:
            return  # already settled, or the player is back
        waiting = tuple(s for s in ending.waiting if s != seat)
        self.ending = Concession(ending.seat, waiting) if agree else None
        if not agree:
            self._host.notify(GOES_ON.with_args(seat=seat))
        if agree and not waiting:
            self._concede(ending.seat)
        else:
            self._host.send_info()

    def _concede(self, seat: int) -> None:
        match = self._running
        match.concede(seat)

    def request_undo(self, seat: int, agreeing: tuple[int, ...]) -> None:
        """Undo the last move of `seat`, or ask the other people to agree if the rules require it.

        If they agree, the match goes back to before the latest move of any seat in `agreeing`.

        Raises:
            Illegal: no move can be undone, or none of the moves was made by a seat in `agreeing`.
        """
        match = self._running
        if match.can_undo(seat):
            match.undo(seat)
            return
        if not match.can_undo(None):
            match.undo(None)  # raises Illegal
        if all(ply.seat not in agreeing for ply in reversed(match.plies)):
            raise Illegal(NOTHING_OF_YOURS)
        people = (s for s in self._host.human_seats if not self._host.seats[s].is_played_by_bot)
        self._undo_seats = agreeing
        self.wish = UndoProposal(seat, tuple(s for s in people if s not in agreeing))
        self._undo_if_agreed()
        self._host.send_info()

    def answer_undo_wish(self, seat: int, agree: bool) -> None:
        """Handle the answer of `seat` to the open undo request."""
        wish = self.wish
        if wish is None or seat not in wish.waiting:
            return  # already settled
        if agree:
            self.wish = UndoProposal(wish.seat, tuple(s for s in wish.waiting if s != seat))
            self._undo_if_agreed()
        else:
            self.wish = None
            self._host.notify(DISAGREES.with_args(seat=seat))
        self._host.send_info()

    def _undo_if_agreed(self) -> None:
        """Undo the moves of the open undo request if everyone has agreed."""
        wish, match = self.wish, self.match
        if wish is None or wish.waiting or match is None:
            return
        self.wish = None
        self._is_undoing = True
        try:
            while match.can_undo(None):
                seat = match.plies[-1].seat
                match.undo(None)
                if seat in self._undo_seats:
                    break
        finally:
            self._is_undoing = False
        self.bots.update()

    def _drop_wish(self) -> None:
        if self.wish is not None:
            self.wish = None
            self._host.send_info()

    @property
    def _running(self) -> Match:
        """The running match.

        In other phases, requests that need it are refused earlier (`rights`).
        """
        assert self.match is not None
        return self.match

    # Updates to guests

    def send_state_to(self, peer: Peer, viewers: Iterable[int]) -> None:
        """Send a guest that has joined or returned the complete match as `viewers` see it."""
        match, viewers = self.match, tuple(viewers)
        if self.phase == "shuffling":
            self._host.send(peer, self.seed_shares.shuffle)
            if self.seed_shares.are_all_sealed(self._host.human_seats):
                self._host.send(peer, SharesCommitted(self.number, self.seed_shares.seals))
            return
        if match is None or not viewers:
            return
        if match.fair_start is not None:
            self._host.send(peer, self.seed_shares.shuffle)
            self._host.send(peer, SharesCommitted(self.number, self.seed_shares.seals))
        if self._spectator_feed.is_delayed and peer in self._host.spectators:
            news = self._spectator_feed.view()
        else:
            news = TableNews(
                len(match.record), {viewer: match.make_reset(viewer) for viewer in viewers}
            )
        if news is not None:
            self._host.send(peer, news)
        if self.phase == "over":
            self._host.send(peer, self._proof())

    def _send_news(self) -> None:
        """Send each viewer the effect of the latest entry, then continue or finish the match."""
        self._send_to_viewers()
        if self._is_final:
            self._finish()
        else:
            self.bots.cancel_closed_question()  # the next one waits for the disk
            self._host.services.journal.call_when_synced(self.bots.update)

    def _send_to_viewers(self) -> None:
        match, news, self._news = self.match, self._news, {}
        assert match is not None
        message = TableNews(len(match.record), news)
        self._host.send_to_players(message, match.plies.last.seat)
        self._spectator_feed.show(message.at, news[AUDIENCE])

    def _finish(self) -> None:
        self.phase = "over"
        self.ending = None
        self.absences.stop()
        self._timers.clear()
        self.bots.update()  # drops the open question
        self._spectator_feed.catch_up()
        self._host.save()
        self._host.send_info()
        self._host.send_all(self._proof())

    @property
    def _restarts(self) -> int:
        return max(0, self.sealings - 1)

    @property
    def unfinished_sealings(self) -> int:
        """The value of `sealings` with which the next match starts."""
        played_out = self.match is not None and self.match.state.result is not None
        return 0 if played_out else self.sealings

    def _proof(self) -> MatchProof:
        match = self.match
        assert match is not None
        return MatchProof(
            self.number,
            self._host.plan.game,
            match.players,
            match.state.options,
            self.seed_shares.secret,
            self.seed_shares.shares,
            match.seed,
            tuple(match.record),
            self._restarts,
        )

    # Playtest notes

    def write_note(self, peer: Peer, message: WriteNote) -> None:
        """Save a guest's note on the match.

        Raises:
            Illegal: the note is refused.
        """
        self.notes.write(peer, message, len(self._running.record))
        self.send_notes()

    def send_notes(self) -> None:
        """Send the notes to the table's owner once the match is over."""
        if self.phase == "over":
            self.notes.hand_over()

    # Absent players

    def on_connections_lost(self, seats: Iterable[int]) -> None:
        """Handle lost connections of `seats`. The table pauses after the grace period."""
        self._mark_absent(seats, self._host.timing.grace_s)

    def pause_for(self, seats: Iterable[int]) -> None:
        """Pause immediately, because the players at `seats` have left or are away."""
        self._mark_absent(seats, 0)

    def on_returned(self, seats: Iterable[int]) -> None:
        """Handle the return of the players at `seats`, or bots that take over for them."""
        seats = tuple(seats)
        self.absences.mark_returned(seats)
        if self.phase == "playing":
            self._record_stand_ins()
        if self.ending is not None and self.ending.seat in seats:
            self.ending = None
        if not self.absences.awaited_seats and self.phase == "playing":
            self.bots.update()

    def _record_stand_ins(self) -> None:
        """Record in the match which people are currently replaced by bots."""
        match = self._running
        for seat, place in enumerate(self._host.seats):
            if match.players[seat].kind == "person" and place.bot_plays != (seat in match.bots):
                match.set_stand_in(seat, match.stand_in_level if place.bot_plays else "")

    def _mark_absent(self, seats: Iterable[int], grace: float) -> None:
        seats = tuple(seat for seat in seats if not self._host.seats[seat].bot_plays)
        if self.phase == "shuffling" and seats:
            self._cancel_start(WENT_AWAY.with_args(seat=seats[0]))
        if self.phase == "playing":
            self.absences.mark_absent(seats, grace)

    def decide(self, what: Literal["wait", "bot", "end"]) -> None:
        """Carry out the owner's decision about a match that is paused for absent players.

        Raises:
            Illegal: the match isn't paused.
        """
        waiting = self.absences.awaited_seats
        if not waiting:
            raise Illegal(NOT_NOW)
        match what:
            case "wait":
                self.absences.extend_wait()
            case "bot":
                for seat in waiting:
                    self._host.seats[seat].bot_plays = True
                self.hand_to_bots(waiting)
            case "end":
                self.ended = ENDED
                self._finish()

    def hand_to_bots(self, seats: Iterable[int]) -> None:
        """Let bots play at `seats`, and notify all guests."""
        self._hand_to_bots(seats, self._host.guests)

    def _hand_to_bots(self, seats: Iterable[int], peers: Iterable[Peer]) -> None:
        seats = tuple(seats)
        for seat in seats:
            self._host.send_all(Notice(CARRIED_ON.with_args(seat=seat)), peers)
            if self.wish is not None and self.wish.seat == seat:
                self.wish = None
            self.answer_undo_wish(seat, True)
            self._drop_end_question(seat)
        self.on_returned(seats)
        self._host.save()
        self._host.send_info()

    def _drop_end_question(self, seat: int) -> None:
        """Stop waiting for the answer of `seat` whether the match
        should end, because a bot plays there.
        """
        ending = self.ending
        if ending is not None and seat in ending.waiting:
            waiting = tuple(s for s in ending.waiting if s != seat)
            self.ending = Concession(ending.seat, waiting) if waiting else None

    # Bots

    def let_bot_play(self, peer: Peer, seat: int) -> None:
        """Let a bot play at `seat`, as its player has requested.

        Raises:
            Illegal: no bot can take over.
        """
        self._running.prepare_stand_in(seat, self._running.stand_in_level)  # raises Illegal
        self._host.seats[seat].bot_plays = True
        others = [other for other in self._host.guests if other is not peer]
        self._hand_to_bots((seat,), others)

    def end_stand_in(self, seat: int) -> None:
        """Let the player of `seat` play again instead of a bot.

        Raises:
            Illegal: the match doesn't allow it.
        """
        self._running.prepare_stand_in(seat)  # raises Illegal
        place = self._host.seats[seat]
        place.absent = place.bot_plays = False
        self.on_returned((seat,))
        self._host.save()
        self._host.send_info()

    @property
    def running(self) -> Match | None:
        """The match; None before its start."""
        return self.match

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing will happen until a person does something."""
        return (
            self.phase != "shuffling"
            and self.bots.state == "idle"
            and self.open_bot_question() is None
        )

    def open_bot_question(self) -> Ask | None:
        """Return the question that a bot has to answer next, or None."""
        match, host = self.match, self._host
        if (
            match is None
            or host.is_moving
            or self.phase != "playing"
            or self.absences.awaited_seats
        ):
            return None
        if self._is_undoing:
            return None
        state = match.state
        asks = (ask for ask in state.asks if not ask.optional and ask.id not in state.answers)
        return next((ask for ask in asks if host.seats[ask.seat].is_played_by_bot), None)

    def play_for_bot(self, seat: int, move: Move, trouble: bool) -> None:
        """Play a bot's move; `trouble`: whether the bot failed,
        so that the move is only a legal one.
        """
        if trouble:
            self._host.notify(BOT_TROUBLE.with_args(seat=seat))
        self._running.submit(seat, move)

    # Stop and restart

    def close(self) -> None:
        """Stop all timers and bots."""
        self.bots.close()
        self._timers.clear()
        self._spectator_feed.close()

    def reopen(self) -> None:
        """Continue after `close`. The table pauses again for absent players."""
        self._spectator_feed.reopen()
        self._mark_absent(self.absences.absent_seats, 0)
        self.bots.reopen()
