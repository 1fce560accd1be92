"""An operator's commands, at a server that runs and at none."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tabletop.commands.command_line import main
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.messages import OPERATOR_ANNOUNCEMENT, Farewell, Notice
from tabletop.server.bans import ADDRESS_BANNED
from tabletop.server.operator import service
from tabletop.server.operator.actions import KICKED, SHUT
from tabletop.server.operator.endpoints import operator_endpoints
from tabletop.server.operator.local_socket import FILE, HAS_UNIX_SOCKETS, KEY_FILE, send_request
from tabletop.server.operator.service import NO_FIGURES, NO_ORDER
from tabletop.table.connection_events import Lost
from tests.net.loopback import Friend, begin, plan, play_on, run
from tests.private_files import is_private
from tests.server.operator.serving import ROOT, Serving, serving
from tests.server.table_server import table_server


async def run_command(
    server: Serving, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, str]:
    """A command's exit status and output."""
    code = await asyncio.to_thread(main, ["server", *words, "--data", str(server.folder)])
    out, error = capsys.readouterr()
    assert bool(out) != bool(error)
    assert code == (1 if error else 0)
    return code, out + error


async def told(server: Serving, capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """Return a command's output as JSON."""
    code, text = await run_command(server, capsys, *words, "--json")
    assert code == 0, text
    return json.loads(text)


async def test_a_server_is_seen_and_steered_by_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    async with serving(tmp_path) as server:
        done = await run_command(server, capsys, "announce", "Nobody hears")
        assert done[1] == "Tables notified: 0.\n"
        ann, ben = Friend(server.port), Friend(server.port)
        ann.guest.open_table(plan("sun", 2), "")
        await ann.sit(0)
        ben.guest.join(Ticket(code=ann.code))
        await ben.sit(1)
        await begin([ann, ben])
        play_on([ann, ben])
        await ann.until(lambda: len(ann.news) > 30)
        ann.plays = ben.plays = False

        (table,) = await told(server, capsys, "tables")
        assert table["game"] == "sun"
        assert table["phase"] == "playing"
        assert table["players"] == ["Player 1", "Player 2"]
        assert table["moves"] > 3
        guests = await told(server, capsys, "guests")
        assert [each["players"] for each in guests] == [["Player 1"], ["Player 2"]]
        assert {each["table"] for each in guests} == {table["table"]}
        status = await told(server, capsys, "status")
        assert (status["tables"], status["playing"], status["guests"]) == (1, 1, 2)
        assert status["moves"] >= table["moves"]
        assert status["trouble"] == ""
        assert status["disk_free"] > 0
        assert table["table"] in (await run_command(server, capsys, "tables"))[1]
        listed = (await run_command(server, capsys, "guests"))[1]
        assert listed.count(table["table"]) == listed.count("Player") == 2
        assert status["fingerprint"] in (await run_command(server, capsys, "status"))[1]

        heard = Notice(OPERATOR_ANNOUNCEMENT.with_args(text="At ten we close."))
        at_one = ("--table", ann.code)
        for words in (("At ten\n we close.",), ("At ten we close.", *at_one)):
            ann.news.clear()
            done = await run_command(server, capsys, "announce", *words)
            assert done == (0, "Tables notified: 1.\n")
            await ann.until(lambda: heard in ann.news)
        await ben.until(lambda: heard in ben.news)

        number = str(guests[1]["guest"])
        assert (await told(server, capsys, "kick", number))["told"] == "Guests sent away: 1."
        await ben.until(lambda: Farewell(KICKED) in ben.news)
        assert ben.guest.connection_state != "inside"
        again = Friend(server.port, ticket=ben.guest.ticket)
        await again.inside()
        await again.until(lambda: again.guest.seats == (1,))

        (number, *_) = [str(each["guest"]) for each in await told(server, capsys, "guests")]
        shared = f"Guest {number} shares the address 127.0.0.1."
        shared += " A ban also sends away the others there: 1."
        done = await run_command(server, capsys, "ban", number)
        assert done == (1, f"{shared} If that is right, say --yes.\n")
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
        monkeypatch.setattr("builtins.input", lambda question: "n")
        code = await asyncio.to_thread(
            main, ["server", "ban", number, "--data", str(server.folder)]
        )
        assert (code, capsys.readouterr()) == (1, (f"{shared}\n", "Nobody was banned.\n"))
        assert (await told(server, capsys, "status"))["banned"] == {}
        done = await run_command(server, capsys, "ban", number, "--yes")
        assert done == (0, "127.0.0.1 is banned. Guests sent away: 2.\n")
        await ann.until(lambda: Farewell(KICKED) in ann.news)
        late = Friend(server.port, ticket=ben.guest.ticket)
        await late.until(lambda: Farewell(ADDRESS_BANNED) in late.news)
        assert "127.0.0.1" in (await told(server, capsys, "status"))["banned"]
        done = await run_command(server, capsys, "ban", "127.0.0.1", "--lift")
        assert done == (0, "127.0.0.1 may come again.\n")
        back = Friend(server.port, ticket=ben.guest.ticket)
        await back.inside()

        done = await run_command(server, capsys, "close", table["table"])
        assert done[1].startswith(f"The table {table['table']} is closed.")
        await back.until(lambda: Farewell(SHUT, closed=True) in back.news)
        assert await told(server, capsys, "tables") == []
        while not [*(server.folder / "finished").glob("*")]:
            await asyncio.sleep(0.01)
        for friend in (ann, ben, again, late, back):
            await friend.close()

        for words, why in (
            (
                ("kick", "999"),
                'There is no guest "999": name one by its number or its address.',
            ),
            (("ban", "nobody"), '"nobody" is no address.'),
            (("ban", "192.0.2.1", "--lift"), '"192.0.2.1" is not banned.'),
            (("close", table["table"]), f'There is no table "{table["table"]}".'),
            (("announce", "x", "--table", "ABC"), 'There is no table "ABC".'),
            (("announce", "\u200b\n"), "The announcement is empty."),
            (("announce", "x" * 5000), "The server can't understand this command."),
        ):
            assert await run_command(server, capsys, *words) == (1, f"{why}\n")

        assert (await run_command(server, capsys, "rotate-key"))[1].startswith("There is no key")
        assert (await told(server, capsys, "drain"))["told"].endswith("Still playing: 0.")
        assert await server.process.wait() == 0


def test_new_keys_and_bans_survive_a_restart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path
    if sys.platform.startswith("linux"):
        place /= "x" * 110  # longer than a socket's path may be

    way = place / "server" / (FILE if HAS_UNIX_SOCKETS else KEY_FILE)
    keys = tmp_path / "keys"
    keys.mkdir()
    file = keys / "own.key"
    file.write_text("the old key\nof the club\n", "utf-8")

    async def opens(server: Serving, key: str) -> bool:
        """Whether this key opens a table."""
        friend = Friend(server.port)
        friend.guest.open_table(plan("sun", 2), key)
        await friend.until(lambda: friend.guest.info or friend.refused)
        await friend.close()
        return not friend.refused

    async def evening() -> None:
        async with serving(place, "--key-file", str(file)) as server:
            assert await opens(server, "the old key")
            done = await told(server, capsys, "rotate-key")
            new, *more = file.read_text("utf-8").splitlines()
            assert new in done["told"]
            assert more == ["of the club"]
            assert not await opens(server, "the old key")
            assert await opens(server, new)
            file.unlink()
            why = (await run_command(server, capsys, "rotate-key"))[1]
            assert why.startswith('Can\'t read "own.key": ')
            assert is_private(way)
            banned = await run_command(server, capsys, "ban", "2001:db8:0:1::7")
            assert banned == (0, "2001:db8:0:1::/64 is banned. Guests sent away: 0.\n")
            await run_command(server, capsys, "ban", "127.0.0.1")
        if sys.platform != "win32":  # where a server is ended at once
            assert not way.exists()
        way.touch()  # as a server leaves it that was killed
        async with serving(place) as server:
            friend = Friend(server.port)
            friend.guest.open_table(plan("sun", 2), "")
            await friend.until(lambda: Farewell(ADDRESS_BANNED) in friend.news)
            assert not any(isinstance(news, Lost) for news in friend.news)
            await friend.close()
            assert [*(await told(server, capsys, "status"))["banned"]] == [
                "2001:db8:0:1::/64",
                "127.0.0.1",
            ]

    run(evening)


def test_without_a_server_each_command_says_so(tmp_path: Path) -> None:
    long = tmp_path / "a folder whose name is long" / ("x" * 120)
    long.mkdir(parents=True)
    ended = subprocess.run(
        [sys.executable, "-m", "tabletop", "server", "status", "--json", "--data", str(long)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == f'No server runs in "{long.name}".\n'


@pytest.mark.parametrize("where", ["x", "1:2:3:4", "127.0.0.1:65536", "example:80", "[::1]", ""])
def test_where_figures_listen_is_checked(
    where: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    options = ["serve", "--data", str(tmp_path), f"--metrics={where or ':'}"]
    assert main(options) == 2
    assert capsys.readouterr().err == (
        f'--metrics can\'t be "{where or ":"}": use PORT or ADDRESS:PORT.\n'
    )


@pytest.mark.parametrize("order", [[], {"txt": ""}, {"text": 1}, {"text": "x", "y": 1}])
async def test_an_unknown_order_is_refused(order: object, tmp_path: Path) -> None:
    async with table_server(tmp_path) as host, operator_endpoints(host):
        said = json.dumps(order).encode()
        answer = await asyncio.to_thread(send_request, tmp_path, "/announce", said)
        assert (answer.status, json.loads(answer.body)) == (400, {"told": NO_ORDER.text})
        large = await asyncio.to_thread(send_request, tmp_path, "/announce", b" " * 9999)
        assert large.status == 400


def test_a_file_with_the_former_operators_page_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "server.toml"
    file.write_text('operator-page = "18982"\nmetrics = "nowhere"\n')
    assert main(["serve", "--config", str(file), "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        'The operator page was removed, so "operator-page" is ignored.\n'
        '--metrics can\'t be "nowhere": use PORT or ADDRESS:PORT.\n'
    )


async def test_without_the_library_figures_say_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "METRICS_LIBRARY", "no_such_library")
    assert main(["serve", "--metrics", "0", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{NO_FIGURES.text}\n"

    async with table_server(tmp_path) as host, operator_endpoints(host):
        answer = await asyncio.to_thread(send_request, tmp_path, "/metrics")
        assert (answer.status, answer.body.decode()) == (501, f"{NO_FIGURES.text}\n")
        assert (await asyncio.to_thread(send_request, tmp_path, "/health")).body == b"ok\n"
