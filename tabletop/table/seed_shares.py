"""The shares of which a match's seed is made: the host's own, and those of all human players.

Each share is first committed to, then revealed. `tabletop.protocol.fairness` explains why.
"""

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
    """The commitments and shares received so far."""

    table: str
    number: int
    """The number of the match at its table."""
    secret: str = ""
    """The host's share."""
    seals: dict[int, str] = {}
    shares: dict[int, str] = {}

    @property
    def shuffle(self) -> ShuffleStarted:
        """The message with the commitment to the host's share, which asks players for theirs."""
        return ShuffleStarted(
            self.number, seal_share(self.secret, self.table, self.number, AUDIENCE)
        )

    @property
    def seed(self) -> str:
        """The seed made of all shares."""
        return derive_seed(self.table, self.number, self.secret, self.shares)

    def are_all_sealed(self, persons: Sized) -> bool:
        """Return whether all of `persons` have committed to their shares."""
        return len(self.seals) == len(persons)

    def matches_seal(self, seat: int, share: str) -> bool:
        """Return whether `share` is the one that `seat` has committed to."""
        return is_seal_of(self.seals[seat], share, self.table, self.number, seat)

    def fair_start(self, restarts: int) -> FairStart:
        """Return the start for the record.

        `restarts`: the number of earlier starts that failed after their commitments were published.
        """
        return FairStart(
            self.table,
            self.number,
            self.shuffle.digest,
            self.secret,
            dict(self.seals),
            dict(self.shares),
            restarts,
        )
