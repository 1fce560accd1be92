"""Games to be printed: the layout of the sheets, looked at in pictures of the pages."""

import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.printed_box import read_print_config
from tabletop.commands.command_line import main
from tabletop.language.words import Words
from tests.ui.pdf_text import characters_in, glyphs_without_character
from ui.studio.paper.board_parts import boards_and_pieces
from ui.studio.paper.card_grid import PAPERS, CardGrid, CardTooLarge
from ui.studio.paper.pdf_sheets import SheetPdf
from ui.studio.paper.print_and_play import CARD_SIZE_MM, PrintAndPlayWriter

DOTS = 4
"""Pixels of a picture to a millimetre."""
SHEETS = "_blank"
"""A game of so few cards that its last sheet is not full."""


@pytest.fixture
def pdftoppm() -> str:
    program = shutil.which("pdftoppm")
    if program is None:
        missing = "there is no pdftoppm, of poppler-utils, that would show the pages"
        (pytest.fail if os.environ.get("TABLETOP_PDFTOPPM") else pytest.skip)(missing)
    return program


def pages(program: str, file: Path, first: int, last: int) -> list[QImage]:
    """Pictures of some pages of a PDF."""
    out = file.with_suffix("")
    order = [program, "-r", f"{DOTS * 25.4}", "-f", f"{first}", "-l", f"{last}", "-gray"]
    subprocess.run([*order, file, out], check=True, timeout=120)
    images = sorted(file.parent.glob(f"{out.name}-*.pgm"))
    return [QImage(str(picture)) for picture in images]


