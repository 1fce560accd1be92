"""One browser at the gateway: a guest at the host, and the socket while there is one.

A session outlives its socket: a phone that goes dark is away from the gateway, not from the table.
Everything happens in the gateway's loop.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

from tabletop.background.tasks import Tasks
from tabletop.bots.bot_pool import BotPool
from tabletop.bots.hint import HintService
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import AUDIENCE, NO_CARD, Reason
from tabletop.engine.play import Illegal
from tabletop.engine.refusals import NOT_OFFERED
from tabletop.games.drawing_names import BROKEN_DRAWING
from tabletop.language.languages import known_language
from tabletop.language.table_status import CutOff
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.match.reactions import PassPolicy
from tabletop.match.seat import Reacting, Seat
from tabletop.net.guest.connection import Connection, ConnectionSettings
from tabletop.net.guest.game_taking import GameTaking, LoopWorkplace
from tabletop.net.guest.host_absence import HostAbsence
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.lacking_game import LackingGame
from tabletop.net.guest.player_names import named_players
from tabletop.net.guest.proof_check import ProofCheck
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.net.guest.rematch_wish import RematchWish
from tabletop.net.guest.session import Guest
from tabletop.net.limits import Tries
from tabletop.protocol.invitation import Address
from tabletop.protocol.match_notes import SENT, NoteTaken
from tabletop.protocol.messages import (
    Committed,
    Entered,
    Farewell,
    Notice,
    Proof,
    Refused,
    Seated,
    TableInfo,
    TableNews,
)
from tabletop.protocol.seat_codes import WRONG_SEAT_CODE
from tabletop.protocol.table_people import may_answer
from tabletop.protocol.table_transfer import TableMoved, WillYouHost
from tabletop.table.connection_events import ChangedCertificate, Event, Lost, News
from tabletop.web import seat_token, seats
from tabletop.web.answer_ids import AnswerIds, SaidAnswer
from tabletop.web.cards import picture_order
from tabletop.web.drawer import PictureOrder
from tabletop.web.frame_words import welcome
from tabletop.web.loopback_address import loopback_address
from tabletop.web.page import page, remark
from tabletop.web.page_context import PageContext
from tabletop.web.send_queue import SendQueue
from tabletop.web.wire import (
    AnswersBrowser,
    KeepsToken,
    Looks,
    NotifiesBrowser,
    SaysBye,
    ShowsCodeForm,
    ShowsPage,
    ToBrowser,
)

OPENED_ELSEWHERE = Reason("Your seat was opened in another window or on another phone.")
COME_IN = Reason("Enter the table's code, which is on its screen.")
TOO_OFTEN = Reason("Too many wrong codes came from there. Wait some minutes.")
NOT_YOURS = Reason("Your seat has been taken.")


class Surroundings(Protocol):
    """The gateway's services for a session."""

    art: str
    """The version of the pictures; empty where there are none."""
    bot_pool: BotPool | None
    """Thinks about hints; None: no hints are given."""
    takes_games: bool
    """Whether a game without program code that is not here is taken from the host."""
    tries: Tries
    """The wrong codes of tables and seats, by the sessions' origins."""
    pause: int
    """Milliseconds in which nobody can tell an answer that was thought about from a pass."""

    @property
    def place(self) -> Address:
        """The place of the host."""
        ...

    def note_info(self, info: TableInfo) -> None:
        """Note a table's facts."""

    def note_move(self, place: Address) -> None:
        """Note that the table is hosted elsewhere now."""

    def note_entered(self, place: Address, fingerprint: str) -> None:
        """Note where the host let the browser in, and by which certificate it was believed."""

    def note_lost(self) -> None:
        """Note that the host can't be reached just now."""

    def note_seat(self, session: "BrowserSession", token: str, before: str) -> None:
        """Note that the session has a seat and its token, or (empty) none any more."""

    def order(self, session: "BrowserSession", order: PictureOrder | None) -> None:
        """Order a picture for the session; None: no more, and it has none."""

    def show(self, session: "BrowserSession") -> None:
        """Have the session make its page, in its turn."""


