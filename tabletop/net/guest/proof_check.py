"""Checking a host's proof that the match was fair, in a background thread."""

from collections.abc import Callable

from tabletop.net.guest.game_download import BackgroundRunner
from tabletop.net.guest.session import Guest
from tabletop.protocol.fairness import UNVERIFIABLE, Verdict
from tabletop.protocol.messages import MatchProof


class ProofCheck:
    """Checks each proof by replaying the match, and keeps the latest verdict."""

    def __init__(
        self, guest: Guest, on_verdict: Callable[[], None], runner: BackgroundRunner
    ) -> None:
        """`on_verdict`: called in the guest's thread after each check."""
        self.verdict: Verdict | None = None
        """The verdict whether shuffle and dice were fair; None while it is unknown."""
        self._guest = guest
        self._on_verdict = on_verdict
        self._runner = runner

    def start(self, proof: MatchProof) -> None:
        """Check `proof`, which may take a second."""
        self.verdict = None
        # don't capture `self`: the worker thread may outlive it
        check_proof = self._guest.check_proof
        self._runner.run_in_background(
            lambda: (proof, check_proof(proof)), self._settle, self._fail
        )

    def _fail(self, error: Exception) -> None:
        if self._guest.proof is not None:
            self._settle((self._guest.proof, UNVERIFIABLE))

    def _settle(self, judged: tuple[MatchProof, Verdict | None]) -> None:
        proof, self.verdict = judged
        self._guest.record_verdict(proof, self.verdict)
        self._on_verdict()