def darkness(page: QImage, x: float, y: float) -> int:
    """The darkness of the darkest pixel next to a point, in millimetres; 0 for white paper."""
    left, top = round(x * DOTS), round(y * DOTS)
    near = [(left + a, top + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    return 255 - min(page.pixelColor(a, b).lightness() for a, b in near)


def test_backs_align_with_faces_and_marks_with_cuts(
    pdftoppm: str, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sheets.pdf"
    assert main(["print", SHEETS, "--out", str(file), "--bleed", "0"]) == 0
    assert capsys.readouterr().err == ""
    cards = len(catalogue.load(SHEETS).deck)
    grid = CardGrid(PAPERS["a4"], (63.0, 88.0))
    sheets = -(-cards // len(grid))
    last = 1 + 2 * sheets
    faces, backs = pages(pdftoppm, file, last, last + 1)
    assert abs(faces.width() - 210 * DOTS) <= 2  # a PDF's pages are whole points large
    assert abs(faces.height() - 297 * DOTS) <= 2
    left = cards - (sheets - 1) * len(grid)
    assert 0 < left % grid.columns < len(grid)
    for number, (face, back) in enumerate(zip(grid.faces(), grid.backs(), strict=True)):
        for page, slot in ((faces, face), (backs, back)):
            edge = darkness(page, slot.x + 5, slot.y + slot.h / 2)
            assert (edge > 0) == (number < left)
        assert face.x + face.w / 2 + back.x + back.w / 2 == pytest.approx(210)
    x, y = grid.faces()[0].x, grid.faces()[0].y
    assert (x, y) == pytest.approx((10.5, 16.5))
    for cut in (x, x + 63, x + 126, x + 189):
        assert darkness(faces, cut, y - 3) > 90
        assert darkness(faces, cut + 2, y - 3) == 0
        assert darkness(backs, cut, y - 3) == 0  # cut from the faces' side
    for cut in (y, y + 88, y + 176, y + 264):
        assert darkness(faces, x - 3, cut) > 90


def test_cards_lie_on_their_side_where_more_of_them_fit_so() -> None:
    grid = CardGrid(PAPERS["letter"], (60.0, 100.0), 1.0)
    assert (grid.columns, grid.rows, grid.lying) == (2, 4, True)
    first, second = grid.faces()[:2]
    assert (first.w, first.h, first.turned) == (100.0, 60.0, 90)
    assert second.x - first.x == pytest.approx(102)
    # Turned over the long edge its top, at the right before, is at the left, and so is the back's.
    assert grid.backs()[0].turned == -90
    assert grid.backs()[0].x == pytest.approx(second.x)
    marks = list(grid.crop_marks())
    assert len(marks) == 2 * (4 + 8)
    assert all(0 < n < 280 for mark in marks for n in mark)
    with pytest.raises(CardTooLarge, match="190 x 200 mm"):
        CardGrid(PAPERS["a4"], (190.0, 200.0), 6.0)


HARBOUR = {
    "cards.csv": "name,back,copies,value\nCrate,goods,4,1\nCaptain,captain,5,2\nTile,tile,20,3\n",
    "print.toml": '[sizes]\ncaptain = "70x120"\ntile = "44x44"\n',
    "red.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    '<rect width="9" height="9" fill="red"/></svg>',
    "free.toml": """
[table]
picture = "sea.svg"
[zone.deck]
kind = "deck"
label = "the deck"
starts = "all"
[zone.yard]
kind = "grid"
owner = "seat"
rows = 2
columns = 3
label = "{seat}'s yard, {row}, {column}"
picture = ["red.svg", "blue.svg", "green.svg"]
[zone.dock]
kind = "row"
owner = "seat"
label = "{seat}'s dock"
picture = "red.svg"
""",
}
"""A game whose decks have three sizes, and whose players have two boards each."""


@pytest.fixture
def harbour(home: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "harbour"
    folder.mkdir()
    for name, text in HARBOUR.items():
        (folder / name).write_text(text)
    for colour in ("blue", "green", "sea"):
        (folder / f"{colour}.svg").write_text(HARBOUR["red.svg"].replace("red", "blue"))
    return folder


def test_each_size_of_card_has_its_sheets(pdftoppm: str, harbour: Path, tmp_path: Path) -> None:
    file = tmp_path / "harbour.pdf"
    assert main(["print", str(harbour), "--out", str(file)]) == 0
    sizes = ((63.0, 88.0), 4), ((70.0, 120.0), 4), ((70.0, 120.0), 1), ((44.0, 44.0), 20)
    shown = pages(pdftoppm, file, 3, 2 + 2 * len(sizes))
    for number, (size, cards) in enumerate(sizes):
        grid, (faces, backs) = CardGrid(PAPERS["a4"], size), shown[2 * number : 2 * number + 2]
        cuts = {round(mark.x1, 3) for mark in grid.crop_marks() if mark.x1 == mark.x2}
        assert all(darkness(faces, x, grid.faces()[0].y - 3) > 90 for x in cuts)
        for at, (face, back) in enumerate(zip(grid.faces(), grid.backs(), strict=True)):
            for page, slot in ((faces, face), (backs, back)):
                middle = darkness(page, slot.x + slot.w / 2, slot.y + slot.h / 2)
                assert (middle > 0) == (at < cards)


def test_every_player_gets_boards_of_their_own(harbour: Path) -> None:
    (game,) = game_folders.add(harbour)
    boards, _ = boards_and_pieces(catalogue.load(game.id), (63.0, 88.0), (170.0, 257.0))
    assert [board.seat for board in boards] == [None, 0, 0, 1, 1, 2, 2, 3, 3]
    for yard in boards[1::2]:
        assert all(spot.w * yard.unit == pytest.approx(63) for spot in yard.spots)
        assert len(yard.spots) == 6


def test_boards_fit_their_cards_and_all_pieces_are_there() -> None:
    boards, pieces = boards_and_pieces(catalogue.load("royale"), (63.0, 88.0), (170.0, 257.0))
    (plan,) = boards
    assert plan.unit == pytest.approx(63 / 0.83)
    assert len({repr(piece.stand.layers) for piece in pieces}) == 12
    boards, pieces = boards_and_pieces(catalogue.load("sun"), (63.0, 88.0), (170.0, 257.0))
    track, field = boards
    assert track.rect.h * track.unit == pytest.approx(257)
    assert field.printed.w * field.unit == pytest.approx(3 * 63 + 2)
    assert field.printed.h * field.unit == pytest.approx(3 * 88 + 2)
    assert len(pieces) == 5


def test_what_only_a_box_of_paper_has_is_drawn_on_both_sides() -> None:
    for name in catalogue.packaged_games():
        kit = catalogue.load(name)
        box = read_print_config(kit)
        assert set(box.unprinted) <= set(kit.back_names)
        assert all(card.front != card.back for card in box.card)
    condition, chart = read_print_config(catalogue.load("sisters")).card
    assert (condition.front["side"], condition.back["side"]) == ("Close", "Far")
    assert (chart.front["side"], chart.back["side"], chart.copies) == ("house", "field", 4)


def test_every_player_gets_a_score_chart_of_planetary_sisters(qapp: QApplication) -> None:
    kit = catalogue.load("sisters")
    pdf = SheetPdf(PAPERS["a4"], "charts")
    ((_, cards),) = PrintAndPlayWriter(kit, Words("en", kit), pdf, CARD_SIZE_MM, 0).cards()
    pdf.close()
    sides = Counter((front.key, back.key) for front, back in cards)
    house, field = (("sisters/chart.svg", ("side", side)) for side in ("house", "field"))
    assert sides[house, field] == max(kit.box.seats)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (["--card", "63"], '"63" isn\'t a card size; write millimetres like 63x88'),
        (["--card", "190x200", "--bleed", "9"], "A card of 190 x 200 mm does not fit"),
        (["--paper", "a5"], '--paper can\'t be "a5": use a4 or letter.'),
        (["--lang", "fr"], '--lang can\'t be "fr"'),
    ],
)
def test_what_cannot_be_printed_is_one_sentence(
    wrong: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheets.pdf"
    assert main(["print", SHEETS, "--out", str(out), *wrong]) == 2
    output = capsys.readouterr().err
    assert output.startswith(sentence)
    assert output.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ('tile = "44"', 'print.toml line 2: "44" isn\'t a card size'),
        ('tyle = "44x44"', 'print.toml line 2: "tyle" is not known; did you mean "tile"?'),
        ('tile = "500x500"', 'print.toml line 2: "500x500" isn\'t a card size'),
    ],
)
def test_a_size_that_is_none_is_told(
    wrong: str, sentence: str, harbour: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (harbour / "print.toml").write_text(f"[sizes]\n{wrong}\n")
    assert main(["print", str(harbour), "--out", str(tmp_path / "harbour.pdf")]) == 2
    assert sentence in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "none").write_text("no folder")
    out = tmp_path / "none" / "sheets.pdf"
    assert main(["print", SHEETS, "--out", str(out)]) == 2
    assert capsys.readouterr().err.startswith('Can\'t write "sheets.pdf"')


@pytest.mark.parametrize("game", ["chains", "sisters"])
def test_text_on_sheets_can_be_found_and_copied(game: str, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "sheets.pdf"
    assert main(["print", game, "--out", str(file)]) == 0
    content = file.read_bytes()
    assert glyphs_without_character(content) == []
    drawn = set().union(*(each.values() for each in characters_in(content)))
    assert " " in drawn
    assert not [each for each in drawn if each == "\t" or "\u2e80" <= each <= "\u2fdf"]
