"""SPAKE2 exchange by which guest and host prove to each other that they know a table's code.

Neither side sends the code. The proofs are bound to the table's ID and to the host's certificate. A
man in the middle has another certificate, so neither side accepts its proofs. Somebody without the
code can test one guess per exchange.

The SPAKE2 library is imported at the first exchange, because the import takes a tenth of a
gateway's start time and a gateway seldom needs it.
"""

import hmac
from typing import TYPE_CHECKING

from tabletop.protocol.join_proof import CodeProof

if TYPE_CHECKING:
    from spake2 import SPAKE2_A, SPAKE2_B

GUEST_IDENTITY = b"tabletop guest"


class BadShare(ValueError):
    """Raised if the other side's share isn't valid."""


class HostExchange:
    """The host's side of an exchange with one guest about one table."""

    def __init__(self, code: str, table: str, fingerprint: str) -> None:
        from spake2 import SPAKE2_B

        self._side = SPAKE2_B(
            code.encode(), idA=GUEST_IDENTITY, idB=_host_identity(table, fingerprint)
        )
        self.share: bytes = self._side.start()

    def confirm(self, proof: CodeProof) -> bytes | None:
        """Return the host's own confirmation, or None unless `proof` shows that
        the guest knows the code.

        This method must be called only once per exchange.
        """
        try:
            key = _finish_exchange(self._side, proof.share)
        except BadShare:
            return None
        return (
            _sign(key, b"host") if hmac.compare_digest(proof.sign, _sign(key, b"guest")) else None
        )


def prove_code(code: str, table: str, fingerprint: str, share: bytes) -> tuple[CodeProof, bytes]:
    """Return the guest's proof that it knows `code`, and the confirmation that
    the host must send back.

    Args:
        share: The host's share of the key exchange for `table`.
        fingerprint: The fingerprint of the host's certificate.

    Raises:
        BadShare: `share` isn't valid.
    """
    from spake2 import SPAKE2_A

    side = SPAKE2_A(code.encode(), idA=GUEST_IDENTITY, idB=_host_identity(table, fingerprint))
    own = side.start()
    key = _finish_exchange(side, share)
    return CodeProof(own, _sign(key, b"guest")), _sign(key, b"host")


def _host_identity(table: str, fingerprint: str) -> bytes:
    return f"tabletop host {fingerprint} {table}".encode()


def _finish_exchange(side: "SPAKE2_A | SPAKE2_B", share: bytes) -> bytes:
    from spake2 import SPAKEError
    from spake2.ed25519_basic import NotOnCurve

    if len(share) != 33:
        raise BadShare("of another length")
    try:
        return bytes(side.finish(share))
    except (SPAKEError, NotOnCurve, ValueError) as error:
        raise BadShare(str(error)) from error


def _sign(key: bytes, side: bytes) -> bytes:
    return hmac.digest(key, side, "sha256")
