"""The check of a host's proof, beside its guest: the match is played again."""

from collections.abc import Callable

from tabletop.net.guest.game_download import Workplace
from tabletop.net.guest.session import Guest
from tabletop.protocol.fairness import UNVERIFIABLE, Verdict
from tabletop.protocol.messages import MatchProof


class ProofCheck:
    """The check of the last proof, and its verdict."""

    def __init__(self, guest: Guest, judged: Callable[[], None], workplace: Workplace) -> None:
        """`judged` is called after each check."""
        self.verdict: Verdict | None = None
        """Whether shuffle and dice were fair; None while that isn't known."""
        self._guest = guest
        self._judged = judged
        self._workplace = workplace

    def begin(self, proof: MatchProof) -> None:
        """Judge this proof. It may take a second.

        The other thread may hold the guest, which only the collector lets go of.
        """
        self.verdict = None
        judge = self._guest.judge
        self._workplace.run_beside(lambda: (proof, judge(proof)), self._settle, self._fail)

    def _fail(self, error: Exception) -> None:
        if self._guest.proof is not None:
            self._settle((self._guest.proof, UNVERIFIABLE))

    def _settle(self, judged: tuple[MatchProof, Verdict | None]) -> None:
        proof, self.verdict = judged
        self._guest.settle(proof, self.verdict)
        self._judged()
