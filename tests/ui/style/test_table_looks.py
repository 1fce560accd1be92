"""Every game's table: its colours can be read and told apart on it, in every theme and sight."""

import math
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.games.colours import contrast_ratio, lightness
from tabletop.games.table_look import TableLook
from tabletop.studio.workshop import new_game
from tests.ui.style.colour_vision import MATRICES
from tests.ui.style.colour_vision import seen as seen_by
from tests.ui.style.contrast import linear_light
from ui.studio.game_check.faint_table import MAT_OPACITY, faint_words, find_faint_table
from ui.style.art import Art
from ui.style.table_look import apply_table_look, table_pixmap
from ui.style.theme import THEMES, Theme, load_theme, mix, seat_background

GAMES = [kit.id for kit in catalogue.shelf()]
SIZE = QSize(980, 740)


def look_of(game: str, tokens: str) -> Theme:
    return apply_table_look(load_theme(tokens), catalogue.load(game).layout.look)


def in_sight(colour: str, sight: str) -> str:
    """A colour as this sight sees it."""
    parts = seen_by(linear_light(colour), MATRICES[sight])
    bent = [12.92 * p if p <= 0.0031308 else 1.055 * p ** (1 / 2.4) - 0.055 for p in parts]
    return QColor(*(round(255 * part) for part in bent)).name()


@cache
def extremes(game: str, look: Theme) -> tuple[str, ...]:
    """The darkest and the lightest twentieth of the drawing of a table, as a mat shows it."""
    made = table_pixmap(Art(load_theme(look.name)), look, game, SIZE, 1.0).toImage()
    pixels = [
        made.pixelColor(x, y) for x in range(0, made.width(), 9) for y in range(0, made.height(), 9)
    ]
    pixels.sort(key=lambda each: lightness(each.name()))
    ends = (pixels[len(pixels) // 20], pixels[-len(pixels) // 20])
    return tuple(mix(pixel.name(), look.mat, MAT_OPACITY).name() for pixel in ends)


@pytest.mark.parametrize("sight", MATRICES)
@pytest.mark.parametrize("tokens", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_words_and_outlines_are_seen_on_every_table(
    game: str, tokens: str, sight: str, qapp: QApplication
) -> None:
    look = look_of(game, tokens)
    for ground in (look.table, look.mat, *extremes(game, look)):
        under = in_sight(ground, sight)
        for ink, least in (
            (look.table_ink, 4.5),
            (look.table_soft, 4.5),
            (look.table_accent, 3.0),
            (look.table_accent_2, 3.0),
        ):
            assert contrast_ratio(in_sight(ink, sight), under) >= least, (ink, ground)


@pytest.mark.parametrize("tokens", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_words_are_read_on_what_the_drawing_has_under_them(
    game: str, tokens: str, qapp: QApplication
) -> None:
    assert list(faint_words(catalogue.load(game), look_of(game, tokens))) == []


@pytest.mark.parametrize("sight", MATRICES)
@pytest.mark.parametrize("tokens", THEMES)
def test_names_and_badges_are_seen_on_their_plaques(tokens: str, sight: str) -> None:
    colours = load_theme(tokens)
    ringed = contrast_ratio(colours.ink, colours.paper)
    for seat in colours.seats:
        asked = seat_background(colours, seat.colour).name()
        for plaque in (colours.paper, asked):
            assert contrast_ratio(in_sight(colours.ink, sight), in_sight(plaque, sight)) >= 4.5
        soft, paper = in_sight(colours.ink_soft, sight), in_sight(colours.paper, sight)
        assert contrast_ratio(soft, paper) >= 4.5
        bare = contrast_ratio(in_sight(seat.colour, sight), in_sight(colours.paper, sight))
        assert bare >= 2.9 or ringed >= 4.5, seat.symbol
        assert contrast_ratio(in_sight(seat.ink, sight), in_sight(seat.colour, sight)) >= 2.9


@pytest.mark.parametrize("game", GAMES)
def test_a_dark_table_has_the_hue_of_the_light_one(game: str) -> None:
    light, dark = look_of(game, "light"), look_of(game, "dark")
    assert math.isclose(lightness(dark.table), 15, abs_tol=0.7)
    assert lightness(dark.mat) > lightness(dark.table)
    hues = (QColor(light.table).hslHueF(), QColor(dark.table).hslHueF())
    assert abs(hues[0] - hues[1]) < 0.09
    night = load_theme("dark")
    assert (dark.paper, dark.ink) == (night.paper, night.ink)
    assert (dark.table_ink, dark.table_soft) == (night.ink, night.ink_soft)


@pytest.mark.parametrize("game", GAMES)
def test_the_contrast_theme_has_one_table_for_all(game: str, qapp: QApplication) -> None:
    look = look_of(game, "contrast")
    assert look == load_theme("contrast")
    made = table_pixmap(Art(look), look, game, SIZE, 1.0).toImage()
    assert {made.pixelColor(x, 300).name() for x in range(made.width())} == {look.table.lower()}


def test_a_game_without_a_look_has_the_programs_table() -> None:
    assert apply_table_look(load_theme("light"), None) == load_theme("light")


def test_no_two_games_have_one_table() -> None:
    assert len({look_of(game, "light").table for game in GAMES}) == len(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_drawing_covers_a_table_of_any_shape(game: str, qapp: QApplication) -> None:
    look, art = look_of(game, "light"), Art()
    for size in (QSize(400, 1200), QSize(1600, 300), QSize(330, 330)):
        made = table_pixmap(art, look, game, size, 1.0, QPointF(90, 80), 40.0).toImage()
        assert made.size() == size
        assert made.pixelColor(size.width() - 1, size.height() - 1).alpha() == 255


def test_a_look_that_is_hard_to_read_is_told(qapp: QApplication) -> None:
    kit = catalogue.load("sun")
    assert list(find_faint_table(kit)) == []
    assert kit.layout.look is not None
    pale = TableLook(
        table="#EEEEEE",
        mat="#DDDDDD",
        line="#CCCCCC",
        ink="#333333",
        soft="#999999",
        accent="#DDAA99",
    )
    pale_kit = replace(kit, layouts=(replace(kit.layout, look=pale),))
    told = list(find_faint_table(pale_kit))
    assert (
        'table.toml: "soft" on "mat" has a contrast of 2.1 in the light theme; it needs 4.5' in told
    )
    assert any('"accent" on "table"' in each for each in told)
    assert not any('"ink" on "mat"' in each for each in told)


@pytest.mark.parametrize("template", ["capture", "cards", "dice", "free", "tricks"])
def test_what_a_designer_begins_with_can_be_read(
    template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    folder = tmp_path / "pond"
    new_game.create_game("Pond", folder, template, (4,) if template == "tricks" else (2, 3))
    agreements.add_own_folder(folder)
    game_folders.add(folder)
    try:
        assert list(find_faint_table(catalogue.load("pond"))) == []
    finally:
        game_folders.clear_cache()


def test_the_example_for_designers_can_be_read(qapp: QApplication) -> None:
    assert list(find_faint_table(catalogue.load("_blank"))) == []
