"""The shares that the seed of one match is made of: the host's own, and of every seat first the
seal, then the share. How and why: `tabletop.protocol.fairness`."""

from collections.abc import Sized

from msgspec import Struct

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.match.match import FairStart
from tabletop.protocol.fairness import derive_seed, is_seal_of, seal_share
from tabletop.protocol.messages import ShuffleStarted

WRONG_SHARE = Reason(
    "{seat}'s share of the seed does not fit its seal. The match did not start.", code="wrong_share"
)
NO_SHARE = Reason(
    "Not every player's program answered in time. The match did not start.", code="no_share"
)
WENT_AWAY = Reason("{seat} went away. The match did not start.", code="went_away")


class SeedShares(Struct):
    """The shares that have come in so far."""

    table: str
    number: int
    """The number of the match at this table."""
    secret: str = ""
    """The host's share."""
    seals: dict[int, str] = {}
    shares: dict[int, str] = {}

    @property
    def shuffle(self) -> ShuffleStarted:
        """The host's share, sealed: everybody is asked for theirs."""
        return ShuffleStarted(
            self.number, seal_share(self.secret, self.table, self.number, AUDIENCE)
        )

    @property
    def seed(self) -> str:
        """The seed that they make."""
        return derive_seed(self.table, self.number, self.secret, self.shares)

    def sealed_by(self, persons: Sized) -> bool:
        """Whether all of these have sealed theirs."""
        return len(self.seals) == len(persons)

    def fits(self, seat: int, share: str) -> bool:
        """Whether this is the share that the seat has sealed."""
        return is_seal_of(self.seals[seat], share, self.table, self.number, seat)

    def start(self, restarts: int) -> FairStart:
        """The whole start for the record, and the number of starts before that failed after their
        shares were published."""
        return FairStart(
            self.table,
            self.number,
            self.shuffle.digest,
            self.secret,
            dict(self.seals),
            dict(self.shares),
            restarts,
        )
