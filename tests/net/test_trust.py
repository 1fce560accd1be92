"""A guest's trust: the certificate of the invitation, or the first one met, and no other."""

import asyncio
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.types import CertificateIssuerPrivateKeyTypes
from cryptography.x509.oid import NameOID

from tabletop.files.small_file import DIGEST_PREFIX
from tabletop.home import known_hosts
from tabletop.home.known_hosts import KnownHosts
from tabletop.net import certificate as made
from tabletop.net.certificate import (
    BROKEN,
    FILE,
    LOCKED,
    NO_CERTIFICATE,
    NO_KEY,
    NOT_PEM,
    OTHER_KEY,
    UNUSABLE,
    load_certificate,
)
from tabletop.net.guest.connection import Connection
from tabletop.net.guest.dial import WrongCertificate, dial
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.protocol.invitation import Address
from tabletop.table.connection_events import ChangedCertificate, Connected, Event, Lost
from tabletop.text.phrases import fill_gaps
from tests.net.loopback import Friend, hosting
from tests.private_files import is_private

BEGIN = b"-----BEGIN CERTIFICATE-----"
PEM = serialization.Encoding.PEM
AUTHORITY = ec.generate_private_key(ec.SECP384R1())


def test_a_computer_keeps_its_certificate_for_its_own_eyes(tmp_path: Path) -> None:
    first = load_certificate(tmp_path)
    assert load_certificate(tmp_path).fingerprint == first.fingerprint
    assert len(first.fingerprint) == 64
    assert is_private(first.path)
    assert load_certificate(tmp_path / "other").fingerprint != first.fingerprint


def locked(pem: bytes) -> bytes:
    """The same key and certificate, the key with a passphrase."""
    private = serialization.load_pem_private_key(pem, None).private_bytes(
        PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"secret"),
    )
    return private + pem[pem.index(BEGIN) :]


