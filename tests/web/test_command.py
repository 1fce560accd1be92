"""`tabletop web` as the window starts it: it says where it listens, and ends with the window."""

import os
import socket
import subprocess
import sys
from functools import partial
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tabletop.commands import web as command
from tabletop.commands.arguments import UsageError
from tabletop.commands.web import LINK_VARIABLE, link_from_arguments, page_url, web
from tabletop.protocol.invitation import DEFAULT_PORT, PORT_SLOTS, Address, generate_code
from tabletop.web.gateway.sessions import Sessions
from tests.net.loopback import hosting
from tests.net.namespaces import ip, needs_namespaces

ROOT = Path(__file__).parents[2]
SECONDS = 120


def begun(home: Path, *more: str, link: str = "") -> subprocess.Popen[str]:
    """Start one on any free port."""
    command = [sys.executable, "-m", "tabletop", "web", "--port", "0", "--bind", "127.0.0.1"]
    environment = os.environ | {"TABLETOP_HOME": str(home), LINK_VARIABLE: link}
    return subprocess.Popen(
        [*command, "--with-parent", *more],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
    )


def test_it_prints_its_address_and_ends_with_its_parent(tmp_path: Path) -> None:
    process = begun(tmp_path, link="tabletop://127.0.0.1:9/?code=K7MPQ2")
    try:
        word, port = process.stdout.readline().split()
        assert word == "listening"
        assert process.stdout.readline() == f"address http://127.0.0.1:{port}/#K7MPQ2\n"
        line = HTTPConnection("127.0.0.1", int(port), timeout=SECONDS)
        line.request("GET", "/reach")
        assert line.getresponse().status == 200
        line.close()
        said = {process.stdout.readline().strip() for _ in range(2)}
        assert said == {
            "visitor 127.0.0.1",
            'trouble Can\'t reach a host at "127.0.0.1:9".',
        }
        process.stdin.close()
        assert process.wait(SECONDS) == 0
    finally:
        process.kill()
        process.wait()


OTHER = "ab" * 32
"""The fingerprint of another certificate."""


@pytest.mark.parametrize(
    ("invited", "learned", "trouble"),
    [(OTHER, "", "Another computer is now at"), ("", OTHER, "another certificate")],
)
async def test_another_computer_is_an_alarm_only_for_a_known_server(
    invited: str, learned: str, trouble: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with hosting(tmp_path) as host:
        sessions = Sessions(Address(("127.0.0.1",), host.port, invited))
        await command._warn_if_unreachable(sessions, learned)
    assert trouble in capsys.readouterr().out


@pytest.mark.parametrize("known", [{"invited": OTHER}, {"learned": OTHER}, {}])
async def test_a_certificate_in_the_folder_is_no_alarm(
    known: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with hosting(tmp_path) as host:
        sessions = Sessions(
            Address(("127.0.0.1",), host.port, known.get("invited", "")),
            learned_fingerprint=known.get("learned", ""),
            vouched_fingerprints=partial(command._read_fingerprints, host.folder, True),
        )
        await command._warn_if_unreachable(sessions, known.get("learned", ""))
        assert sessions.place.fingerprint == host.certificate.fingerprint
    assert "trouble" not in capsys.readouterr().out


def test_a_fingerprint_needs_no_public_page() -> None:
    """Only its form is checked; the text names what is wrong with it."""
    with pytest.raises(UsageError, match="hexadecimal"):
        web(fingerprint="abc", host="192.0.2.1")


async def test_a_folder_that_cannot_be_read_vouches_for_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "host.pem").mkdir()
    assert command._read_fingerprints(tmp_path, True) == ()
    assert "can't be read" in caplog.text
    assert command._read_fingerprints(tmp_path / "none", True) == ()


@needs_namespaces
def test_its_address_is_told_again_when_it_changes(tmp_path: Path) -> None:
    """On a computer with IPv6 alone, which is given IPv4 later."""
    space = f"tt{os.getpid()}web"
    ip("netns", "add", space)
    try:
        ip("-n", space, "link", "set", "lo", "up")
        ip("-n", space, "link", "add", "wifi", "type", "veth", "peer", "name", "router")
        for end in ("wifi", "router"):
            ip("-n", space, "link", "set", end, "up")
        ip("-n", space, "addr", "add", "fd77::9/64", "dev", "wifi", "nodad")
        inside = ["ip", "netns", "exec", space, sys.executable]
        serving = [*inside, "-m", "tabletop", "web", "K7MPQ2", "--port", "0", "--with-parent"]
        process = subprocess.Popen(
            serving,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"TABLETOP_HOME": str(tmp_path)},
            cwd=ROOT,
        )

        def next_line(start: str) -> str:
            return next(line for line in process.stdout if line.startswith(start)).strip()

        def opens(address: str) -> bool:
            get = f"import urllib.request; urllib.request.urlopen({address!r} + 'reach')"
            return subprocess.run([*inside, "-c", get], check=False).returncode == 0

        try:
            port = next_line("listening ").split()[1]
            address = f"http://[fd77::9]:{port}/"
            assert next_line("address ") == f"address {address}#K7MPQ2"
            assert opens(address)
            ip("-n", space, "addr", "add", "10.66.0.9/24", "dev", "wifi")
            address = f"http://10.66.0.9:{port}/"
            assert next_line("listening ") == f"listening {port}"
            assert next_line("address ") == f"address {address}#K7MPQ2"
            assert opens(address)
        finally:
            process.kill()
            process.communicate()
    finally:
        ip("netns", "del", space)


