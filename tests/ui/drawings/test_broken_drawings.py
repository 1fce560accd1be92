"""A drawing that is missing or broken is one sentence with its file and line, wherever it is used;
the table opens and can be played all the same."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.commands import command_line
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match, Player
from tabletop.web.drawer import FaceOrder
from tests.game_folders import change
from tests.net.loopback import hosting, plan
from tests.net.playtest.prototypes import at_the_designers, ferry
from tests.short_check import shorten
from tests.ui.phones.asked_pictures import begun, image, order
from tests.ui.window_driver import Open, play, settle
from tests.web.gateways import Browser, gateway, seat_all
from tests.web.gateways import opened as opened_table
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.phones.drawing import QtDrawer
from ui.shell import app_context
from ui.studio.workshop.trial_session import Trial
from ui.style.art import Art

Break = Callable[[Path], None]
EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'


def misspelt_tag(folder: Path) -> None:
    change(folder / "assets" / "harbour.svg", "{% endfor %}", "{% endfro %}")


def unknown_ink(folder: Path) -> None:
    change(folder / "assets" / "harbour.svg", "ink.night", "ink.nihgt")


def open_element(folder: Path) -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg">\n<rect>\n</svg>\n'
    (folder / "assets" / "harbour.svg").write_text(drawing, "utf-8")


def missing_parts(folder: Path) -> None:
    change(folder / "assets" / "harbour.svg", "parts.svg", "prats.svg")


def missing_board(folder: Path) -> None:
    change(folder / "table.toml", "harbour.svg", "harbuor.svg")


DRAWN = [
    (misspelt_tag, "assets/harbour.svg line 16: Encountered unknown tag 'endfro'."),
    (unknown_ink, 'assets/harbour.svg line 9: "nihgt" is not known'),
    (open_element, "assets/harbour.svg line 3: it is no SVG: mismatched tag"),
    (
        missing_parts,
        'assets/harbour.svg line 2: there is no drawing "prats.svg"; did you mean "parts.svg"?',
    ),
]
NAMED = (
    missing_board,
    'table.toml line 12: there is no drawing "harbuor.svg"; did you mean "harbour.svg"?',
)


@pytest.fixture
def folder(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A designer's folder of Night Ferry, which this computer knows."""
    made = ferry(tmp_path / "night_ferry", monkeypatch)
    agreements.add_own_folder(made)
    game_folders.add(made)
    catalogue.reread("night_ferry")
    yield made
    monkeypatch.undo()
    game_folders.clear_cache()


def seated(window: Window) -> TableScreen:
    """A match against a bot, just started."""
    kit, bot = catalogue.load("night_ferry"), Player("Bot", "", "bot", "easy")
    window.matches.show_match(Match(kit, (Player("Ann"), bot), seed="1"))
    settle()
    assert window.table is not None
    return window.table


def shown(window: Window) -> str:
    """The banner over the screen."""
    return "" if window.banner.isHidden() else window.banner.text