def signed(key: CertificateIssuerPrivateKeyTypes, name: str) -> x509.Certificate:
    """A certificate of this key that an authority signed."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Authority")]))
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=99_999))
        .sign(AUTHORITY, hashes.SHA256())
    )


def chained(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey, how: str) -> tuple[bytes, bytes]:
    """The key and chain of a server, as an operator may put them into one file; and the server's
    own certificate in DER."""
    formats = serialization.PrivateFormat
    style = formats.TraditionalOpenSSL if how == "old key" else formats.PKCS8
    private = key.private_bytes(PEM, style, serialization.NoEncryption())
    own, above = signed(key, "cards.example.org"), signed(AUTHORITY, "Authority")
    first, second = own.public_bytes(PEM), above.public_bytes(PEM)
    content = {
        "key last": first + second + private,
        "leaf last": private + second + first,
        "blank lines": private + b"\n" + first + b"\n" + second + b"\n\n",
        "comments": b"subject=/CN=cards\n" + private + b"subject=/CN=cards\n" + first + second,
    }.get(how, private + first + second)
    if how == "Windows":
        content = b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")
    return content, own.public_bytes(serialization.Encoding.DER)


@pytest.mark.parametrize(
    "how", ["", "old key", "key last", "leaf last", "blank lines", "comments", "Windows"]
)
@pytest.mark.parametrize("kind", ["EC", "RSA"])
def test_an_authoritys_certificate_is_used_with_its_chain(
    kind: str, how: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key = (
        rsa.generate_private_key(65537, 2048)
        if kind == "RSA"
        else ec.generate_private_key(ec.SECP256R1())
    )
    content, own = chained(key, how)
    (tmp_path / FILE).write_bytes(content)
    used = load_certificate(tmp_path)
    assert used.fingerprint == made.fingerprint(own)
    assert caplog.messages == []
    assert list(tmp_path.glob("*.broken-*")) == []
    assert len(x509.load_pem_x509_certificates(used.path.read_bytes())) == 2
    assert load_certificate(tmp_path) == used


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("another's key", OTHER_KEY),
        ("a passphrase", LOCKED),
        ("cut off", BROKEN),
        ("no key", NO_KEY),
        ("no certificate", NO_CERTIFICATE),
        ("DER", NOT_PEM),
        ("too weak", UNUSABLE),
        ("a curve without TLS", UNUSABLE),
    ],
)
def test_a_certificate_that_cannot_be_used_is_set_aside(
    kind: str, sentence: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    own, other = (load_certificate(tmp_path / name).path.read_bytes() for name in ("own", "other"))
    own, other = (pem[: pem.index(DIGEST_PREFIX)] for pem in (own, other))
    file = tmp_path / "own" / FILE
    kept = {
        "another's key": other[: other.index(BEGIN)] + own[own.index(BEGIN) :],
        "a passphrase": locked(own),
        "cut off": own[:-40],
        "no key": own[own.index(BEGIN) :],
        "no certificate": own[: own.index(BEGIN)],
        "DER": x509.load_pem_x509_certificate(own).public_bytes(serialization.Encoding.DER),
        "too weak": chained(rsa.generate_private_key(65537, 1024), "")[0],
        "a curve without TLS": chained(ec.generate_private_key(ec.SECP256K1()), "")[0],
    }[kind]
    file.write_bytes(kept)
    fresh = load_certificate(tmp_path / "own")
    assert file.read_bytes() != kept
    (aside,) = (tmp_path / "own").glob(f"{FILE}.broken-*")
    assert sentence == UNUSABLE or aside.read_bytes() == kept
    assert caplog.messages == [fill_gaps(sentence, {"file": FILE, "aside": aside.name})]
    assert load_certificate(tmp_path / "own").fingerprint == fresh.fingerprint


def test_a_certificate_out_of_its_time_is_told_of_and_used(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load_certificate(tmp_path)
    assert caplog.messages == []
    for year in (2199, 1999):
        then = SimpleNamespace(now=lambda zone, year=year: datetime(year, 1, 1, tzinfo=zone))
        monkeypatch.setattr(made, "datetime", then)
        assert load_certificate(tmp_path) == first
    expired, ahead = caplog.messages
    assert f'The certificate in "{FILE}" expired on 20' in expired
    assert f'The certificate in "{FILE}" is valid only from 20' in ahead


async def test_a_line_refuses_a_second_certificate(tmp_path: Path) -> None:
    async with hosting(tmp_path / "one") as host:
        heard: list[Event] = []
        place = Address(("127.0.0.1",), host.port)
        line = Connection(Destination(place), heard.append)
        line.start()
        while not heard:
            await asyncio.sleep(0.001)
        assert heard == [Connected(host.certificate.fingerprint)]
        assert line.address == Address(("127.0.0.1",), host.port, host.certificate.fingerprint)
        await line.close()
    async with hosting(tmp_path / "two") as other:
        heard.clear()
        pinned = Address(("127.0.0.1",), other.port, line.address.fingerprint)
        line = Connection(Destination(pinned, is_returning=True), heard.append)
        line.start()
        while not heard:
            await asyncio.sleep(0.001)
        (event,) = heard
        assert isinstance(event, ChangedCertificate)
        assert event.fingerprint == other.certificate.fingerprint
        assert not any(guest.is_greeted for guest in other.guests)
        with pytest.raises(WrongCertificate):
            await dial(pinned)
        await line.close()


async def test_a_return_retries_where_a_first_visit_ends(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        port, pinned = host.port, host.certificate.fingerprint
    heard: list[Event] = []
    first = Connection(Destination(Address(("127.0.0.1",), port)), heard.append)
    first.start()
    while not heard:
        await asyncio.sleep(0.001)
    assert isinstance(heard[0], Lost)
    assert heard[0].retry_in_s is None
    back = Friend(port, pinned)
    await back.until(lambda: back.news)
    lost = back.news[0]
    assert isinstance(lost, Lost)
    assert lost.retry_in_s is not None


def test_ways_back_and_trusted_hosts_are_remembered(tmp_path: Path) -> None:
    path = tmp_path / "network.json"
    keys = KnownHosts(path)
    place = Address(("192.168.1.5",), 18920, "ab")
    ticket = Ticket("t1", "K7MPQ2", "", {1: "secret"})
    keys.trust("anns-pc", "ab")
    keys.add_rejoinable(place, ticket, "Ann's table", "sun")
    keys.add_rejoinable(place, Ticket("t2", "AAAAAA", "owner"), "Mine", "chains")
    assert is_private(path)
    again = KnownHosts(path)
    assert again.fingerprint_of("anns-pc") == "ab"
    assert again.fingerprint_of("stranger") == ""
    assert {back.ticket.table: back.game for back in again.rejoinable_tables} == {
        "t1": "sun",
        "t2": "chains",
    }
    again.add_rejoinable(place, Ticket("t1"), "Ann's table", "sun")
    again.forget_table("t2")
    assert KnownHosts(path).rejoinable_tables == ()
    path.write_text("nonsense")
    assert KnownHosts(path).rejoinable_tables == ()


def test_whom_an_older_program_met_by_ipv6_is_known_still(tmp_path: Path) -> None:
    keys = KnownHosts(tmp_path / "keyring.json")
    keys.trust("fd00::7:18920", "ab")
    name = Address(("fd00::7",), 18920).name
    assert keys.fingerprint_of(name) == "ab"
    keys.trust(name, "cd")
    keys.add_server("a", "1")
    keys.add_server("b", "2")
    keys.add_server("a", "3")
    again = KnownHosts(tmp_path / "keyring.json")
    assert again.fingerprint_of(name) == "cd"
    assert list(again.servers.items()) == [("b", "2"), ("a", "3")]


def at_tables(keys: KnownHosts, *tables: str) -> None:
    place = Address(("192.168.1.5",), 18920, "ab")
    for table in tables:
        keys.add_rejoinable(place, Ticket(table, "K7MPQ2", "", {1: "secret"}), table, "sun")


def test_tonights_table_is_kept_beside_dates_of_the_future(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = KnownHosts(tmp_path / "keyring.json")
    ahead = SimpleNamespace(now=lambda zone: datetime(2199, 1, 1, tzinfo=zone))
    with monkeypatch.context() as later:
        later.setattr(known_hosts, "datetime", ahead)
        at_tables(keys, *(f"t{n}" for n in range(known_hosts.MAX_TABLES)))
    at_tables(keys, "tonight")
    returns = KnownHosts(tmp_path / "keyring.json").rejoinable_tables
    assert returns[0].ticket.table == "tonight"
    assert len(returns) == known_hosts.MAX_TABLES


def test_ways_back_age_by_days_of_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "keyring.json"
    at_tables(KnownHosts(path), "old")
    place = Address(("here",), 18920, "ab")
    KnownHosts(path).add_rejoinable(place, Ticket("own", "AAAAAA", "owner"), "Mine", "chains")
    day = date(2026, 1, 1)
    for number in range(known_hosts.REJOIN_DAYS + 2):
        today = day + timedelta(days=40 * number)
        monkeypatch.setattr(known_hosts, "date", SimpleNamespace(today=lambda today=today: today))
        for _ in range(2):
            KnownHosts(path).count_today()
        left = [back.ticket.table for back in KnownHosts(path).rejoinable_tables]
        assert left == (["own", "old"] if number <= known_hosts.REJOIN_DAYS else ["own"])
