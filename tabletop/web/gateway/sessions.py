"""The sessions of a gateway's browsers: which one a hello leads to, how long it is kept, and what
all of them share."""

import asyncio
import hmac
from collections.abc import Callable

from msgspec.structs import replace

from tabletop.background.tasks import Tasks
from tabletop.bots.bot_pool import BotPool
from tabletop.engine.model import Reason
from tabletop.net.guess_limit import GuessLimit
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.limits import FailureLimiter, Limits
from tabletop.protocol.invitation import Address, BadInvitation, code_in
from tabletop.protocol.messages import TableInfo
from tabletop.web import seat_token
from tabletop.web.browser_session import COME_IN, TOO_OFTEN, Arrival, BrowserSession
from tabletop.web.drawer import Drawer, NoDrawer, PictureOrder
from tabletop.web.gateway.host_search import HostSearch
from tabletop.web.pictures import Pictures
from tabletop.web.table_link import table_link
from tabletop.web.wire import SaysHello

PAUSE = 2000
"""Milliseconds before an answer to a chance to react goes out, whether it was given or passed."""
LINGERS = 600.0
"""Seconds that a seat stays at the table after its browser went: telephones go dark often."""
MOST_SESSIONS = 200
"""Seats that are held, with their browsers or without."""
CODES, CODE_WINDOW = 10, 300
"""Wrong codes from one address, in so many seconds."""
WRONG = Reason("That code is not right, or its table is gone.")
FULL = Reason("Too many browsers are connected. Try again later.")


