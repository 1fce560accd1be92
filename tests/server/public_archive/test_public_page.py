"""A server's public page over HTTP: its lists, the public part of finished matches, and nothing
else."""

import asyncio
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match as played_match
from tabletop.engine.model import AUDIENCE
from tabletop.match.playback import Playback
from tabletop.net.guest.archive_query import playback_of
from tabletop.net.host.admission import NO_TABLE
from tabletop.net.host.host import Host
from tabletop.protocol.archive import MatchId
from tabletop.server.public_archive import public_page, server_archive
from tabletop.server.public_archive.page_words import PAGE_TEXTS
from tabletop.server.public_archive.replay_page import WatchedMatch
from tabletop.storage.record import read, record_of
from tabletop.storage.verification import verify_record
from tabletop.web.drawer import DrawnPicture, DrawnTable, FaceOrder, PictureCells, PictureOrder
from tabletop.web.gateway.sessions import WRONG_CODE
from tabletop.web.table_link import TableLink, parse_table_link
from tests.net.loopback import plan, play_out, run, seated
from tests.server.table_server import table_server
from tests.web.gateways import Browser, gateway, opened

FOLDER = Path(public_page.__file__).parent / "page"
FILES = sorted(FOLDER.iterdir())
MAX_PAGE_BYTES = 30_000
"""Bytes of the public page's files together."""


class Sketcher:
    """Draws the same dot for every order, and keeps the orders."""

    version = "sketch"

    def __init__(self) -> None:
        self.orders: list[PictureOrder] = []

    async def face(self, order: FaceOrder) -> DrawnPicture | None:
        return DrawnPicture(b"dot")

    async def picture(
        self, order: PictureOrder, had: PictureCells | None = None
    ) -> DrawnTable | None:
        self.orders.append(order)
        return DrawnTable(b"dot", "image/png", PictureCells(1, 1, (0,)))


