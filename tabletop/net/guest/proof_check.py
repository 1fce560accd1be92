"""The check of a host's proof, beside its guest: the match is played again."""

from collections.abc import Callable

from tabletop.net.guest.game_download import BackgroundRunner
from tabletop.net.guest.session import Guest
from tabletop.protocol.fairness import UNVERIFIABLE, Verdict
from tabletop.protocol.messages import Proof


class ProofCheck:
    """The check of the last proof, and its verdict."""

    def __init__(
        self, guest: Guest, on_verdict: Callable[[], None], runner: BackgroundRunner
    ) -> None:
        """`on_verdict` is called after each check."""
        self.verdict: Verdict | None = None
        """Whether shuffle and dice were fair; None while that isn't known."""
        self._guest = guest
        self._on_verdict = on_verdict
        self._runner = runner

    def start(self, proof: Proof) -> None:
        """Judge this proof. It may take a second.

        The other thread may hold the guest, which only the collector lets go of.
        """
        self.verdict = None
        judge = self._guest.check_proof
        self._runner.run_in_background(lambda: (proof, judge(proof)), self._settle, self._fail)

    def _fail(self, error: Exception) -> None:
        if self._guest.proof is not None:
            self._settle((self._guest.proof, UNVERIFIABLE))

    def _settle(self, judged: tuple[Proof, Verdict | None]) -> None:
        proof, self.verdict = judged
        self._guest.record_verdict(proof, self.verdict)
        self._on_verdict()