class BrowserSession:
    """The session of one browser."""

    def __init__(
        self,
        around: Surroundings,
        ticket: Ticket,
        language: str,
        way: PassPolicy,
        origin: str,
        back: bool,
    ) -> None:
        """`origin`: what is counted of where the browser comes from. `back`: its person wants a
        seat again that went elsewhere."""
        self._around = around
        self.hints = _make_hint_service(around.bot_pool)
        """Finds hints; None: no hints are given."""
        self.origin = origin
        self.language = language
        self.way: PassPolicy = way
        self.send_queue: SendQueue | None = None
        self.token = seat_token.write(ticket)
        self.guest = Guest(catalogue.load, lambda message: self._line.send(message), can_host=False)
        self.guest.listen(self._hear_guest)
        self.watching = False
        self.scanned = ""
        """The code by which the browser comes, besides its token; only its own table is shown."""
        self.wants_ready = bool(self.token)
        self.rematch = RematchWish(self.guest)
        self.answers = AnswerIds(self.confirm, self.say_why)
        self.looks = Looks(n=1)
        self.tasks = Tasks()
        here = LoopWorkplace(self.tasks)
        self._taking = GameTaking(
            self.guest, self._takes, self._hear, self._show_code_form, workplace=here
        )
        self._proof_check = ProofCheck(self.guest, self._note_verdict, here)
        settings = ConnectionSettings(
            source=loopback_address(origin),
            searches=False,  # a gateway has hundreds of them
            is_limited=True,
        )
        self._line = Connection(Destination(around.place, returning=True), self._hear, settings)
        self._sitting: Seat | None = None
        """The own seat, once it is heard."""
        self._absence = HostAbsence()
        self._stops: list[Callable[[], None]] = []
        self._words: tuple[object, Words] | None = None
        self._broken = ""
        """The broken drawing that was shown last."""
        self.over = False
        """Whether the host has ended the line for good."""
        self.closed = False
        self.guest.called = Words(language)("A phone")
        self.guest.enter(ticket, back)
        self._line.start()

    # The socket

    def attach(self, send_queue: SendQueue) -> None:
        """Attach a browser; the one before is notified of it."""
        if self.send_queue is not None:
            self.send_queue.tell(SaysBye(text=self.words()(OPENED_ELSEWHERE.text)))
            self.detach(self.send_queue)
        self.send_queue = send_queue
        self.welcome()
        if self.token:
            self.tell(KeepsToken(token=self.token))
        self.show()

    def detach(self, send_queue: SendQueue) -> None:
        """Detach a browser whose socket is closed."""
        if self.send_queue is send_queue:
            self.send_queue = None
            self.look(Looks(n=1))

    def look(self, looks: Looks) -> None:
        """Note how the browser looks at the table's picture, if at all."""
        self.looks = looks
        if looks.whole or not looks.width:
            self._around.order(self, None)

    def tell(self, message: ToBrowser) -> None:
        """Send the browser a message, if it's there."""
        if self.send_queue is not None:
            self.send_queue.tell(message)

    def welcome(self) -> None:
        """Send the browser the texts of its frame."""
        self.tell(welcome(self.language))

    async def close(self) -> None:
        """End the session: the seat waits for its player."""
        self.closed = True
        await self.tasks.cancel()
        self._sit(None)
        self.look(Looks(n=1))
        await self._line.close()

    def leave(self) -> None:
        """Leave for good: the seat is free, or waits for somebody else."""
        self.guest.leave()
        self._leave_hints()
        self._keep_token()
        self.watching, self.closed = False, True  # older updates show no page any more
        self.tell(ShowsCodeForm(text=self.words()(COME_IN.text)))

    def take_over(self, seat: int, code: str) -> None:
        """Take over a person's seat, by its code or because it was freed."""
        if self._around.tries.is_exhausted(self.origin):
            raise Illegal(TOO_OFTEN)
        self.guest.take_over(seat, code)

    # State

    @property
    def info(self) -> TableInfo | None:
        return self.guest.info

    @property
    def kit(self) -> Kit | None:
        """The game of the table; None where nothing is known of it, or it cannot be read."""
        if self.info is None:
            return None
        try:
            return catalogue.load(self.info.plan.game)
        except LookupError:
            return None

    @property
    def number(self) -> int:
        """The own seat, or AUDIENCE."""
        return next(iter(self.guest.seats), AUDIENCE)

    def is_not_of(self, code: str) -> bool:
        """Whether the session is known to be of another table than this code (empty: no code)."""
        return bool(code and self.info is not None and self.info.code not in ("", code))

    @property
    def inside(self) -> bool:
        return self.guest.connection_state == "inside"

    @property
    def seat(self) -> Seat | None:
        """The own seat, or the audience's for who only watches."""
        guest = self.guest
        if self.number == AUDIENCE:
            return guest.audience
        seat = guest.own_seats.get(self.number) if self.kit is not None else None
        if seat is not self._sitting:
            self._sit(seat)
        return seat

    def words(self) -> Words:
        """The words for this browser: the same object as long as they would be equal."""
        made_of = self.language, self.kit, self.guest.players
        if self._words is None or self._words[0] != made_of:
            language = known_language(self.kit, self.language) if self.kit else self.language
            self._words = made_of, Words(language, self.kit, self._players)
        return self._words[1]

    @property
    def _players(self) -> tuple[Player, ...]:
        return named_players(self.guest.players, self.language)

    def context(self, kit: Kit) -> PageContext:
        """The context of a page."""
        return PageContext(
            kit=kit,
            players=self._players,
            info=self.info,
            connected=self.inside,
            cut_off=self._cut_off(),
            way=self.way,
            chat=tuple(self.guest.chat[-seats.CHAT_LINES :]),
            verdict=self._proof_check.verdict,
            advises=self.hints is not None,
            again=self.rematch.said,
            seat_code=self.guest.codes.get(self.number, ""),
            features=self.guest.features,
            art=self._around.art,
        )

    def _cut_off(self) -> CutOff | None:
        """What is known of a host that stays away."""
        if self.inside or not self._absence.lasting:
            return None
        return CutOff(self._absence.farewell, again=True, gone=True)

    def _sit(self, seat: Seat | None) -> None:
        """Hear of another seat from now on, and no more of the one before."""
        if self._sitting is not None:
            self._sitting.react(None)
        for stop in self._stops:
            stop()
        self._sitting, self._stops, self.answers.unconfirmed = seat, [], None
        self._leave_hints()
        if seat is None or (kit := self.kit) is None:
            return
        self._proof_check.verdict = None
        policy = self._pass_policy
        seat.react(Reacting(kit.meaning, policy, lambda: self._around.pause, _call_later))
        self._stops = [
            seat.on_update(lambda _: self.show()),
            seat.on_refusal(self._refuse_answer),
        ]
        if self.hints is not None:
            self.hints.attend(seat)

    def _leave_hints(self) -> None:
        if self.hints is not None:
            self.hints.close()

    def _pass_policy(self) -> PassPolicy:
        """The player's wish about reactions; nothing is passed while they can't answer."""
        return self.way if may_answer(self.info, self.number) else "ask"

    def reconsider(self) -> None:
        """Apply another pass policy that the player has chosen, or that holds now."""
        if self._sitting is not None:
            self._sitting.reconsider()
        self.show()

    # Pages and notices

    def show(self) -> None:
        """Show the page, once everything that comes at once has come."""
        self._around.show(self)

    def make_page(self) -> None:
        """Send the page as it is now."""
        kit, info = self.kit, self.info
        if self.send_queue is None or info is None or kit is None or self.closed:
            return
        if self.is_not_of(self.scanned):
            self._show_code_form(COME_IN)  # the page knows the code, and comes by it alone
            return
        seat, words, context = self.seat, self.words(), self.context(kit)
        if info.phase == "playing" and seat is None and self.number != AUDIENCE:
            return  # a returning player sees the match at once, without the seats
        if info.phase in ("playing", "over") and seat is not None:
            self.tell(ShowsPage(page=page(seat, context, words)))
            self._order(seat, context, words)
        else:
            self.tell(seats.lobby(info, self.number, context, words))

    def _order(self, seat: Seat, context: PageContext, words: Words) -> None:
        looks = self.looks
        size = looks.width, looks.height
        order = picture_order(seat, context, words.language, looks.known_theme, size)
        self._around.order(self, order if all(size) and context.art else None)

    def add_place(self, place: Address) -> None:
        """Look for the host at this place as well."""
        self._line.add_place(place)

    def note(self, reason: Reason, good: bool = False) -> None:
        """Show a notice."""
        shown = remark(reason, self.words(), self.seat)
        self.tell(NotifiesBrowser(text=shown.text, paragraph=shown.paragraph, good=good))

    def note_broken(self, drawing: str) -> None:
        """Show once what is wrong with a drawing; "" if nothing is."""
        if drawing and drawing != self._broken:
            self._broken = drawing
            self.note(Reason(BROKEN_DRAWING, {"told": self.words().fault(drawing)}))

    def confirm(self, to: int) -> None:
        """Confirm message number `to`."""
        self.tell(AnswersBrowser(to=to, taken=True))

    def say_why(self, to: int, reason: Reason) -> None:
        """Answer message number `to` with a reason: why it is refused, or what it asked for."""
        shown = remark(reason, self.words(), self.seat)
        self.tell(AnswersBrowser(to=to, text=shown.text, paragraph=shown.paragraph))

    # Messages of the host

    def _takes(self, lacking: LackingGame) -> bool:
        if not (lacking.can_be_taken and self._around.takes_games):
            self._show_code_form(lacking.served)
        return lacking.can_be_taken and self._around.takes_games

    def _hear(self, news: Event) -> None:
        if self.closed or (event := self._taking.admit(news)) is None:
            return
        self._absence.note(event)
        policy = self._pass_policy()
        self.guest.hear(event)
        if self._pass_policy() != policy:
            self.reconsider()
        match event:
            case ChangedCertificate(reason=reason):
                self._show_code_form(reason)
                return
            case NoteTaken():
                self.note(SENT, good=True)
            case Lost():
                self._around.note_lost()
                if self.info is None:
                    self._show_code_form(event.reason)
            case Entered():
                self._around.note_entered(self._line.place, self.guest.ticket.fingerprint)
                self._keep_token()
                if self.watching:
                    self._act(self.guest.watch)
            case Seated():
                self._keep_token()
            case TableInfo():
                self._around.note_info(event)
                self._make_ready(event)
            case TableMoved(addresses=hosts, port=port, fingerprint=found):
                self._around.note_move(Address(hosts, port, found))
            case Proof():
                self._proof_check.begin(event)
            case Committed():  # the deal is part of the token
                self._keep_token()
            case TableNews():
                self._keep_token()
                self._settle()
            case WillYouHost():  # of an older host
                self._act(self.guest.decline)
            case Refused():
                self._take_refusal(event)
            case Farewell(reason=reason, back=False, displaced=displaced):
                if not displaced:
                    self._keep_token()
                self.over = True
                self.tell(SaysBye(text=self.words().reason(reason)))
            case _:
                self._settle()
        self.show()

    def _hear_guest(self, news: News) -> None:
        """Show the host's notices and the guest's own warnings."""
        if isinstance(news, Notice):
            (self.note if self.info is not None else self._show_code_form)(news.reason)

    def _take_refusal(self, refused: Refused) -> None:
        if refused.of in ("play", "take_back") and self._sitting is not None:
            pass  # the seat has told (`_refuse_answer`)
        elif refused.of in ("enter", "hello", "ask_doors"):
            if not self.token and not refused.closed:
                self._around.tries.fail(self.origin)
            self._keep_token()
            self._show_code_form(refused.reason)
        else:
            if refused.reason.code == WRONG_SEAT_CODE.code:
                self._around.tries.fail(self.origin)
            self.note(refused.reason)

    def _refuse_answer(self, reason: Reason) -> None:
        """The own seat was refused something: its answer, if that is not on its way any more."""
        answer = self.answers.unconfirmed
        if answer is not None and self._sitting is not None and self._sitting.pending is None:
            self.answers.refuse(answer, reason)
        else:
            self.note(reason)

    def _show_code_form(self, reason: Reason) -> None:
        self.tell(ShowsCodeForm(text=self.words().reason(reason)))

    def _keep_token(self) -> None:
        before, self.token = self.token, seat_token.write(self.guest.ticket)
        if self.token != before:
            self.tell(KeepsToken(token=self.token))
            self._around.note_seat(self, self.token, before)
            if before and not self.token and self.inside:
                self.note(NOT_YOURS)

    def _make_ready(self, info: TableInfo) -> None:
        """Make the player ready: they sat down by phone, or wished another match."""
        seat = self.number
        if info.phase != "gathering" or seat == AUDIENCE or not self.inside:
            return
        if self.rematch.said:
            self.wants_ready = False
            self._act(self.rematch.heed)
        elif info.round and info.sitters[seat].state == "here":
            self.wants_ready = False  # a match is over: players who play on say so
        elif self.wants_ready:
            self.wants_ready = False
            self._act(partial(self.guest.set_ready, seat))

    def _settle(self) -> None:
        """Confirm the answer that is under way, once the host has received it."""
        answer, seat = self.answers.unconfirmed, self.guest.own_seats.get(self.number)
        if answer is None or seat is None:
            return
        if answer.move.ask not in seat.asked:
            self.answers.count(answer)
        elif seat.pending is None and self.inside:
            self.give(answer)  # shown the table afresh: it never came there

    def give(self, answer: SaidAnswer) -> None:
        """Answer for the own seat."""
        seat, move = self.seat, answer.move
        assert seat is not None
        if any(offer.admits(move) for offer in seat.offers.get(move.ask, ())):
            self.answers.unconfirmed = answer
            seat.send(move)
        else:
            reasons = (seat.why(card, move.target) for card in move.cards or (NO_CARD,))
            self.answers.refuse(answer, next(filter(None, reasons), NOT_OFFERED))
        self.show()

    def _note_verdict(self) -> None:
        self._keep_token()
        self.show()

    def _act(self, do: Callable[[], object]) -> None:
        with suppress(Illegal):  # the line broke: what still matters is sent after a reconnect
            do()


def _call_later(milliseconds: int, do: Callable[[], None]) -> Callable[[], None]:
    return asyncio.get_running_loop().call_later(milliseconds / 1000, do).cancel


def _make_hint_service(bot_pool: BotPool | None) -> HintService | None:
    if bot_pool is None:
        return None
    loop = asyncio.get_running_loop()
    return HintService(
        lambda: bot_pool, lambda take: lambda future: loop.call_soon_threadsafe(take, future)
    )
