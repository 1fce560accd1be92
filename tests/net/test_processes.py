"""Hosts and guests in processes of their own, through the command line.

A guest ends well only if the proof of the match agrees with every single message it got: that is
the host's masked view at every ply.
"""

import asyncio
import os
import signal
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.commands.command_line import main
from tabletop.commands.headless import FULL, join
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.host import HOST_STOPPED
from tabletop.protocol.invitation import InviteLink, format_link, parse_link
from tabletop.protocol.messages import Farewell
from tabletop.protocol.table_transfer import OfferHosting, TableMoved
from tests.net.loopback import HANGS, LONG, Friend, hosting, opened, plan

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ended by signals of POSIX")


def tabletop(*words: str, home: Path) -> subprocess.Popen[str]:
    """The program, with these arguments; its output goes to no terminal, and Python is not asked to
    flush it at once."""
    environment = os.environ | {"TABLETOP_HOME": str(home)}
    environment.pop("PYTHONUNBUFFERED", None)
    return subprocess.Popen(
        [sys.executable, "-m", "tabletop", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


@contextmanager
def running(*words: str, home: Path) -> Iterator[subprocess.Popen[str]]:
    """The program, until the end of the block."""
    process = tabletop(*words, home=home)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        process.communicate(timeout=HANGS)


SHORT = {} if LONG else {"royale": ("--option", "length=4")}
"""Options that shorten a game that would take long at a large table."""


def sizes() -> list[tuple[str, int, int]]:
    """A short game of two guests with a bot, and two seats for one of them; at length each game at
    its smallest and at its largest number of seats, with a guest for every one."""
    if not LONG:
        return [("sisters", 4, 2)]
    tables = [(kit.id, kit.box.seats[0], kit.box.seats[-1]) for kit in catalogue.shelf()]
    return [(game, count, count) for game, *counts in tables for count in sorted(set(counts))]


@pytest.mark.parametrize(("game", "seats", "guests"), sizes())
def test_processes_play_a_game_and_all_saw_the_same(
    game: str, seats: int, guests: int, tmp_path: Path
) -> None:
    bots = int(game == "sisters" and seats > 2)
    table = ("host", game, "--seats", str(seats), "--bots", str(bots), "--port", "0")
    table += SHORT.get(game, ())
    with running(*table, "--data", str(tmp_path / "host"), home=tmp_path) as host:
        assert len(host.stdout.readline().split()[1]) == 6
        while not (line := host.stdout.readline()).startswith("link "):
            assert line.startswith("address ")
        link = on_this_computer(line.split()[1])
        share = [len(range(guest, seats - bots, guests)) for guest in range(guests)]
        players = [
            tabletop(
                *("join", link, "--bot", "--seats", str(count), "--name", f"Guest {guest}"),
                home=tmp_path / f"{guest}",
            )
            for guest, count in enumerate(share)
            if count
        ]
        try:
            for player in players:
                out, error = player.communicate(timeout=HANGS)
                assert (player.returncode, out, error) == (0, "Shuffle and dice verified.\n", "")
        finally:
            for player in players:
                player.kill()


def on_this_computer(link: str) -> str:
    """The link by the address that works however the network is set up."""
    found = parse_link(link)
    return format_link(replace(found, host="127.0.0.1"))


@contextmanager
def hosted_in_a_terminal(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], InviteLink]]:
    """A table for two that is hosted without a window."""
    words = ("host", "sun", "--port", "0", "--data", str(tmp_path / "hosted"))
    with running(*words, home=tmp_path) as process:
        while not (line := process.stdout.readline()).startswith("link "):
            assert line
        yield process, parse_link(line.split()[1])


async def guest_of(link: InviteLink, can_host: bool) -> Friend:
    """A guest who is ready at the first seat."""
    ticket = Ticket(link.table, link.code, fingerprint=link.fingerprint)
    friend = Friend(link.port, link.fingerprint, ticket=ticket, can_host=can_host)
    await friend.sit(0)
    await friend.until(lambda: friend.guest.info.sitters[0].state == "ready")
    return friend


async def test_a_terminal_host_that_ends_asks_who_hosts_on(tmp_path: Path) -> None:
    with hosted_in_a_terminal(tmp_path) as (process, link):
        async with hosting(tmp_path / "there") as there:
            friend = await guest_of(link, can_host=True)
            process.send_signal(signal.SIGTERM)
            await friend.until(lambda: any(isinstance(n, OfferHosting) for n in friend.news))
            assert process.stdout.readline().startswith("Asking the players to host the table on")
            become_host = friend.guest.become_host
            key = there.registry.incoming.expect(lambda table, owner: become_host(owner))
            friend.guest.accept_hosting(there.port, there.certificate.fingerprint, key)
            await friend.until(lambda: any(isinstance(n, TableMoved) for n in friend.news))
            assert await asyncio.to_thread(process.wait, HANGS) == 0
            await friend.inside()
            assert friend.guest.is_host
            assert list(there.hosted_tables) == [friend.guest.info.table]


