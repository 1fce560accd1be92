"""The host's TLS certificate, which guests identify by its fingerprint.

The certificate is either self-signed and created once, or the operator's own with its chain.
"""

import re
import ssl
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.x509.oid import NameOID
from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.files.atomic_write import make_folder
from tabletop.files.errors import write_error
from tabletop.files.regular_file import KIB
from tabletop.files.small_file import (
    DAMAGE_ERRORS,
    InvalidContent,
    SmallFile,
    notify_user,
    set_aside,
)
from tabletop.text.phrases import phrase

FILE = "host.pem"
BLOCK = re.compile(rb"-----BEGIN ([A-Z0-9 ]+)-----\n.*?-----END \1-----", re.DOTALL)
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
NO_KEY = phrase(
    '"{file}" has a certificate without its private key and was moved to "{aside}". This computer '
    "now hosts with a new certificate, so earlier guests are asked whether to trust it."
)
NO_CERTIFICATE = phrase(
    '"{file}" has no certificate and was moved to "{aside}". This computer now hosts with a new '
    "certificate, so earlier guests are asked whether to trust it."
)
NOT_PEM = phrase(
    '"{file}" isn\'t in PEM format, with lines like "-----BEGIN CERTIFICATE-----", and was moved '
    'to "{aside}". This computer now hosts with a new certificate, so earlier guests are asked '
    "whether to trust it."
)
UNUSABLE = phrase(
    '"{file}" has a key or signature that is too weak or of a kind that TLS 1.3 doesn\'t know, and '
    'was moved to "{aside}". This computer now hosts with a new certificate, so earlier guests are '
    "asked whether to trust it."
)
EXPIRED = phrase(
    'The certificate in "{file}" expired on {date}. Guests with this program trust it all the '
    "same; browsers may not."
)
NOT_YET = phrase(
    'The certificate in "{file}" is valid only from {date}. Guests with this program trust it all '
    "the same; browsers may not."
)
VALIDITY_YEARS = 20
"""The validity of a new certificate in years.

Guests pin the certificate, so replacing it every year would only alarm them.
"""


class Certificate(Struct, frozen=True):
    """A certificate and its private key, both in one file."""

    path: Path
    fingerprint: str
    """The SHA-256 hash of the certificate in hexadecimal, which guests pin."""

    def make_tls_context(self, kind: type[ssl.SSLContext] = ssl.SSLContext) -> ssl.SSLContext:
        """Return the TLS context for a server; `kind`: the class to create."""
        return _make_context(self.path, kind)


def load_certificate(folder: Path) -> Certificate:
    """Load the certificate from `folder`. Create a new one if it is missing, damaged or unusable.

    The user is notified if the old file was set aside, or if the certificate isn't currently valid.

    Raises:
        StorageError: the file can't be read or written.
    """
    path = folder / FILE
    try:
        make_folder(folder, 0o700)
    except OSError as error:
        raise write_error(error, path.name) from error
    file = _certificate_file(path)
    content = file.read_or_create(_make_certificate)
    try:
        _shake_hands(_make_context(path))
    except ssl.SSLError:
        notify_user(set_aside(path, UNUSABLE))
        content = file.read_or_create(_make_certificate)
    loaded = x509.load_pem_x509_certificate(content)
    start, end, now = loaded.not_valid_before_utc, loaded.not_valid_after_utc, datetime.now(UTC)
    if end < now:
        notify_user(Reason(EXPIRED, {"file": path.name, "date": f"{end:%Y-%m-%d}"}))
    elif start > now:
        notify_user(Reason(NOT_YET, {"file": path.name, "date": f"{start:%Y-%m-%d}"}))
    return Certificate(path, fingerprint(loaded.public_bytes(serialization.Encoding.DER)))


def read_fingerprint(folder: Path) -> str:
    """Return the fingerprint of the host's certificate in `folder`, or "" if it is missing.

    Unlike `load_certificate`, never writes to `folder`, because the host may be another user's.

    Raises:
        StorageError: the file can't be read.
    """
    try:
        content = _certificate_file(folder / FILE).try_decode()
    except DAMAGE_ERRORS:
        return ""
    if content is None:
        return ""
    loaded = x509.load_pem_x509_certificate(content)
    return fingerprint(loaded.public_bytes(serialization.Encoding.DER))


def _certificate_file(path: Path) -> SmallFile[bytes]:
    return SmallFile(path, _check_certificate, bytes, BROKEN, max_bytes=64 * KIB)


def _check_certificate(content: bytes) -> bytes:
    """Return the private key, its certificate and the rest of
    the chain as a PEM file in that order.

    Raises:
        ValueError: `content` isn't a valid private key with its certificate.
    """
    lines = content.splitlines()
    text = b"\n".join([line.strip() for line in lines])
    blocks = list(BLOCK.finditer(text))
    if not blocks:
        raise InvalidContent(BROKEN if b"-----BEGIN " in text or not text else NOT_PEM)
    if text[blocks[-1].end() :].strip():
        raise ValueError("something follows the certificate")
    keys = [block[0] for block in blocks if block[1].endswith(b"PRIVATE KEY")]
    chain = [x509.load_pem_x509_certificate(b[0]) for b in blocks if b[1] == b"CERTIFICATE"]
    if not keys or not chain:
        raise InvalidContent(NO_CERTIFICATE if keys else NO_KEY)
    if b"ENCRYPTED" in keys[0]:
        raise InvalidContent(LOCKED)
    try:
        key = serialization.load_pem_private_key(keys[0], None)
        public = key.public_key()
        own = [certified for certified in chain if certified.public_key() == public]
    except (TypeError, UnsupportedAlgorithm) as error:
        raise InvalidContent(UNUSABLE) from error
    if not own:
        raise InvalidContent(OTHER_KEY)
    leaf, *others = own[0], *(certified for certified in chain if certified not in own)
    try:
        if leaf.issuer == leaf.subject:
            leaf.verify_directly_issued_by(leaf)
    except (InvalidSignature, TypeError) as error:
        raise ValueError("the certificate isn't what was signed") from error
    return _pem(key, leaf, *others)


def _pem(key: PrivateKeyTypes, *certificates: x509.Certificate) -> bytes:
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return private + b"".join(
        each.public_bytes(serialization.Encoding.PEM) for each in certificates
    )


def _shake_hands(host: ssl.SSLContext) -> None:
    """Check that a guest can complete a TLS handshake with a host that uses the context `host`.

    Raises:
        ssl.SSLError: the handshake fails.
    """
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        guest_context().wrap_bio(back, there),
        host.wrap_bio(there, back, server_side=True),
    ]
    while ends:
        try:
            ends[0].do_handshake()
        except ssl.SSLWantReadError:
            ends.reverse()
        else:
            ends.pop(0)


def _make_context(path: Path, kind: type[ssl.SSLContext] = ssl.SSLContext) -> ssl.SSLContext:
    context = kind(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0  # guests return with their tokens and never resume a TLS session
    context.load_cert_chain(path)
    return context


def fingerprint(der: bytes) -> str:
    """Return the SHA-256 hash of a DER certificate in hexadecimal."""
    return sha256(der).hexdigest()


def guest_context() -> ssl.SSLContext:
    """Return the TLS context for a guest.

    It doesn't verify certificate chains, because the guest compares the fingerprint instead.
    """
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
        .not_valid_after(now + timedelta(days=365 * VALIDITY_YEARS))
        .sign(key, hashes.SHA256())
    )
    return _pem(key, made)