@pytest.fixture
def own_art(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows that have drawn nothing yet: other tests share what draws for them."""
    monkeypatch.setattr(app_context, "Art", Art)


def spoilt(folder: Path, spoil: Break) -> None:
    spoil(folder)
    catalogue.reread("night_ferry")


@pytest.mark.parametrize(
    ("command", "spoil", "sentence"),
    [
        *(("shot --game {} --ply 4 --out {}", *each) for each in (*DRAWN, NAMED)),
        ("shot --game {} --ply 4 --window --out {}", *DRAWN[0]),
        ("print {} --out {}", *DRAWN[0]),
        ("print {} --out {}", *NAMED),
    ],
)
def test_a_command_says_it_in_one_line_and_writes_nothing(
    folder: Path,
    spoil: Break,
    sentence: str,
    command: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    spoilt(folder, spoil)
    out = tmp_path / "picture.png"
    assert command_line.main(command.format(folder, out).split()) != 0
    output = capfd.readouterr().err
    assert sentence in output
    assert output.count("\n") == 1
    assert not out.exists()


def test_check_names_each_once_and_looks_at_what_no_table_shows(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    shorten(monkeypatch)
    misspelt_tag(folder)
    (folder / "assets" / "box-front.svg").write_text("<svg>\n{{ nothing }}</svg>", "utf-8")
    (folder / "assets" / "ornament.svg").write_text("<svg>\n{{ share }}{{ shore }}</svg>", "utf-8")
    (folder / "assets" / "face.svg").write_text(f"{EMPTY}\n{EMPTY}\n", "utf-8")
    change(folder / "illustrations.toml", "sign.svg", "sing.svg")
    change(folder / "print.toml", "piers.svg", "pears.svg")
    catalogue.reread("night_ferry")
    assert command_line.main(["check", str(folder), "--games", "1"]) == 1
    output = "".join(capfd.readouterr())
    assert "Traceback" not in output
    for sentence in (
        DRAWN[0][1],
        'assets/box-front.svg line 2: "nothing" is not known',
        'assets/ornament.svg line 2: "shore" is not known',
        "assets/face.svg line 2: it is no SVG: junk after document element",
        'illustrations.toml line 7: there is no drawing "sing.svg"',
        'print.toml line 3: there is no drawing "pears.svg"; did you mean "piers.svg"?',
    ):
        assert output.count(sentence) == 1, sentence


@pytest.mark.usefixtures("own_art")
@pytest.mark.parametrize(("spoil", "sentence"), DRAWN[:2])
def test_the_window_shows_it_over_a_table_that_is_played(
    folder: Path, spoil: Break, sentence: str, opened: Open
) -> None:
    spoilt(folder, spoil)
    window = opened()
    table = seated(window)
    assert sentence in shown(window)
    play(table, FastRng("moves"))
    assert table.seated.match.record


@pytest.mark.usefixtures("own_art")
def test_a_blank_sheet_in_a_japanese_window_says_it_in_japanese(
    folder: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheets: list[str] = []
    painter = "ui.style.drawn_templates.paint_error_placeholder"
    monkeypatch.setattr(painter, lambda *given: sheets.append(given[2]))
    spoilt(folder, misspelt_tag)
    window = opened(language="ja")
    seated(window)
    sentence = "assets/harbour.svgの16行目に誤りがあります"
    assert sentence in shown(window)
    assert set(sheets) == {sentence}


@pytest.mark.usefixtures("own_art")
@pytest.mark.parametrize(("spoil", "sentence"), [DRAWN[0], NAMED])
def test_the_workshop_shows_it_over_the_last_good_table(
    folder: Path, spoil: Break, sentence: str, opened: Open, qtbot: QtBot
) -> None:
    window = opened()
    window.workshop.open(folder, Trial(2, "1"))
    settle()
    before = window.table
    assert before is not None
    strip = window.workshop.trial.strip
    spoil(folder)
    qtbot.waitUntil(lambda: sentence in strip.mistake.text())
    assert window.table is before
    assert sentence not in shown(window)


@pytest.mark.parametrize(("spoil", "sentence"), DRAWN[:2])
async def test_a_phone_has_its_picture_and_reads_it_once(
    folder: Path, spoil: Break, sentence: str, tmp_path: Path, qapp: object
) -> None:
    spoilt(folder, spoil)

    async with (
        hosting(tmp_path / "hosted") as host,
        opened_table(host, plan("night_ferry", 2)) as owner,
        gateway(host, drawer=QtDrawer()) as made,
        Browser(made.port, code=owner.guest.info.code) as one,
        Browser(made.port, code=owner.guest.info.code) as two,
    ):
        await seat_all(owner, one, two)
        one.send("look", width=780, height=500, theme="light")
        await one.until(lambda: one.notes)
        await one.play()
        await one.until(lambda: sum(each["kind"] == "picture" for each in one.heard) > 1)
        (note,) = one.notes
        assert sentence in note
        assert two.notes == []


def test_a_face_that_is_broken_leaves_a_phone_its_table(folder: Path, qapp: object) -> None:
    change(folder / "assets" / "face.svg", "card.home", "card.hoem")
    catalogue.reread("night_ferry")
    drawer, match = QtDrawer(), begun("night_ferry", 2)
    face = asyncio.run(drawer.face(FaceOrder("night_ferry", 0, -1, "en", "light", 240)))
    assert image(face.content).width() == 240
    table = asyncio.run(drawer.picture(order(match, "night_ferry")))
    assert '"hoem" is not known; did you mean "home"?' in table.broken


def test_broken_inks_are_told_with_their_line(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    change(folder / "assets" / "inks.toml", 'lamp = "#ffd27a"', "lamp = 7")
    catalogue.reread("night_ferry")
    assert command_line.main(["shot", "--game", str(folder), "--out", "no.png"]) != 0
    told = 'assets/inks.toml line 5: "lamp" must be a text in quotes'
    assert told in capfd.readouterr().err


def test_a_game_that_lacks_a_drawing_is_not_opened_to_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoilt(folder, missing_board)
    with (
        pytest.raises(catalogue.BrokenGame, match="harbuor"),
        at_the_designers(folder, monkeypatch),
    ):
        pass