@pytest.mark.parametrize(
    ("bind", "shown"),
    [
        ("", ["10.0.0.2", "fd00::2"]),
        ("0.0.0.0", ["10.0.0.2"]),
        ("::", ["fd00::2"]),
        ("10.0.0.7", ["10.0.0.7"]),
    ],
)
def test_only_addresses_that_listen_are_shown(
    bind: str, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "addresses", lambda: ("10.0.0.2", "fd00::2", "fe80::2"))
    assert command.reachable_addresses(bind) == shown


def test_a_link_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    process = begun(tmp_path, "no link at all?")
    _, told = process.communicate(timeout=SECONDS)
    assert process.returncode == 2
    assert told.count("\n") == 1
    assert "isn't an address or an invitation" in told


@pytest.mark.parametrize(
    ("where", "host", "found"),
    [
        ("", "", ("127.0.0.1", 18920, "")),
        ("K7MPQ2", "", ("127.0.0.1", 18920, "K7MPQ2")),
        ("k7m pq2", "table.example:4000", ("table.example", 4000, "K7MPQ2")),
        (
            "tabletop://10.0.0.2:4000/T?code=K7MPQ2&fp=" + "ab" * 32,
            "",
            ("10.0.0.2", 4000, "K7MPQ2"),
        ),
        ("", "10.0.0.2", ("10.0.0.2", 18920, "")),
    ],
)
def test_the_host_and_its_table(where: str, host: str, found: tuple[str, int, str]) -> None:
    link = link_from_arguments(where, host)
    assert (link.host, link.port, link.code) == found


def test_no_host_is_made_of_nonsense() -> None:
    with pytest.raises(UsageError):
        link_from_arguments("", "a table of mine")


def test_the_code_is_in_the_fragment_no_server_receives() -> None:
    assert page_url("http", "10.0.0.2", 18980, "K7MPQ2") == "http://10.0.0.2:18980/#K7MPQ2"
    assert page_url("https", "fd00::2", 1, "") == "https://[fd00::2]:1/"


@pytest.mark.parametrize(
    "told",
    [
        {"public_page": True},
        {"public_page": True, "where": "K7MPQ2", "host": "127.0.0.1"},
    ],
)
def test_a_public_page_is_of_a_server_and_of_no_single_table(told: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="--public-page"):
        web(**told)


def test_a_code_leads_to_a_host_at_another_port_of_this_computer() -> None:
    """A second host takes the next port; a code without a hint leads to the usual one."""
    with socket.socket() as second:
        port = next(
            port
            for port in range(DEFAULT_PORT + 1, DEFAULT_PORT + PORT_SLOTS - 1)
            if is_free(second, port)
        )
        second.listen()
        assert link_from_arguments(generate_code("192.168.1.5", port), "").port == port
    assert link_from_arguments(generate_code("192.168.1.5", port), "").port == DEFAULT_PORT
    assert link_from_arguments(generate_code("192.168.1.5", 1), "").port == DEFAULT_PORT


def is_free(line: socket.socket, port: int) -> bool:
    try:
        line.bind(("127.0.0.1", port))
    except OSError:
        return False
    return True
