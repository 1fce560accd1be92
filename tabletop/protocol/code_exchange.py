"""Guest and host prove to each other that they know a table's code, without sending it (SPAKE2).

The proofs are bound to the table's name and to the certificate that the host shows: a host in the
middle shows another one, so its proofs fit neither side. Somebody who does not know the code learns
from an exchange only whether one guess was right.

The library is loaded for the first exchange: a tenth of the time in which a gateway starts, which
seldom needs one, as it knows its host's certificate.
"""

import hmac
from typing import TYPE_CHECKING

from tabletop.protocol.join_proof import CodeProof

if TYPE_CHECKING:
    from spake2 import SPAKE2_A, SPAKE2_B

GUEST = b"tabletop guest"


class BadShare(ValueError):
    """The other side sent no share of an exchange."""


class HostExchange:
    """The host's side, for one guest at one table's door."""

    def __init__(self, code: str, table: str, fingerprint: str) -> None:
        from spake2 import SPAKE2_B

        self._side = SPAKE2_B(code.encode(), idA=GUEST, idB=_host_identity(table, fingerprint))
        self.share: bytes = self._side.start()

    def answer(self, proof: CodeProof) -> bytes | None:
        """The host's own sign, where the guest has proved that it knows the code. Ask it once."""
        try:
            key = _finish_exchange(self._side, proof.share)
        except BadShare:
            return None
        return (
            _sign(key, b"host") if hmac.compare_digest(proof.sign, _sign(key, b"guest")) else None
        )


def prove_code(code: str, table: str, fingerprint: str, share: bytes) -> tuple[CodeProof, bytes]:
    """The guest's side: its proof, and the sign by which the host must answer.

    Raises:
        BadShare: the host's share is none.
    """
    from spake2 import SPAKE2_A

    side = SPAKE2_A(code.encode(), idA=GUEST, idB=_host_identity(table, fingerprint))
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
