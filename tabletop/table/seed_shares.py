"""The shares that make up a match's seed: the host's own, and one from each human player.

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
    """The commitments and shares received so far for one match."""

    table: str
    number: int
    """The number of the match at its table."""
    secret: str = ""
    """The host's share."""
    seals: dict[int, str] = {}
    """The players' commitments, by seat."""
    shares: dict[int, str] = {}
    """The players' shares, by seat."""

    @property
    def shuffle(self) -> ShuffleStarted:
        """The message that commits to the host's share and asks players for theirs."""
        return ShuffleStarted(
            self.number, seal_share(self.secret, self.table, self.number, AUDIENCE)
        )

    @property
    def seed(self) -> str:
        """The seed derived from all shares."""
        return derive_seed(self.table, self.number, self.secret, self.shares)

    def are_all_sealed(self, persons: Sized) -> bool:
        """Return whether the players at all seats of `persons` have committed to their shares."""
        return len(self.seals) == len(persons)

    def matches_seal(self, seat: int, share: str) -> bool:
        """Return whether `share` matches the commitment of `seat`."""
        return is_seal_of(self.seals[seat], share, self.table, self.number, seat)

    def fair_start(self, restarts: int) -> FairStart:
        """Return the fair start for the match's record.

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