async def fetched(port: int, path: str, **more: str) -> tuple[int, dict[str, str], bytes]:
    """The status, the headers and the body of an answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    said = {"host": f"127.0.0.1:{port}", "connection": "close", **more}
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in said.items())
    writer.write(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
    first, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    status, *lines = first.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    body = gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body
    return int(status.split()[1]), headers, body


async def asked(port: int, path: str, **more: str) -> Any:
    """Return the content of a good answer."""
    status, _, body = await fetched(port, path, **more)
    assert status == 200, body
    return json.loads(body)


async def finished(host: Host, **more: object) -> str:
    """The name of a match that is over."""
    async with seated(host, plan("chains", 2, **more), (0,), (1,)) as friends:
        await play_out(friends)
        return f"{friends[0].guest.ticket.table}-1"


async def test_only_open_tables_are_listed_and_watched(tmp_path: Path) -> None:
    sketcher = Sketcher()
    async with (
        table_server(tmp_path) as host,
        opened(host, plan("sun", 2, listing="open")) as here,
        opened(host, plan("sun", 2, listing="code")) as members,
        opened(host, plan("sun", 2)) as hidden,
        gateway(host, public_page=True, drawer=sketcher) as made,
    ):
        shown = await finished(host, listing="open", records="link")
        by_link = await finished(host, records="link")
        closed = await finished(host, listing="open")
        status, headers, page = await fetched(made.port, "/tables")
        assert (status, b"public.js" in page) == (200, True)
        assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
        script = re.search(rb'"(/p/[^"]+/public.js)"', page)
        status, headers, _ = await fetched(made.port, script[1].decode())
        assert (status, "immutable" in headers["cache-control"]) == (200, True)
        assert (await fetched(made.port, f"/replay/{shown}"))[2] == page

        told = await asked(made.port, "/tables/list.json", accept_language="ja,en;q=0.5")
        assert (told["language"], told["words"]["replay"]) == ("ja", "もう一度見る")
        tables = {each["table"]: each for each in told["running"]}
        assert tables.keys() == {here.guest.info.table, members.guest.info.table}
        assert tables[here.guest.info.table]["title"] == "太陽の子供たち"
        assert not tables[here.guest.info.table]["needs_code"]
        assert [each["match"] for each in told["finished"]] == [shown]
        everything = json.dumps(told)
        for friend in (here, members, hidden):
            info = friend.guest.info
            assert info.code not in everything
            assert friend.guest.ticket.owner not in everything
        assert hidden.guest.info.table not in everything

        for name in (by_link, shown):
            match = await asked(made.port, f"/replay/{name}/match.json", accept_encoding="gzip")
            last = match["last"]
            assert [one["name"] for one in match["players"]] == ["Player 1", "Player 2"]
            assert match["lines"][-1][0] <= last
            assert match["result"]["text"]
            assert match["name"] == ("chains for 2" if name == shown else "")
            beat = await asked(made.port, f"/replay/{name}/{last}.json?language=en")
            assert beat["table"].count("\n") > 3
            status, headers, file = await fetched(made.port, f"/replay/{name}/record.tabletop")
            assert f'filename="{name}.tabletop"' in headers["content-disposition"]
            (tmp_path / "fetched.tabletop").write_bytes(file)
            assert verify_record(read(tmp_path / "fetched.tabletop"))
        size = "theme=dark&width=600&height=480&language=ja&eyes=audience"
        status, headers, content = await fetched(made.port, f"/replay/{shown}/3/picture?{size}")
        assert (status, content, headers["content-type"]) == (200, b"dot", "image/png")
        (order,) = sketcher.orders
        assert (order.language, order.theme, order.width, order.height) == (
            *("ja", "dark"),
            *(600, 480),
        )
        assert order.view.viewer == AUDIENCE

        for wrong in (
            f"/replay/{closed}/match.json",
            f"/replay/{hidden.guest.info.table}-1/match.json",
            f"/replay/{shown}/{last + 1}.json",
            f"/replay/{shown}/-1.json",
            f"/replay/{shown}/{last + 1}/picture?{size}",
            f"/replay/{shown}/1/picture?{size.replace('600', '601')}",
            f"/replay/{shown}/1/picture?{size.replace('600', '99999')}",
            f"/replay/{shown}/1/picture?{size.replace('dark', 'pink')}",
            "/replay/..%2f..%2fetc-1/match.json",
            "/replay/x/match.json",
        ):
            status, _, body = await fetched(made.port, wrong)
            assert status == 404, wrong
            assert body.startswith((b'{"told":"', b"Not Found")), body
        assert len(sketcher.orders) == 1


async def test_a_running_match_is_listed_alike_whatever_its_cards(tmp_path: Path) -> None:
    worlds = []

    for world in ("one", "two"):
        table = plan("sun", 2, listing="open", records="link")
        async with (
            table_server(tmp_path / world) as host,
            seated(host, table, (0,), (1,)) as (ann, ben),
            gateway(host, public_page=True) as made,
        ):
            name = ann.guest.ticket.table
            told = (await fetched(made.port, "/tables/list.json"))[2]
            worlds.append(told.replace(name.encode(), b""))
            assert b'"playing":true' in told
            for part in ("match.json", "0.json", "record.tabletop", "0/picture"):
                assert (await fetched(made.port, f"/replay/{name}-1/{part}"))[0] == 404
            ben.guest.own_seats[1].concede()
            await ann.until(lambda ann=ann: ann.proofs)
            assert (await fetched(made.port, f"/replay/{name}-1/match.json"))[0] == 200
    assert worlds[0] == worlds[1]


async def test_a_browser_is_led_to_an_open_table_by_its_name(tmp_path: Path) -> None:
    async with (
        table_server(tmp_path) as host,
        seated(host, plan("sun", 2, listing="open"), (0,), (1,)) as (ann, _),
        opened(host, plan("sun", 2, listing="open")) as free,
        opened(host, plan("sun", 2)) as hidden,
        gateway(host, public_page=True) as made,
        gateway(host) as private,
    ):
        async with Browser(made.port, code=f"watch:{ann.guest.info.table}") as watcher:
            await watcher.until(lambda: watcher.page)
            assert watcher.page["seat"] == AUDIENCE
        async with Browser(made.port, code=free.guest.info.table) as player:
            await player.sit(0)
            assert player.token.startswith(free.guest.info.table)
            # with a seat at one table another one can be watched, and the seat is kept
            watch = f"watch:{ann.guest.info.table}"
            async with Browser(made.port, code=watch, token=player.token) as watcher:
                await watcher.until(lambda: watcher.page)
            async with Browser(made.port, code=free.guest.info.table, token=player.token) as again:
                await again.until(lambda: again.lobby and again.lobby["me"] == 0)
        async with Browser(made.port, code=hidden.guest.info.table) as guest:
            await guest.until(lambda: guest.door == NO_TABLE.text)
        async with Browser(private.port, code=free.guest.info.table) as guest:
            await guest.until(lambda: guest.door == WRONG_CODE.text)


def test_an_asker_of_too_much_waits_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_page, "DRAWN_AT_ONCE", 0)
    monkeypatch.setattr(public_page, "AT_ONCE", 7)
    monkeypatch.setattr(server_archive, "OPENING_BURST", 1)
    for name in ("DRAWN_A_SECOND", "A_SECOND"):
        monkeypatch.setattr(public_page, name, 0.001)
    monkeypatch.setattr(server_archive, "OPENINGS_PER_S", 0.001)

    async def evening() -> None:
        async with (
            table_server(tmp_path) as host,
            gateway(host, public_page=True, drawer=Sketcher()) as made,
        ):
            one, two, three = [await finished(host, records="link") for _ in range(3)]
            for name, status in ((one, 200), (two, 200), (three, 429), (one, 200)):
                assert (await fetched(made.port, f"/replay/{name}/match.json"))[0] == status
            picture = f"/replay/{one}/0/picture?width=240&height=240"
            for status in (200, 429):
                assert (await fetched(made.port, picture))[0] == status
            for status in (200, 200, 429):
                assert (await fetched(made.port, "/tables/list.json"))[0] == status

    run(evening)


async def test_a_server_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host, gateway(host, public_page=True) as made:
        await host.close()
        told = await asked(made.port, "/tables/list.json")
        assert "Can't reach a host at" in told["told"]
        assert "running" not in told
        status, _, body = await fetched(made.port, f"/replay/{'ab' * 6}-1/match.json")
        assert (status, b"Can't reach a host at" in body) == (404, True)


async def test_without_being_asked_for_there_is_no_public_page(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host, gateway(host) as made:
        for path in ("/tables", "/tables/list.json", f"/replay/{'ab' * 6}-1"):
            assert (await fetched(made.port, path))[0] == 404


def test_the_audience_sees_no_more_than_it_saw() -> None:
    match = played_match(catalogue.load("sun"), 2, "1")
    playback = playback_of(record_of(match, Path("match")))
    assert isinstance(playback, Playback)
    watched = WatchedMatch(MatchId("ab" * 6, 1), playback, b"", None)
    at = playback.turn_starts[2]
    held = playback.state(at).cards["hand/0"][0]
    assert watched.words("en").card(held) in watched.beat(at, "en", "all").table
    assert watched.beat(at, "en", "all").table != watched.beat(at, "en", "audience").table
    view = playback.view(at, AUDIENCE)
    assert watched.picture(at, "en", "audience", "light", (240, 240)).view == view
    page = watched.page("ja", "all")
    assert page.turns[0] == 0
    assert {mark.label for mark in page.marks} <= {"魔法", "獲得", "バトル", "大きな得点"}
    assert all(0 <= line <= page.last for line, _ in page.lines)


def test_a_way_to_a_table_is_its_name_and_no_code() -> None:
    assert parse_table_link("0123456789ab") == TableLink("0123456789ab", False)
    assert parse_table_link("watch:0123456789ab") == TableLink("0123456789ab", True)
    for said in ("", "K7MPQ2", "0123456789ab ", "watch:", "0123456789AB", "0123456789abc"):
        assert parse_table_link(said) is None


def test_the_pages_files_are_small_and_translated() -> None:
    assert sum(path.stat().st_size for path in FILES) <= MAX_PAGE_BYTES
    said: set[str] = set()
    for path in FILES:
        text = path.read_text("utf-8")
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "document.write"):
            assert word not in text
        assert not re.search(r"<[a-z]+[^>]* (style|on[a-z]+)=", text)
        said |= set(re.findall(r"words\.(\w+)", text))
        said |= set(re.findall(r'"(\w+)"', text)) | set(re.findall(r"^  (\w+)[:,]", text, re.M))
    assert PAGE_TEXTS.keys() <= said
    asked_for = {
        word for path in FILES for word in re.findall(r'\bsay\("(\w+)"', path.read_text("utf-8"))
    }
    assert asked_for <= PAGE_TEXTS.keys()
