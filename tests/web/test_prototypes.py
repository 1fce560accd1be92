"""Phones at the table of a prototype: the gateway takes its game, and notes reach the host."""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.files import folders
from tabletop.net.guest import missing_game
from tabletop.net.guest.missing_game import MissingGame
from tabletop.protocol.match_notes import MatchNotes
from tabletop.web.gateway.page_resources import face_order
from tests.game_folders import laid
from tests.net.loopback import Friend, hosting, plan, play_on
from tests.net.playtest.prototypes import opened, prototype
from tests.web.gateways import Browser, gateway, seat_all, web_table


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A home of its own, at which nothing has been received."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    game_folders.clear_cache()
    yield
    game_folders.clear_cache()


async def test_a_gateway_takes_the_game_of_the_table_for_its_phones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = prototype(tmp_path / "pond")

    async with hosting(tmp_path / "hosted") as host:
        ann, kit, code = await opened(host, folder, monkeypatch)
        async with gateway(host) as shy, Browser(shy.port, code=code) as browser:
            await browser.until(lambda: kit.digest[:12] in browser.door)
            assert "not where this page comes from" in browser.door
            assert not folders.received().exists()
        async with (
            gateway(host, takes_games=True) as made,
            Browser(made.port, code=code) as one,
            Browser(made.port, code=code) as two,
        ):
            for browser in (one, two):
                await browser.until(lambda browser=browser: browser.lobby)
            assert one.lobby["title"] == "Pond Night"
            await seat_all(ann, one, two)
            assert one.page["game"] == f"{kit.id}-{kit.digest[:12]}"
            assert one.page["zones"]


async def test_a_phones_note_reaches_the_host_at_the_matchs_end(tmp_path: Path) -> None:
    async with AsyncExitStack() as open_now:
        _, owner, made = await open_now.enter_async_context(web_table(tmp_path, plan("sun", 2)))
        code = owner.code
        ann = await open_now.enter_async_context(Browser(made.port, code=code))
        bea = await open_now.enter_async_context(Browser(made.port, code=code, language="ja"))
        await seat_all(owner, ann, bea)
        assert ann.page["notes"].startswith("The host gets it once the match is over")
        answer = await ann.send("note", text="The eye\nis too strong.")
        assert answer["taken"]
        await ann.until(lambda: "The host has the note." in ann.notes)
        assert not any("too strong" in str(said) for said in bea.heard)
        empty = await ann.send("note", text=" ")
        assert ann.notes.count("The host has the note.") == 1
        await ann.until(lambda: "The note is empty." in ann.notes)
        assert empty["taken"]
        play_on([owner])
        ann.send("concede")
        await owner.until(lambda: any(isinstance(news, MatchNotes) for news in owner.news))
        (told,) = [news for news in owner.news if isinstance(news, MatchNotes)]
        ((note,),) = (told.notes,)
        assert (note.name, note.seat, note.text) == ("Player 1", 0, "The eye\nis too strong.")


async def test_a_gateway_finds_a_hosts_game_with_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder is named to the host alone, and the match hasn't begun yet."""
    folder = laid(tmp_path / "elsewhere" / "pond")
    agreements.add_own_folder(folder)
    async with hosting(tmp_path / "hosted") as host:
        with monkeypatch.context() as named:
            named.setenv(game_folders.GAMES_VARIABLE, str(folder))
            game_folders.clear_cache()
            kit = catalogue.load("pond")
            owner = Friend(host.port, host.certificate.fingerprint)
            owner.guest.open_table(plan(kit.id, 2))
            await owner.inside()
            code = owner.code
        game_folders.clear_cache()
        assert "pond" not in catalogue.names()
        async with (
            gateway(host) as made,
            Browser(made.port, code=code) as one,
            Browser(made.port, code=code, language="ja") as two,
        ):
            for browser in (one, two):
                await browser.until(lambda browser=browser: browser.lobby)
            await seat_all(owner, one, two)
            game = one.page["game"]
            assert game == f"pond-{kit.digest[:12]}"
            assert face_order(f"{game}.k0.en.art", "art", {}) is not None
            assert face_order("moon-0123456789ab.k0.en.art", "art", {}) is None
        await owner.close()


def test_a_page_says_that_a_browser_needs_no_copy_of_the_game() -> None:
    names = {"title": "Pond", "theirs": "ab" * 6}
    for reason in (missing_game.HAS_CODE, missing_game.OTHER_DIGEST, missing_game.OFFERED):
        offered = reason is missing_game.OFFERED
        told = MissingGame(reason.with_args(**names), None, offered).web_reason
        assert "needs no copy" in told.text
        assert ("--take-games" if offered else "--games") in told.text
        assert told.args == names
    told = MissingGame(missing_game.NOT_AGREED.with_args(**names), None).web_reason
    assert "tabletop trust" in told.text
    other = MissingGame(missing_game.NO_GAME.with_args(game="moon"), None)
    assert other.web_reason == other.reason