@pytest.mark.parametrize("answer", ["declines", "says nothing", "can't"])
async def test_a_terminal_host_ends_all_the_same(answer: str, tmp_path: Path) -> None:
    with hosted_in_a_terminal(tmp_path) as (process, link):
        friend = await guest_of(link, can_host=answer != "can't")
        process.send_signal(signal.SIGINT)
        if answer != "can't":
            await friend.until(lambda: any(isinstance(n, OfferHosting) for n in friend.news))
            assert await asyncio.to_thread(process.stdout.readline)
        if answer == "declines":
            friend.guest.decline_hosting()
        elif answer == "says nothing":
            process.send_signal(signal.SIGINT)
        await friend.until(lambda: Farewell(HOST_STOPPED, back=True) in friend.news)
        assert await asyncio.to_thread(process.wait, HANGS) == 0
        assert process.stdout.read() == ""
        await friend.close()


def get(port: int, path: str) -> str:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with urllib.request.urlopen(f"https://127.0.0.1:{port}{path}", context=context) as answer:
        return str(answer.read().decode())


def test_a_server_tells_how_it_is_and_stops_cleanly(tmp_path: Path) -> None:
    process = tabletop(
        *("serve", "--bind", "127.0.0.1", "--port", "0", "--data", str(tmp_path / "data")),
        home=tmp_path,
    )
    try:
        line = process.stderr.readline()
        assert " INFO listening " in line
        port = int(line.split("port=")[1].split()[0])
        assert get(port, "/health") == "ok\n"
        process.send_signal(signal.SIGTERM)
        out, error = process.communicate(timeout=HANGS)
        assert process.returncode == 0
        assert "This server is new" in out
        assert " INFO stopped " in error
        assert all("Z INFO " in line for line in error.splitlines()), "and nothing beside its log"
    finally:
        with suppress(ProcessLookupError):
            process.kill()


def test_two_servers_cannot_have_one_port(tmp_path: Path) -> None:
    words = ("serve", "--bind", "127.0.0.1", "--port")
    with running(*words, "0", home=tmp_path) as first:
        port = first.stderr.readline().split("port=")[1].split()[0]
        second = tabletop(*words, port, home=tmp_path / "other")
        _, error = second.communicate(timeout=HANGS)
        assert second.returncode == 2
        assert "Can't listen there" in error


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        (("join", "no such place", "--bot"), 2, '"no such place" isn\'t an address'),
        (("join", "127.0.0.1", "--code", "O0", "--bot"), 2, "A code has six characters"),
        (("host", "nonsense"), 2, "There is no game"),
        (("join", "127.0.0.1:1", "--bot"), 1, "An address alone opens no table"),
        (
            ("join", "127.0.0.1:1", "--code", "K7MPQ2", "--bot"),
            1,
            'Can\'t reach a host at "127.0.0.1:1"',
        ),
    ],
)
def test_wrong_commands_are_refused_in_a_sentence(
    words: tuple[str, ...], status: int, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(words)) == status
    error = capsys.readouterr().err
    assert error.startswith(why)
    assert error.count("\n") == 1


def test_a_bot_that_finds_no_free_seat_says_so(tmp_path: Path) -> None:
    with running("host", "sun", "--bots", "2", "--port", "0", home=tmp_path) as host:
        lines = iter(host.stdout.readline, "")
        link = next(line for line in lines if line.startswith("link ")).split()[1]
        here = format_link(replace(parse_link(link), host="127.0.0.1"))
        process = tabletop("join", here, "--bot", home=tmp_path / "bot")
        _, error = process.communicate(timeout=HANGS)
        assert process.returncode == 1
        assert error == "No seat is free at this table.\n"


async def test_a_guest_who_was_too_slow_takes_the_next_free_seat(tmp_path: Path) -> None:
    def seated(ann: Friend) -> list[str]:
        return [sitter.name for sitter in ann.guest.info.sitters if sitter.state != "free"]

    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("chains", 4), 0, 1)
        way = InviteLink("127.0.0.1", host.port, code=ann.code)
        bots = [asyncio.create_task(join(way, "Bot")) for _ in range(2)]
        ended = asyncio.gather(*bots)
        await ann.until(lambda: ended.done() or len(seated(ann)) == 4)
        assert not ended.done(), ended.result()
        assert seated(ann)[2:] == ["Bot", "Bot 2"] or seated(ann)[2:] == ["Bot 2", "Bot"]
        for bot in bots:
            bot.cancel()


async def test_a_bot_goes_again_from_a_lobby_that_is_full(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("sun", 2), 0, 1)
        way = InviteLink("127.0.0.1", host.port, code=ann.code)
        assert await join(way, "Bot") == FULL
