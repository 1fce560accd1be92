"""The host's certificate: made once, signed by nobody, known by its fingerprint."""

import ssl
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.files.atomic_write import make_folder
from tabletop.files.errors import disk_trouble
from tabletop.files.regular_file import KIB
from tabletop.files.small_file import SmallFile, Unsound, tell
from tabletop.text.phrases import phrase

FILE = "host.pem"
END = b"-----END CERTIFICATE-----\n"
BROKEN = phrase(
    '"{file}" was damaged and moved to "{aside}". This computer now hosts with a new '
    "certificate, so earlier guests are asked whether to trust it."
)
OTHER_KEY = phrase(
    '"{file}" has the key of another certificate and was moved to "{aside}". This computer now '
    "hosts with a new certificate, so earlier guests are asked whether to trust it."
)
LOCKED = phrase(
    '"{file}" has a key with a passphrase and was moved to "{aside}". This computer now hosts with '
    "a new certificate, so earlier guests are asked whether to trust it."
)
EXPIRED = phrase(
    'The certificate in "{file}" expired on {date}. Guests with this program trust it all the '
    "same; browsers may not."
)
YEARS = 20
"""It is pinned, not vouched for: to make a new one every year would only frighten guests."""


class Certificate(Struct, frozen=True):
    """A certificate with its key, in one file."""

    path: Path
    fingerprint: str
    """SHA-256 of the certificate, as hexadecimal text: what a guest pins."""

    def context(self, kind: type[ssl.SSLContext] = ssl.SSLContext) -> ssl.SSLContext:
        """The TLS configuration of a host."""
        return _make_context(self.path, kind)


def certificate(folder: Path) -> Certificate:
    """The certificate of this computer; made at the first time, and where it was damaged.

    Raises:
        StorageError: it cannot be read or written.
    """
    path = folder / FILE
    try:
        make_folder(folder, 0o700)
    except OSError as error:
        raise disk_trouble(error, path.name) from error
    content = SmallFile(path, partial(_check_certificate, path), bytes, BROKEN, most=64 * KIB).make(
        _make_certificate
    )
    loaded = x509.load_pem_x509_certificate(content)
    if (end := loaded.not_valid_after_utc) < datetime.now(UTC):
        tell(Reason(EXPIRED, {"file": path.name, "date": f"{end:%Y-%m-%d}"}))
    return Certificate(path, fingerprint(loaded.public_bytes(serialization.Encoding.DER)))


def _check_certificate(path: Path, content: bytes) -> bytes:
    """The content of a file, if it is a certificate that a host can speak TLS by.

    Raises:
        ValueError: it is none.
    """
    if b"ENCRYPTED" in content:
        raise Unsound(LOCKED)
    if not content.endswith(END):
        raise ValueError("something follows the certificate")
    loaded = x509.load_pem_x509_certificate(content)
    try:
        loaded.verify_directly_issued_by(loaded)
        _make_context(path)
    except ssl.SSLError as error:
        wrong = OTHER_KEY if error.reason == "KEY_VALUES_MISMATCH" else BROKEN
        raise Unsound(wrong) from error
    except (InvalidSignature, TypeError, UnsupportedAlgorithm) as error:
        raise ValueError("no certificate with its key") from error
    return content


def _make_context(path: Path, kind: type[ssl.SSLContext] = ssl.SSLContext) -> ssl.SSLContext:
    context = kind(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0  # no guest resumes a session: it comes back by its tokens
    context.load_cert_chain(path)
    return context


def fingerprint(der: bytes) -> str:
    """The SHA-256 of a certificate in DER, as hexadecimal text."""
    return sha256(der).hexdigest()


def guest_context() -> ssl.SSLContext:
    """The TLS configuration of a guest: no authority vouches for a host, its fingerprint is
    compared."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _make_certificate() -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tabletop")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=365 * YEARS))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return private + made.public_bytes(serialization.Encoding.PEM)
