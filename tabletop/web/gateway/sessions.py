"""The browser sessions of a gateway: finding the session for a hello,
expiry, and shared services.
"""

import asyncio
import hmac
import logging
from collections.abc import Callable, Collection

from msgspec.structs import replace

from tabletop.background.tasks import Tasks
from tabletop.bots.bot_pool import BotPool
from tabletop.caches.lru_cache import LruCache
from tabletop.engine.model import Reason
from tabletop.net.guess_limit import GuessRateLimiter
from tabletop.net.guest.join_attempt import ProofAllowance, Ticket
from tabletop.net.limits import FailureLimiter, Limits
from tabletop.protocol.invitation import Address, BadInvitation, extract_code
from tabletop.protocol.messages import TableInfo
from tabletop.web import seat_token
from tabletop.web.browser_presence import PresenceTiming
from tabletop.web.browser_session import ENTER_CODE, TOO_MANY_CODES, BrowserArrival, BrowserSession
from tabletop.web.drawer import Drawer, NoDrawer, PictureOrder
from tabletop.web.gateway.host_search import HostSearch
from tabletop.web.pictures import Pictures
from tabletop.web.table_link import parse_table_link
from tabletop.web.wire import HelloRequest

log = logging.getLogger("tabletop.web")

REACTION_DELAY_MS = 2000
"""The delay before any answer to a reaction question is sent, so that passing
takes as long as answering.
"""
SEAT_TIMEOUT_S = 600.0
"""How long a session with a seat outlives its socket, in seconds.
Phones often turn their screens off.
"""
MAX_SESSIONS = 200
"""The maximum number of sessions, with or without a connected browser."""
MAX_WRONG_CODES, WRONG_CODE_WINDOW_S = 10, 300
"""How many wrong codes one address may send within a window, and the window in seconds."""
MAX_ALLOWANCES = 1000
"""For how many codes the number of proofs is limited across sessions."""
WRONG_CODE = Reason("That code is not right, or its table is gone.")
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
        learned_fingerprint: str = "",
        vouched_fingerprints: Callable[[], Collection[str]] = tuple,
        lingers: float = SEAT_TIMEOUT_S,
        pause: int = REACTION_DELAY_MS,
        presence: PresenceTiming = PresenceTiming(),  # noqa: B008  # frozen
        public_page: bool = False,
        takes_games: bool = False,
        limits: Limits = Limits(),  # noqa: B008  # frozen
    ) -> None:
        """`place`: the host's address, with the fingerprint of its certificate if the operator
        knows it.
        `code`: the code of the only table, which is checked here and never sent to the host if
        wrong; empty if browsers may join any table.
        `bot_pool`: the bots that compute hints; None for no hints.
        `learned_fingerprint`: the fingerprint that the host had on an earlier visit.
        `vouched_fingerprints` returns the fingerprints that the operator vouches for now.
        `presence`: how long users count as present without a browser.
        `public_page`: whether to show the server's listed tables and open matches to everybody.
        `takes_games`: whether to download missing games without program code from the host.
        `limits`: a host's limits, for the rate of code attempts.
        """
        self.place = place
        self.drawer = drawer or NoDrawer()
        self.pictures = Pictures(self.drawer)
        self.art = self.drawer.version
        self.bot_pool = bot_pool
        self.pause = pause
        self._presence = presence
        self.takes_games = takes_games
        self.tries = FailureLimiter(MAX_WRONG_CODES, WRONG_CODE_WINDOW_S)
        self.guesses = GuessRateLimiter(limits)
        """The rate limit for code attempts."""
        self._code = code
        self._table = ""
        self._learned = learned_fingerprint
        self._vouched_fingerprints = vouched_fingerprints
        self._allowances: LruCache[str, ProofAllowance] = LruCache(MAX_ALLOWANCES)
        self._lingers = lingers
        self.public_page = public_page
        self._sessions: dict[BrowserSession, asyncio.TimerHandle | None] = {}
        """The sessions, each with the timer that ends it while no browser is connected."""
        self._by_key: dict[str, BrowserSession] = {}
        """The sessions with a seat, by `seat_key`."""
        self._closing = Tasks()
        self._unshown: dict[BrowserSession, None] = {}
        """The sessions with a queued page, in order."""
        self._showing: asyncio.Handle | None = None
        self._search = HostSearch(self._try_place)

    async def close(self) -> None:
        """Close all sessions. Their seats are kept as after a lost connection."""
        await self.pictures.close()
        await self._search.close()
        for session in tuple(self._sessions):
            self._end(session)
        await self._closing.wait()

    # Shared by all sessions

    def note_info(self, info: TableInfo) -> None:
        """Store the new code of the gateway's only table, if the code has changed."""
        if self._code and info.code:
            self._table = self._table or info.table
            if info.table == self._table:
                self._code = info.code

    def on_host_moved(self, place: Address) -> None:
        """Handle the move of the table to another host."""
        self.place = place

    def on_host_lost(self) -> None:
        """Start looking for the host at a new address."""
        self._search.start(replace(self.place, fingerprint=self._known_fingerprint))

    @property
    def _known_fingerprint(self) -> str:
        return self.place.fingerprint or self._learned

    def trusts(self, fingerprint: str) -> bool:
        """Return whether the gateway itself knows that the host may have this `fingerprint`.

        If the operator vouches for it now, it replaces the known fingerprint.
        """
        if fingerprint == self._known_fingerprint:
            return bool(fingerprint)
        if fingerprint not in self._vouched_fingerprints():
            return False
        if self._known_fingerprint:
            log.warning("the host has another certificate fingerprint=%s", fingerprint)
        self.place = replace(self.place, fingerprint=fingerprint)
        return True

    def note_entered(self, place: Address, proved_code: str) -> None:
        """Store the address of the host that admitted a browser.

        A proof of this gateway's own code also proves the certificate. Any other code is a
        browser's: it counts only if no certificate is known yet.
        """
        if proved_code and proved_code == self._code:
            self.place = replace(self.place, fingerprint=place.fingerprint)
        elif proved_code and not self._known_fingerprint:
            self._learned = place.fingerprint
        if place.fingerprint == self._known_fingerprint:
            self.place = replace(place, slot=self.place.slot, fingerprint=self.place.fingerprint)

    def _try_place(self, place: Address) -> None:
        """Make every session try the host at an announced address. The certificate must match."""
        for session in tuple(self._sessions):
            session.add_place(place)

    def note_seat(self, session: BrowserSession, token: str, before: str) -> None:
        """Update the index of sessions by seat after the session's token changed from `before` to
        `token`. A token is empty if there is no seat.
        """
        before, now = seat_token.seat_key(before), seat_token.seat_key(token)
        if before != now and self._by_key.get(before) is session:
            del self._by_key[before]
        if now:
            self._by_key[now] = session

    def order(self, session: BrowserSession, order: PictureOrder | None) -> None:
        """Order a picture for the session; None cancels its pictures."""
        self.pictures.order(session, order)

    def show(self, session: BrowserSession) -> None:
        """Queue a page for the session.

        Pages are built one at a time, and messages are handled in between. A session that waits
        gets several changes on one page.
        """
        self._unshown[session] = None
        if self._showing is None:
            self._showing = asyncio.get_running_loop().call_soon(self._show_next)

    def _show_next(self) -> None:
        session = next(iter(self._unshown))
        del self._unshown[session]
        again = asyncio.get_running_loop().call_soon
        self._showing = again(self._show_next) if self._unshown else None
        session.send_page()

    # Hellos

    def needs_code_attempt(self, hello: HelloRequest, address: str) -> bool:
        """Return whether `hello` has a code that this gateway has to check itself."""
        if not self._code or (self.public_page and parse_table_link(hello.code)):
            return False
        if hello.token and seat_token.parse_token(hello.token):
            return False
        return bool(_code_of(hello)) and not self.tries.is_exhausted(address)

    def open_session(
        self, hello: HelloRequest, language: str, address: str
    ) -> BrowserSession | Reason:
        """Return the session that `hello` leads to, or the reason for a refusal."""
        way = parse_table_link(hello.code) if self.public_page else None
        scanned = "" if self._code or not hello.scanned else _code_of(hello)
        known = self._by_key.get(seat_token.seat_key(hello.token)) if hello.token else None
        leaves = way is not None and seat_token.table_id(hello.token) != way.table
        ticket: Ticket | Reason | None = None
        if (
            hello.token
            and not leaves
            and not (known is not None and known.is_at_other_table(scanned))
        ):
            resumes = known is not None and known.can_resume and known.origin == address
            if known is not None and resumes and not hello.trusts:
                known.scanned = scanned
                return known
            ticket = self._ticket_by_token(hello, address)
            if ticket is not None and known is not None:  # the phone may have missed starts
                ticket = replace(ticket, starts=known.guest.ticket.starts or ticket.starts)
        if ticket is None and way is not None:
            ticket = Ticket(way.table, fingerprint=self._known_fingerprint)
        ticket = ticket or self._ticket_by_code(hello, address)
        if isinstance(ticket, Reason):
            return ticket
        if len(self._sessions) >= MAX_SESSIONS and not self._make_room():
            return FULL
        if hello.trusts:
            ticket = replace(ticket, fingerprint=hello.trusts)
        arrival = BrowserArrival(
            ticket,
            address,
            language,
            policy=hello.policy or "able",
            back=hello.back,
            scanned=scanned,
            watches=way is not None and way.watches,
            allowance=self._allowance_of(ticket.code),
        )
        session = BrowserSession(self, arrival, self._presence)
        self._sessions[session] = None
        if session.token:
            self._by_key[seat_token.seat_key(session.token)] = session
        return session

    def _ticket_by_token(self, hello: HelloRequest, address: str) -> Ticket | None:
        """Return the ticket for the seat whose token is in `hello`, if the token is valid.

        Its code is the token's, or the code that the user has entered for the seat.
        """
        ticket = seat_token.parse_token(hello.token, self.place.fingerprint)
        if ticket is None:
            return None
        code = ticket.code
        if hello.typed or not code:
            code = _code_of(hello) or code
        if self.tries.is_exhausted(address):
            code = ""
        return replace(ticket, code=code, fingerprint=ticket.fingerprint or self._learned)

    def _allowance_of(self, code: str) -> ProofAllowance | None:
        """Return the limit on proofs of `code`, unless `code` is empty."""
        if not code:
            return None
        allowance = self._allowances.get(code) or ProofAllowance()
        self._allowances.put(code, allowance)
        return allowance

    def _ticket_by_code(self, hello: HelloRequest, address: str) -> Ticket | Reason:
        """Return the ticket for the table whose code is in `hello`, or the reason for a refusal."""
        if not hello.code:
            return ENTER_CODE
        if self.tries.is_exhausted(address):
            return TOO_MANY_CODES
        code = _code_of(hello)
        if not code:
            return WRONG_CODE
        if self._code:
            if not hmac.compare_digest(code, self._code):
                self.tries.add_failure(address)
                return WRONG_CODE
            self.guesses.give_back_turn(address)
        return Ticket("", code, fingerprint=self._known_fingerprint)

    def _make_room(self) -> bool:
        """End the session that has been without a browser for longest.
        Return whether there was one.
        """
        gone = next((session for session, end in self._sessions.items() if end is not None), None)
        if gone is not None:
            self._end(gone)
        return gone is not None

    def retain(self, session: BrowserSession) -> None:
        """Keep the session alive while a browser is connected."""
        end = self._sessions.get(session)
        if end is not None:
            end.cancel()
        self._sessions[session] = None

    def release(self, session: BrowserSession) -> None:
        """Schedule the end of a session whose browser has disconnected.
        End it at once if it has no seat, or if a browser that comes back couldn't resume it.
        """
        if session not in self._sessions or session.screen.attached:
            return
        if not session.token or not session.can_resume:
            self._end(session)
            return
        loop = asyncio.get_running_loop()
        del self._sessions[session]
        self._sessions[session] = loop.call_later(self._lingers, self._end, session)

    def _end(self, session: BrowserSession) -> None:
        end = self._sessions.pop(session, None)
        if end is not None:
            end.cancel()
        key = seat_token.seat_key(session.token)
        if self._by_key.get(key) is session:
            del self._by_key[key]
        self._closing.start(session.close())


def _code_of(hello: HelloRequest) -> str:
    """Return the code of a hello; "" if it has none."""
    try:
        return extract_code(hello.code)
    except BadInvitation:
        return ""
