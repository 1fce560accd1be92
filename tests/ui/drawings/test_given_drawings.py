"""A game without Python that has drawings of its own: a guest that takes it sees what its designer
does, in the window, by the command line, on a phone, and on a server that takes games."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit, UnknownGame
from tabletop.commands.headless import join
from tabletop.files import folders
from tabletop.net.host import relocation
from tabletop.net.host.relocation import relocate_to_server
from tabletop.protocol.invitation import Address, InviteLink
from tabletop.table.given_games import files_to_move
from tests.game_folders import change
from tests.net.loopback import ROOMY, Friend, begin, hosting, plan, run
from tests.net.playtest.prototypes import at_the_designers, ferry
from tests.net.playtest.prototypes import opened as opened_table
from tests.ui.drawings.drawn_game import Drawn, differing, drawn
from tests.ui.received.designer import Designer, come
from tests.ui.window_driver import Open, click
from tests.web.gateways import Browser, gateway, seat_all
from ui.phones.drawing import QtDrawer
from ui.table.items.piece_item import PictureItem
from ui.table.scene import TableScene


@pytest.fixture(autouse=True)
def empty_home(home: Path) -> Iterator[Path]:
    """A home at which nothing has been received."""
    game_folders.clear_cache()
    yield home
    game_folders.clear_cache()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return ferry(tmp_path / "designer" / "night_ferry", monkeypatch)


@pytest.fixture
def designed(folder: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication) -> Drawn:
    """The designer's messages."""
    with at_the_designers(folder, monkeypatch) as kit:
        return drawn(kit.id)


def taken(kit: GameKit) -> str:
    """The id by which it is known here once it was taken from its designer."""
    known = f"{kit.id}-{kit.digest[:12]}"
    with pytest.raises(UnknownGame):
        catalogue.load(kit.id)
    return known


def board(scene: TableScene) -> QImage:
    (picture,) = (each for each in scene.items() if isinstance(each, PictureItem) and _wide(each))
    return picture.pixmap().toImage()


def _wide(item: PictureItem) -> bool:
    return item.pixmap().width() > 2 * item.pixmap().height()


def test_a_friends_window_shows_what_the_designer_drew(
    qtbot: QtBot,
    opened: Open,
    folder: Path,
    designed: Drawn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    designer = Designer(qtbot, folder, tmp_path / "hosted", monkeypatch)
    window = opened()
    click(come(qtbot, window, designer).download_button)
    qtbot.waitUntil(lambda: window.online.lobby_screen is not None)
    remote = window.online.remote
    known = taken(designer.kit)
    assert differing(drawn(known), designed) == []
    remote.guest.sit(1, "Bea", "leaf")
    qtbot.waitUntil(lambda: remote.local_seats == (1,))
    for guest, seat in ((remote.guest, 1), (designer.remote.guest, 0)):
        guest.set_ready(seat)
    info = designer.remote.guest
    qtbot.waitUntil(lambda: all(each.state == "ready" for each in info.info.sitters))
    with at_the_designers(folder, monkeypatch):
        designer.remote.guest.start()
        qtbot.waitUntil(lambda: window.table is not None)
    qtbot.waitUntil(lambda: bool(window.table.scene.items()))
    assert window.context.broken_drawings == {}
    assert board(window.table.scene).width() > 300
    designer.close()


def taken_by_command(folder: Path, hosted: Path, monkeypatch: pytest.MonkeyPatch) -> GameKit:
    """The game at its designer's, once somebody without a window has taken it at the table."""
    kits: list[GameKit] = []

    async def work() -> None:
        async with hosting(hosted) as host:
            ann, kit, code = await opened_table(host, folder, monkeypatch)
            kits.append(kit)
            link = InviteLink("127.0.0.1", host.port, code=code)
            coming = asyncio.create_task(join(link, "Bot", take_game=True))
            await ann.until(lambda: ann.guest.info.sitters[0].name == "Bot")
            coming.cancel()
            await ann.close()

    run(work)
    return kits[0]


def test_who_joins_without_a_window_has_the_drawings_too(
    folder: Path, designed: Drawn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = taken_by_command(folder, tmp_path / "hosted", monkeypatch)
    assert differing(drawn(taken(kit)), designed) == []


def test_a_phones_picture_has_the_board_and_the_pieces(
    folder: Path, designed: Drawn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kits: list[GameKit] = []

    async def work() -> None:
        async with hosting(tmp_path / "hosted") as host:
            ann, kit, code = await opened_table(host, folder, monkeypatch)
            kits.append(kit)
            async with (
                gateway(host, takes_games=True, drawer=QtDrawer()) as made,
                Browser(made.port, code=code) as one,
                Browser(made.port, code=code) as two,
            ):
                for browser in (one, two):
                    await browser.until(lambda browser=browser: browser.lobby)
                await seat_all(ann, one, two)
                one.send("look", width=780, height=500, theme="light")
                await one.until(lambda: any(each["kind"] == "picture" for each in one.heard))
                assert one.notes == []
            await ann.close()

    run(work)
    assert differing(drawn(taken(kits[0])), designed) == []


def test_a_server_that_takes_games_has_the_drawings(
    folder: Path, designed: Drawn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kits: list[GameKit] = []
    takes = replace(ROOMY, accepts_games=True)

    async def work() -> None:
        async with (
            hosting(tmp_path / "window", limits=takes) as window,
            hosting(tmp_path / "server", limits=takes) as server,
        ):
            ann = Friend(window.port, window.certificate.fingerprint)
            place = Address(("127.0.0.1",), server.port, server.certificate.fingerprint)
            with at_the_designers(folder, monkeypatch) as kit:
                kits.append(kit)
                ann.guest.open_table(plan(kit.id, 2, bots=1))
                await ann.sit(0)
                await begin([ann])
                files = files_to_move(kit)
            (hosted,) = window.hosted_tables.values()
            with monkeypatch.context() as patch:
                patch.setattr(relocation, "files_to_move", lambda kit: files)
                assert await relocate_to_server(window.registry, hosted, place, "") is None
            (there,) = server.hosted_tables.values()
            assert there.kit.id == taken(kit)
            await ann.close()

    run(work)
    assert differing(drawn(taken(kits[0])), designed) == []


def test_ones_own_game_of_the_same_name_lends_it_no_drawing(
    folder: Path, designed: Drawn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = taken_by_command(folder, tmp_path / "hosted", monkeypatch)
    known = taken(kit)
    own = folders.games() / "night_ferry"
    shutil.copytree(folder, own)
    for name in ("harbour", "parts", "ferry"):
        (own / "assets" / f"{name}.svg").write_text("<svg/>", "utf-8")
    change(own / "assets" / "inks.toml", "#2f4a77", "#ff0000")
    game_folders.clear_cache()
    assert catalogue.load("night_ferry").digest != kit.digest
    assert differing(drawn(known), designed) == []
