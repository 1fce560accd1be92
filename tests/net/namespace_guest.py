"""A guest on a computer of a test's network, which writes what happens to it.

    python -m tests.net.namespace_guest LINK [SEAT]

Each line on standard output is a word, the seconds since the event that it answers, and a text:
`inside`, `lost`, `ended`, `alarm`. It ends with its standard input.
"""

import asyncio
import sys
from time import monotonic

from tabletop.catalogue import catalogue
from tabletop.net.guest.connection import Connection
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.net.guest.session import Guest
from tabletop.protocol.invitation import addresses_in, parse_invitation
from tabletop.protocol.messages import Refused, TableInfo, TableJoined
from tabletop.table.connection_events import ChangedCertificate, Event, Lost, News


class Witness:
    """A guest that says what happens."""

    def __init__(self, text: str, seat: int) -> None:
        link = parse_invitation(text)
        self._since = monotonic()
        self._seat = seat
        (place,) = addresses_in(link)
        destination = Destination(place, table=link.table, is_pinned=bool(link.fingerprint))
        self.line = Connection(destination, self._hear)
        self.guest = Guest(catalogue.load, self.line.send)
        self.guest.listen(self._note)
        self.guest.join(Ticket(link.table, link.code, fingerprint=link.fingerprint))
        self.line.start()

    def tell(self, word: str, text: str) -> None:
        print(word, round(monotonic() - self._since, 3), text or "-", flush=True)

    def _hear(self, event: Event) -> None:
        self.guest.on_event(event)
        match event:
            case ChangedCertificate(reason=reason):
                self.tell("alarm", reason.code)
            case Lost(reason=reason, retry_in_s=None):
                self.tell("ended", f"{reason.code} {reason.args}")
            case Lost(reason=reason):
                self.tell("lost", reason.code)
                self._since = monotonic()

    def _note(self, news: News) -> None:
        match news:
            case TableJoined():
                self.tell("inside", self.line.address.hosts[0])
            case TableInfo() if self._seat >= 0 and not self.guest.seats:
                self.guest.sit(self._seat, f"Guest {self._seat}")
                self._seat = -1
            case Refused(reason=reason) if self.guest.is_wrong_host(news):
                self.line.reject_host(reason, self.guest.host_fingerprint)
            case Refused(reason=reason):
                self.tell("ended", reason.code)


async def main(link: str, seat: int) -> None:
    witness = Witness(link, seat)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await witness.line.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else -1))