class Sessions:
    """All sessions of one gateway."""

    def __init__(
        self,
        place: Address,
        drawer: Drawer | None = None,
        *,
        code: str = "",
        bot_pool: BotPool | None = None,
        trust: Callable[[str], None] = lambda fingerprint: None,
        lingers: float = LINGERS,
        pause: int = PAUSE,
        public_page: bool = False,
        takes_games: bool = False,
        limits: Limits = Limits(),  # noqa: B008  # frozen
    ) -> None:
        """`place`: where the host is. `code`: of its one table, where browsers come to no other;
        then a wrong one never reaches the host. `bot_pool` thinks about
        hints; without it no hints are given. `trust` is given the
        certificate of a host that has proved to know the code of a table. `public_page`: everybody
        is shown the server's listed tables and open matches, with links to them. `takes_games`:
        games without program code that are not here are taken from the host. `limits`: of those of
        a host, how fast codes may be tried.
        """
        self.place = place
        self.drawer = drawer or NoDrawer()
        self.pictures = Pictures(self.drawer)
        self.art = self.drawer.version
        self.bot_pool = bot_pool
        self.pause = pause
        self.takes_games = takes_games
        self.tries = FailureLimiter(CODES, CODE_WINDOW)
        self.guesses = GuessLimit(limits)
        """The turns of browsers that try a code."""
        self._code = code
        self._table = ""
        self._trust = trust
        self._lingers = lingers
        self.public_page = public_page
        self._sessions: dict[BrowserSession, asyncio.TimerHandle | None] = {}
        """The sessions, each with the timer that ends it while no browser looks."""
        self._by_key: dict[str, BrowserSession] = {}
        """The sessions with a seat, by the key to it."""
        self._closing = Tasks()
        self._unshown: dict[BrowserSession, None] = {}
        """The sessions with something new to show, the longest waiting first."""
        self._showing: asyncio.Handle | None = None
        self._search = HostSearch(self._try_place)

    async def close(self) -> None:
        """Leave all tables as a lost line would."""
        await self.pictures.close()
        await self._search.close()
        for session in tuple(self._sessions):
            self._end(session)
        await self._closing.wait()

    # What they share

    def note_info(self, info: TableInfo) -> None:
        """Note a table's facts: where all come to one table, its code may be a new one."""
        if self._code and info.code:
            self._table = self._table or info.table
            if info.table == self._table:
                self._code = info.code

    def on_host_moved(self, place: Address) -> None:
        """Note that the table is hosted elsewhere now."""
        self.place = place

    def on_host_lost(self) -> None:
        """Note that the host can't be reached just now: it may have another address."""
        self._search.begin(self.place)

    def note_entered(self, place: Address, fingerprint: str) -> None:
        """Note where the host let a browser in; from now on it must show the certificate by which
        it was believed."""
        if fingerprint and self.place.fingerprint != fingerprint:
            self._trust(fingerprint)
        self.place = replace(place, slot=self.place.slot)

    def _try_place(self, place: Address) -> None:
        """Try where the host announces itself; its certificate has to prove that."""
        for session in tuple(self._sessions):
            session.add_place(place)

    def note_seat(self, session: BrowserSession, token: str, before: str) -> None:
        """Note that a session has a seat, or none any more."""
        before, now = seat_token.key_of(before), seat_token.key_of(token)
        if before != now and self._by_key.get(before) is session:
            del self._by_key[before]
        if now:
            self._by_key[now] = session

    def order(self, session: BrowserSession, order: PictureOrder | None) -> None:
        """Order a picture for a session."""
        self.pictures.order(session, order)

    def show(self, session: BrowserSession) -> None:
        """Have a session make its page once those before it have: one at a time, and messages are
        received between two, so that a waiting session shows what they changed, and not twice."""
        self._unshown[session] = None
        if self._showing is None:
            self._showing = asyncio.get_running_loop().call_soon(self._show_next)

    def _show_next(self) -> None:
        session = next(iter(self._unshown))
        del self._unshown[session]
        again = asyncio.get_running_loop().call_soon
        self._showing = again(self._show_next) if self._unshown else None
        session.make_page()

    # Hellos

    def tries_code(self, hello: SaysHello, address: str) -> bool:
        """Whether a hello has a code that is to be tried here, and not at the host."""
        if not self._code or (self.public_page and table_link(hello.code)):
            return False
        if hello.token and seat_token.read(hello.token, self.place.fingerprint):
            return False
        return bool(_code_of(hello)) and not self.tries.is_exhausted(address)

    def session(self, hello: SaysHello, language: str, address: str) -> BrowserSession | Reason:
        """Return the session that a hello leads to; else why there is none."""
        way = table_link(hello.code) if self.public_page else None
        scanned = "" if self._code or not hello.scanned else _code_of(hello)
        known = self._by_key.get(seat_token.key_of(hello.token)) if hello.token else None
        leaves = way is not None and seat_token.table_of(hello.token) != way.table
        ticket: Ticket | Reason | None = None
        if hello.token and not leaves and not (known is not None and known.is_not_of(scanned)):
            if known is not None and known.state == "open" and known.origin == address:
                known.scanned = scanned
                return known
            ticket = seat_token.read(hello.token, self.place.fingerprint)
            if ticket is not None and known is not None:  # a dark phone has missed what was dealt
                ticket = replace(ticket, starts=known.guest.ticket.starts or ticket.starts)
        if ticket is None and way is not None:
            ticket = Ticket(way.table, fingerprint=self.place.fingerprint)
        ticket = ticket or self._ticket_by_code(hello, address)
        if isinstance(ticket, Reason):
            return ticket
        if len(self._sessions) >= MOST_SESSIONS and not self._make_room():
            return FULL
        watches = way is not None and way.watches
        policy = hello.policy or "able"
        arrival = Arrival(ticket, address, language, policy, hello.back, scanned, watches)
        session = BrowserSession(self, arrival)
        self._sessions[session] = None
        if session.token:
            self._by_key[seat_token.key_of(session.token)] = session
        return session

    def _ticket_by_code(self, hello: SaysHello, address: str) -> Ticket | Reason:
        """The way to the table of a hello's code; else why it leads to none."""
        if not hello.code:
            return COME_IN
        if self.tries.is_exhausted(address):
            return TOO_OFTEN
        code = _code_of(hello)
        if not code:
            return WRONG
        if self._code:
            if not hmac.compare_digest(code, self._code):
                self.tries.fail(address)
                return WRONG
            self.guesses.give_back_turn(address)
        return Ticket("", code, fingerprint=self.place.fingerprint)

    def _make_room(self) -> bool:
        """End the session whose browser is gone for longest."""
        gone = next((session for session, end in self._sessions.items() if end is not None), None)
        if gone is not None:
            self._end(gone)
        return gone is not None

    def keep(self, session: BrowserSession) -> None:
        """Keep the session while a browser looks."""
        end = self._sessions.get(session)
        if end is not None:
            end.cancel()
        self._sessions[session] = None

    def let_go(self, session: BrowserSession) -> None:
        """Release a session that no browser looks at: a seat is kept for a while, all else ends."""
        if session not in self._sessions or session.screen.attached:
            return
        if not session.token or session.state == "over":
            self._end(session)
            return
        loop = asyncio.get_running_loop()
        del self._sessions[session]
        self._sessions[session] = loop.call_later(self._lingers, self._end, session)

    def _end(self, session: BrowserSession) -> None:
        end = self._sessions.pop(session, None)
        if end is not None:
            end.cancel()
        key = seat_token.key_of(session.token)
        if self._by_key.get(key) is session:
            del self._by_key[key]
        self._closing.start(session.close())


def _code_of(hello: SaysHello) -> str:
    """The code of a hello; empty where it has none."""
    try:
        return code_in(hello.code)
    except BadInvitation:
        return ""
