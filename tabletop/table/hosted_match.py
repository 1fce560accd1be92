"""One match at a shared table: the fair start, moves, undo, absences, and the proof."""

from collections.abc import Collection, Iterable
from functools import partial
from typing import Literal

from tabletop.engine.model import AUDIENCE, Ask, Move, Reason
from tabletop.engine.play import Illegal
from tabletop.match.history import Entry
from tabletop.match.match import Match, Reset, Update
from tabletop.match.stand_ins import ends_match
from tabletop.protocol.codec import tag
from tabletop.protocol.fairness import new_share
from tabletop.protocol.match_notes import WriteNote
from tabletop.protocol.messages import (
    Committed,
    Concession,
    Notice,
    Phase,
    Play,
    Proof,
    Refused,
    TableNews,
    Wish,
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
DISK_AGAIN = 5.0
"""Seconds until what the disk has refused is tried again."""
BOT_TROUBLE = Reason("{seat} had a problem and made an easy move.", code="bot_trouble")
CARRIED_ON = Reason("A bot plays for {seat} now.", code="carried_on")
CONCEDES = Reason("{seat} concedes.", code="concedes")
GOES_ON = Reason("{seat} wants to play on, so the match continues.", code="goes_on")


class HostedMatch:
    """A match from its start to its proof; before its start it's only the phase `gathering`."""

    def __init__(self, host: MatchHost, number: int, sealings: int = 0) -> None:
        self.number = number
        self.sealings = sealings
        """The number of starts whose shares were all sealed, and published from then on, since the
        last match that was played to its end."""
        self.phase: Phase = "gathering"
        self.seed_shares = SeedShares(host.table, number)
        self.match: Match | None = None
        self.notes = TableNotes(host, number)
        self.wish: Wish | None = None
        self.ending: Concession | None = None
        self.ended: Reason | None = None
        self._host = host
        self._news: dict[int, Update | Reset] = {}
        self._undoing: tuple[int, ...] = ()
        """The seats up to whose last move the open wish goes back."""
        self._going_back = False
        """Whether several moves are being undone: bots aren't asked about those in between."""
        self._timers = Timers(host.services.later)
        self.bots = BotDriver(
            self, host.plan.game, host.kit.meaning, host.services.bots, self._timers, host.bot_pace
        )
        plan = host.plan
        self.absences = Absences(self._timers, plan.patience, host.send_info)
        self._spectator_feed = SpectatorFeed(
            plan.delay if plan.spectators == "delayed" else 0,
            host.services.later,
            lambda update: host.tell_all(update, host.spectators),
        )

    # The fair start

    def shuffle(self) -> None:
        """Seal the host's share and ask everybody for theirs."""
        host = self._host
        self.phase = "shuffling"
        self.seed_shares = SeedShares(host.table, self.number, new_share())
        host.send_info()
        host.tell_all(self.seed_shares.shuffle)
        self._timers.set("sealing", host.pace.sealing, lambda: self._call_off(NO_SHARE))
        self._deal_when_sealed()

    def commit(self, seat: int, seal: str) -> None:
        """Take a seat's sealed share."""
        seals = self.seed_shares.seals
        if seat in seals:
            return  # sent again after a reconnect: the first seal holds
        seals[seat] = seal
        if self.seed_shares.sealed_by(self._host.persons):
            self.sealings += 1
            self._host.keep()
            self._host.tell_all(Committed(self.number, seals))

    def reveal(self, seat: int, share: str) -> None:
        """Take a seat's share, once all are sealed."""
        if self.seed_shares.shares.get(seat) == share:
            return  # sent again after a reconnect
        if not self.seed_shares.sealed_by(self._host.persons):
            raise Illegal(NOT_NOW)
        if not self.seed_shares.fits(seat, share):
            self._call_off(WRONG_SHARE.with_args(seat=seat))
            return
        self.seed_shares.shares[seat] = share
        self._deal_when_sealed()

    def _deal_when_sealed(self) -> None:
        host = self._host
        if len(self.seed_shares.shares) < len(host.persons):
            return
        self._timers.cancel("sealing")
        players = [place.player() for place in host.places]
        kit, options = host.kit, dict(host.plan.options)
        self._take(Match(kit, players, options, self.seed_shares.seed))
        assert self.match is not None
        self.match.fair_start = self.seed_shares.start(self._restarts)
        host.services.journal.begin(self.match, self.number)
        self.match.journal = host.services.journal
        self.phase = "playing"
        host.keep()
        host.send_info()
        self._news = {viewer: self.match.reset(viewer) for viewer in self.match.viewers}
        self._tell_news()

    def _call_off(self, reason: Reason) -> None:
        """Cancel the start: everybody gathers again, and has to be ready again."""
        self._timers.cancel("sealing")
        self.phase = "gathering"
        self.number -= 1
        self.notes = TableNotes(self._host, self.number)
        self.seed_shares = SeedShares(self._host.table, self.number)
        for place in self._host.places:
            place.ready = False
        self._host.send_info()
        self._host.notify(reason)

    # The match

    def resume(self, match: Match, phase: Phase, shares: SeedShares, ended: Reason | None) -> None:
        """Continue a match; its players without a connection are absent."""
        self._take(match)
        self.phase = phase
        self.seed_shares = shares
        self.ended = ended
        match.journal = self._host.services.journal
        self._spectator_feed.show(len(match.record), match.reset(AUDIENCE))
        if self._ends:
            self.phase = "over"
        if self.phase == "over":
            self._spectator_feed.catch_up()
        if self.phase == "playing":
            self._note_stand_ins()
            places = self._host.places
            self.note_lost_connection(s for s in self._host.persons if places[s].peer is None)
            self.bots.wake()

    @property
    def _ends(self) -> bool:
        """Whether the match has a result that stands."""
        match = self.match
        ended = match is not None and match.state.result is not None
        return ended and not self._host.policy.undo_after_end

    def _take(self, match: Match) -> None:
        self.match = match
        if self._host.policy.spares_memory:
            match.spare_memory()
        for viewer in match.viewers:
            match.listen(viewer, partial(self._hear, viewer))

    def _hear(self, viewer: int, news: Update | Reset) -> None:
        """Collect the match's news until each viewer's is there, then send them."""
        self._news[viewer] = news
        if self.match is not None and len(self._news) == len(self.match.viewers):
            self._unwish()
            self._tell_news()

    def show_again(self, match: Match, reason: Reason) -> None:
        """Show the match as its journal has it, and refuse the moves that were lost: their news
        was never sent.

        Args:
            match: What the journal has.
            reason: Why the disk refused the rest.
        """
        lost = self._running.record[len(match.record) :]
        self._take(match)
        match.journal = self._host.services.journal
        self._news = {viewer: match.reset(viewer) for viewer in match.viewers}
        self._tell()
        for entry in lost:
            self._refuse(entry, reason)
        if self.ended is not None or self._ends:
            self._finish_later()
        else:
            self.phase = "playing"
            self._miss(self.absences.missing, 0)
            self._timers.set("disk", DISK_AGAIN, self.bots.wake)

    def _refuse(self, entry: Entry, reason: Reason) -> None:
        """Refuse the move of an entry to its player, who has had no news of it."""
        peer = self._host.places[entry.seat].peer
        if entry.move is not None and peer is not None:
            self._host.tell(peer, Refused(reason, tag(Play(entry.seat, entry.move)), entry.seat))

    def give_up(self, reason: Reason) -> None:
        """End the match: its journal is lost."""
        self.ended = reason
        self._finish_later()

    def _finish_later(self) -> None:
        """End the match, and give the disk that has just refused something time."""
        self.phase = "over"
        self._timers.set("disk", DISK_AGAIN, self._finish)

    def play(self, seat: int, move: Move) -> None:
        """Play a seat's answer.

        Raises:
            Illegal: the table waits for a player, or the rules don't admit the move.
        """
        match = self._running
        if self.absences.seats:
            raise Illegal(PAUSED.with_args(seat=self.absences.seats[0]))
        match.submit(seat, move)

    def concede(self, seat: int, agreeing: Collection[int]) -> None:
        """Concede for a seat: the match ends, or a bot plays on there unless all the others agree
        to end it, who aren't among those `agreeing` already."""
        places, state = self._host.places, self._running.state
        people = [s for s in self._host.persons if not places[s].bot_plays]
        ends = ends_match(state, seat, people) or not set(people).difference(agreeing)
        if ends or state.result is not None:  # of a match that is over, it says why not
            self._end_by(seat)
            return
        places[seat].bot_plays = True
        self._host.notify(CONCEDES.with_args(seat=seat))
        self.carry_on((seat,))
        self.ending = Concession(seat, tuple(s for s in people if s not in agreeing))
        self._host.send_info()

    def consent_to_end(self, seat: int, agree: bool) -> None:
        """Take a seat's answer whether the match ends after a concession."""
        ending = self.ending
        if ending is None or seat not in ending.waiting:
            return  # it was answered meanwhile, or the player is back
        waiting = tuple(s for s in ending.waiting if s != seat)
        self.ending = Concession(ending.seat, waiting) if agree else None
        if not agree:
            self._host.notify(GOES_ON.with_args(seat=seat))
        if agree and not waiting:
            self._end_by(ending.seat)
        else:
            self._host.send_info()

    def _end_by(self, seat: int) -> None:
        """End the match by this seat's concession."""
        match = self._running
        match.concede(seat)

    def take_back(self, seat: int, agreeing: tuple[int, ...]) -> None:
        """Undo a seat's last move at once if it may, else by consent of all the last move of any
        of the seats `agreeing`."""
        match = self._running
        if match.can_undo(seat):
            match.undo(seat)
            return
        if not match.can_undo(None):
            match.undo(None)  # says why not
        if all(ply.seat not in agreeing for ply in reversed(match.plies)):
            raise Illegal(NOTHING_OF_YOURS)
        people = (s for s in self._host.persons if not self._host.places[s].bot)
        self._undoing = agreeing
        self.wish = Wish(seat, tuple(s for s in people if s not in agreeing))
        self._grant()
        self._host.send_info()

    def consent(self, seat: int, agree: bool) -> None:
        """Take a seat's answer to the wish to undo."""
        wish = self.wish
        if wish is None or seat not in wish.waiting:
            return  # the wish was answered or overtaken meanwhile
        if agree:
            self.wish = Wish(wish.seat, tuple(s for s in wish.waiting if s != seat))
            self._grant()
        else:
            self.wish = None
            self._host.notify(DISAGREES.with_args(seat=seat))
        self._host.send_info()

    def _grant(self) -> None:
        """Undo up to and with the last move that is wished to be undone, if all agree."""
        wish, match = self.wish, self.match
        if wish is None or wish.waiting or match is None:
            return
        self.wish = None
        self._going_back = True
        try:
            while match.can_undo(None):
                seat = match.plies[-1].seat
                match.undo(None)
                if seat in self._undoing:
                    break
        finally:
            self._going_back = False
        self.bots.wake()

    def _unwish(self) -> None:
        if self.wish is not None:
            self.wish = None
            self._host.send_info()

    @property
    def _running(self) -> Match:
        """The match that is played: requests about it come in no other phase (`rights`)."""
        assert self.match is not None
        return self.match

    # Updates to guests

    def show_to(self, peer: Peer, viewers: Iterable[int]) -> None:
        """Show the whole table to a guest who comes or returns."""
        match, viewers = self.match, tuple(viewers)
        if self.phase == "shuffling":
            self._host.tell(peer, self.seed_shares.shuffle)
            if self.seed_shares.sealed_by(self._host.persons):
                self._host.tell(peer, Committed(self.number, self.seed_shares.seals))
            return
        if match is None or not viewers:
            return
        if match.fair_start is not None:
            self._host.tell(peer, self.seed_shares.shuffle)
            self._host.tell(peer, Committed(self.number, self.seed_shares.seals))
        if self._spectator_feed.behind and peer in self._host.spectators:
            news = self._spectator_feed.view()
        else:
            news = TableNews(len(match.record), {viewer: match.reset(viewer) for viewer in viewers})
        if news is not None:
            self._host.tell(peer, news)
        if self.phase == "over":
            self._host.tell(peer, self._proof())

    def _tell_news(self) -> None:
        """Send everybody what the last entry of the record did, and go on."""
        self._tell()
        if self._ends:
            self._finish()
        else:
            self._host.services.journal.call_when_synced(self.bots.wake)

    def _tell(self) -> None:
        match, news, self._news = self.match, self._news, {}
        assert match is not None
        message = TableNews(len(match.record), news)
        self._host.tell_players(message, match.plies.last.seat)
        self._spectator_feed.show(message.at, news[AUDIENCE])

    def _finish(self) -> None:
        self.phase = "over"
        self.ending = None
        self.absences.end()
        self._timers.clear()
        self.bots.wake()  # which has no question any more
        self._spectator_feed.catch_up()
        self._host.keep()
        self._host.send_info()
        self._host.tell_all(self._proof())

    @property
    def _restarts(self) -> int:
        return max(0, self.sealings - 1)

    @property
    def unfinished_sealings(self) -> int:
        """The number from which the next match counts its `sealings`."""
        played_out = self.match is not None and self.match.state.result is not None
        return 0 if played_out else self.sealings

    def _proof(self) -> Proof:
        match = self.match
        assert match is not None
        return Proof(
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
        """Keep a guest's note on the match.

        Raises:
            Illegal: the note isn't taken.
        """
        self.notes.write(peer, message, len(self._running.record))
        self.hand_over_notes()

    def hand_over_notes(self) -> None:
        """Send the notes to the table's host once the match is over."""
        if self.phase == "over":
            self.notes.hand_over()

    # Waiting for somebody

    def note_lost_connection(self, seats: Iterable[int]) -> None:
        """Note that the connection to these seats broke: the table waits a moment, then pauses."""
        self._miss(seats, self._host.pace.grace)

    def pause_for(self, seats: Iterable[int]) -> None:
        """Pause at once: these players said that they are away."""
        self._miss(seats, 0)

    def came_back(self, seats: Iterable[int]) -> None:
        """Note that these players are back, or bots play for them."""
        seats = tuple(seats)
        self.absences.note_return(seats)
        if self.phase == "playing":
            self._note_stand_ins()
        if self.ending is not None and self.ending.seat in seats:
            self.ending = None
        if not self.absences.seats and self.phase == "playing":
            self.bots.wake()

    def _note_stand_ins(self) -> None:
        """Keep in the record which seats of people bots play now."""
        match = self._running
        for seat, place in enumerate(self._host.places):
            if match.players[seat].kind == "person" and place.bot_plays != (seat in match.bots):
                match.change_seat(seat, match.stand_in_level if place.bot_plays else "")

    def _miss(self, seats: Iterable[int], grace: float) -> None:
        seats = tuple(seat for seat in seats if not self._host.places[seat].bot_plays)
        if self.phase == "shuffling" and seats:
            self._call_off(WENT_AWAY.with_args(seat=seats[0]))
        if self.phase == "playing":
            self.absences.miss(seats, grace)

    def decide(self, what: Literal["wait", "bot", "end"]) -> None:
        """Decide about a match that waits for absent players."""
        waiting = self.absences.seats
        if not waiting:
            raise Illegal(NOT_NOW)
        match what:
            case "wait":
                self.absences.wait_on()
            case "bot":
                for seat in waiting:
                    self._host.places[seat].bot_plays = True
                self.carry_on(waiting)
            case "end":
                self.ended = ENDED
                self._finish()

    def carry_on(self, seats: Iterable[int]) -> None:
        """Let bots play at these seats from now on, and tell everybody."""
        self._hand_to_bots(seats, self._host.guests)

    def _hand_to_bots(self, seats: Iterable[int], told: Iterable[Peer]) -> None:
        seats = tuple(seats)
        for seat in seats:
            self._host.tell_all(Notice(CARRIED_ON.with_args(seat=seat)), told)
            if self.wish is not None and self.wish.seat == seat:
                self.wish = None
            self.consent(seat, True)
            self._ask_no_more(seat)
        self.came_back(seats)
        self._host.keep()
        self._host.send_info()

    def _ask_no_more(self, seat: int) -> None:
        """A bot plays at a seat that was asked whether the match ends: it ends only by people."""
        ending = self.ending
        if ending is not None and seat in ending.waiting:
            waiting = tuple(s for s in ending.waiting if s != seat)
            self.ending = Concession(ending.seat, waiting) if waiting else None

    # Bots

    def let_bot_play(self, peer: Peer, seat: int) -> None:
        """Let a bot play at a seat, at its player's request."""
        self._running.stand_in(seat, self._running.stand_in_level)  # says why not
        self._host.places[seat].bot_plays = True
        others = [other for other in self._host.guests if other is not peer]
        self._hand_to_bots((seat,), others)

    def play_again(self, seat: int) -> None:
        """Let the player of a seat play again, for whom a bot has played."""
        self._running.stand_in(seat)  # says why not
        place = self._host.places[seat]
        place.absent = place.bot_plays = False
        self.came_back((seat,))
        self._host.keep()
        self._host.send_info()

    @property
    def running(self) -> Match | None:
        """The match; None before its start."""
        return self.match

    @property
    def at_rest(self) -> bool:
        """Whether nothing happens until a person does something."""
        return self.phase != "shuffling" and self.bots.state == "idle" and self.asked_bot() is None

    def asked_bot(self) -> Ask | None:
        """Return the question that a bot is to answer now."""
        match, host = self.match, self._host
        if match is None or host.moving or self.phase != "playing" or self.absences.seats:
            return None
        if self._going_back:
            return None
        state = match.state
        asks = (ask for ask in state.asks if not ask.optional and ask.id not in state.answers)
        return next((ask for ask in asks if host.places[ask.seat].bot), None)

    def play_for_bot(self, seat: int, move: Move, trouble: bool) -> None:
        """Play a bot's answer; `trouble`: the bot failed, and the move is an easy one."""
        if trouble:
            self._host.notify(BOT_TROUBLE.with_args(seat=seat))
        self._running.submit(seat, move)

    # Stopping, and going on

    def close(self) -> None:
        """Stop all timers."""
        self.bots.close()
        self._timers.clear()
        self._spectator_feed.close()

    def go_on(self) -> None:
        """Continue after `close`: absent players are missed again."""
        self._spectator_feed.go_on()
        self._miss(self.absences.missing, 0)
        self.bots.reopen()
