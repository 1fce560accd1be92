"""Cards as a person likes them, a language for each seat, and the table seen with other eyes."""

from collections.abc import Sequence
from itertools import combinations
from math import dist

import pytest
from PySide6.QtGui import QColor, QImage, QKeySequence
from PySide6.QtWidgets import QLineEdit, QScrollArea, QToolButton
from pytestqt.qtbot import QtBot

from tabletop.engine.scratch import Luck
from tabletop.storage import settings
from tabletop.storage.record import read
from tests.ui.settings.settings_driver import choose, dialog
from tests.ui.window_driver import Open, begin, button, click, hold, play, settle, sheet, sun_box
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.style.art import Art
from ui.style.card_style import SIZES, STOCKS, CardStyle
from ui.style.colour_vision import MATRICES, as_seen
from ui.style.theme import theme
from ui.table.items.stage import Stage
from ui.widgets.menu_bar import MenuBar


def hand_widths(window: Window) -> list[float]:
    table = window.table
    assert table is not None
    return [item.width for item in table.scene.hand.own.hand()]


def test_cards_change_at_once_on_the_table(opened: Open) -> None:
    window = opened()
    table = begin(window, 1)
    usual = hand_widths(window)
    item = table.scene.hand.own.hand()[0]
    before = item.pixmap().toImage()
    shown = dialog(window)
    choose(shown._cards, "dark")
    dimmed = item.pixmap().toImage()
    assert dimmed != before
    choose(shown._cards, "printed")
    assert item.pixmap().toImage() == before
    choose(shown._size, "small")
    assert len(hand_widths(window)) == len(usual)
    assert all(small < wide for small, wide in zip(hand_widths(window), usual, strict=True))
    choose(shown._size, "large")
    assert window.context.art.cards == CardStyle("printed", "large")
    assert settings.load()[0].card_size == "large"


def test_changes_are_taken_back_and_usual_settings_too(opened: Open) -> None:
    window = opened()
    window.context.change(theme="dark", keys={"undo": "Ctrl+U"}, players=("Kaname",))
    before = window.context.settings
    shown = dialog(window)
    assert not shown._back.isEnabled()
    choose(shown._size, "large")
    click(shown._usual)
    assert (window.context.theme, window.context.settings.keys) == (theme("light"), {})
    assert window.context.settings.players == ("Kaname",), "people are not forgotten"
    assert not shown._usual.isEnabled()
    click(shown._back)
    assert settings.load()[0] == window.context.settings == before
    assert window.context.theme == theme("dark")


@pytest.mark.parametrize("size", SIZES)
def test_a_hand_never_leaves_its_place(opened: Open, size: str) -> None:
    window = opened(card_size=size)
    begin(window, 1)
    table = window.table
    assert table is not None
    setting = table.scene.stage.setting
    assert setting is not None
    for spread in setting.spreads.values():
        if spread.place.form == "fan":
            for slot in spread.slots:
                assert slot.bounds.x >= spread.rect.x - 0.01
                assert slot.bounds.right <= spread.rect.right + 0.01
                assert slot.bounds.bottom <= spread.rect.bottom + 0.01


def test_dimmed_stock_is_darker_and_its_shadow_the_same() -> None:
    pictures = {
        stock: Art(theme("dark"), cards=CardStyle(stock)).card("sun", SUN, 120, 1.0).toImage()
        for stock in STOCKS
    }
    light = {stock: _light(picture) for stock, picture in pictures.items()}
    assert light["dark"] < 0.8 * light["printed"]
    corners = {stock: picture.pixelColor(2, 2) for stock, picture in pictures.items()}
    assert corners["dark"] == corners["printed"] == corners["contrast"]


SUN = {"colour": "red", "turn": 1, "number": 4, "name": "Red", "short": "4", "text": ""}


def _light(picture: QImage) -> float:
    colours = [
        picture.pixelColor(x, y).lightnessF()
        for x in range(20, picture.width() - 20, 5)
        for y in range(20, picture.height() - 20, 5)
    ]
    return sum(colours) / len(colours)


# What a changed setting prints


def test_a_setting_prints_anew_only_what_it_concerns(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    table = begin(window, 1)
    printed: list[str] = []
    for kind, name in ((Stage, "reprint"), (TableScreen, "dress"), (MenuBar, "dress")):
        count(monkeypatch, kind, name, printed)
    for name, value, anew in (
        ("bot_pause", 900, []),
        ("volume", 30, []),
        ("reaction_pause", 3000, []),
        ("keys", {"new": "Ctrl+Shift+N"}, ["MenuBar.dress"]),
        ("animation", "fast", ["MenuBar.dress"]),
        ("theme", "dark", ["MenuBar.dress", "TableScreen.dress", "Stage.reprint"]),
        ("card_size", "large", ["MenuBar.dress", "TableScreen.dress", "Stage.reprint"]),
        ("language", "ja", ["MenuBar.dress", "TableScreen.dress", "Stage.reprint"]),
    ):
        printed.clear()
        window.context.change(**{name: value})
        settle()
        assert printed == anew, name
    assert table.scene.animator.speed == "fast"
    assert table.words.language == "ja"


def test_only_changed_settings_are_announced(opened: Open) -> None:
    context = opened().context
    told: list[frozenset[str]] = []
    context.changed.connect(told.append)
    context.change(volume=30, bot_pause=context.settings.bot_pause)
    context.change(volume=30)
    context.speak("ja")
    context.speak("ja")
    context.speak(None)
    assert told == [{"volume"}, {"language"}, {"language"}]


def count(monkeypatch: pytest.MonkeyPatch, kind: type, name: str, counted: list[str]) -> None:
    """Write down every call of this method."""
    right = getattr(kind, name)

    def called(self: object) -> None:
        counted.append(f"{kind.__name__}.{name}")
        right(self)

    monkeypatch.setattr(kind, name, called)


# A language for each seat


def test_each_seat_is_spoken_to_in_its_own_language(opened: Open, qtbot: QtBot) -> None:
    window = opened(languages={"Kaname": "ja"})
    table = begin(window)
    assert table.context.words.language == "en"
    hold(qtbot, table)
    assert table.context.words.language == "en"
    play(table, Luck(1))
    click(button(table.prompt, "Hand over"))
    assert table.curtain.drawn
    assert table.context.words.language == "ja"
    assert "Kaname" in table.curtain.accessibleName()
    assert "Curtain" not in table.curtain.accessibleName()
    hold(qtbot, table)
    assert table.words.language == "ja"
    file = table.seats_here.file
    assert file is not None
    assert read(file).header.languages == ("en", "ja")
    window.show_shelf()
    settle()
    assert window.context.words.language == "en"
    assert settings.load()[0].language == "en", "the window's own language stays as it was chosen"


def test_the_windows_language_changes_beside_a_players(opened: Open) -> None:
    window = opened(languages={"Hinata": "ja"})
    table = begin(window, 1)
    assert table.context.words.language == "ja"
    window.context.change(language="en")
    assert table.context.words.language == "en"


def test_a_players_language_is_remembered_by_name(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    card = sheet(window).places.cards[1]
    click(card.person)
    card.name.setText("")
    assert not card.language.isEnabled()
    card.name.setText("Kaname")
    assert card.language.isEnabled()
    card.language.menu().actions()[2].trigger()
    assert card.language.text() == "JA"
    assert settings.load()[0].languages == {"Kaname": "ja"}
    card.name.setText("Somebody")
    assert card.language.text() == ""
    card.name.setText("Kaname")
    assert card.language.text() == "JA"
    card.language.menu().actions()[0].trigger()
    assert settings.load()[0].languages == {}
    click(card.bot)
    assert card.language.isHidden()


def test_languages_of_the_usual_players_stand_in_the_settings(opened: Open) -> None:
    window = opened(players=("Hinata", "Kaname"))
    shown = dialog(window)
    first, _, third, _ = shown._languages
    assert first.isEnabled()
    assert not third.isEnabled()
    choose(first, "ja")
    assert settings.load()[0].languages == {"Hinata": "ja"}
    choose(first, "")
    assert settings.load()[0].languages == {}


# Other eyes


def test_the_page_of_colours_shows_every_sight(opened: Open) -> None:
    shown = dialog(opened())
    shown.tabs.setCurrentIndex(2)
    settle()
    strips = {sight: label.pixmap().toImage() for sight, label in shown._colours.strips.items()}
    assert set(strips) == set(MATRICES)
    assert len({notice_bar.cacheKey() for notice_bar in strips.values()}) == len(strips)
    for sight, notice_bar in strips.items():
        assert notice_bar.size() == strips["ordinary"].size()
        if sight != "ordinary":
            assert notice_bar != strips["ordinary"]
    assert strips["grey"].isGrayscale()


@pytest.mark.parametrize("sight", MATRICES)
def test_white_black_and_grey_look_the_same_to_everybody(sight: str) -> None:
    picture = QImage(3, 1, QImage.Format.Format_RGB32)
    for x, colour in enumerate(("#000000", "#808080", "#ffffff")):
        picture.setPixelColor(x, 0, QColor(colour))
    seen = as_seen(picture, sight)
    for x in range(3):
        before, after = picture.pixelColor(x, 0), seen.pixelColor(x, 0)
        assert abs(before.red() - after.red()) <= 1
        assert abs(before.green() - after.green()) <= 1
        assert abs(before.blue() - after.blue()) <= 1


def test_equal_red_and_green_look_alike_to_deuteranopes() -> None:
    """The axis of confusion: what is far apart to ordinary eyes comes close."""
    picture = QImage(2, 1, QImage.Format.Format_RGB32)
    picture.setPixelColor(0, 0, QColor("#b05a3c"))
    picture.setPixelColor(1, 0, QColor("#7a7a3c"))

    def apart(image: QImage) -> int:
        a, b = image.pixelColor(0, 0), image.pixelColor(1, 0)
        return abs(a.red() - b.red()) + abs(a.green() - b.green()) + abs(a.blue() - b.blue())

    assert apart(as_seen(picture, "deuteranopia")) < apart(picture) / 2
    assert apart(as_seen(picture, "ordinary")) == apart(picture)


def _lab(colour: QColor) -> tuple[float, float, float]:
    """A colour in CIE L*a*b*, where distances are what eyes see of differences."""

    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    def root(value: float) -> float:
        return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116

    r, g, b = (linear(value) for value in (colour.redF(), colour.greenF(), colour.blueF()))
    x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
    y = root(0.2126 * r + 0.7152 * g + 0.0722 * b)
    z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def nearest(colours: Sequence[str], sight: str) -> float:
    """How far those two of these colours are apart that this sight can tell least."""
    picture = QImage(len(colours), 1, QImage.Format.Format_RGB32)
    for x, colour in enumerate(colours):
        picture.setPixelColor(x, 0, QColor(colour))
    seen = as_seen(picture, sight)
    places = [_lab(seen.pixelColor(x, 0)) for x in range(len(colours))]
    return min(dist(one, other) for one, other in combinations(places, 2))


COLOURED = [sight for sight in MATRICES if sight != "grey"]


@pytest.mark.parametrize("sight", COLOURED)
def test_seats_differ_in_colour_to_every_eye(sight: str) -> None:
    colours = [seat.colour for seat in theme("light").seats]
    assert nearest(colours, sight) > 15
    assert nearest(colours[:4], sight) > 30


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("sight", COLOURED)
@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("sun", ("red", "violet", "blue", "yellow")),
        ("awss", ("autumn", "winter", "spring", "summer")),
        ("sisters", ("food", "plant", "animal", "pointed", "crown")),
    ],
)
def test_suits_seasons_and_forms_differ_in_colour_to_every_eye(
    game: str, names: tuple[str, ...], sight: str
) -> None:
    inks = Art().inks(game)
    assert nearest([inks[name] for name in names], sight) > 15


def test_every_seat_has_its_own_symbol_in_greys() -> None:
    seats = theme("light").seats
    assert len({seat.symbol for seat in seats}) == len(seats)


def test_no_sight_s_strip_is_cut_or_covered(opened: Open) -> None:
    shown = dialog(opened())
    shown.tabs.setCurrentWidget(shown.tabs.widget(2))
    settle()
    page = shown._colours
    lower = 0
    for sight, notice_bar in page.strips.items():
        assert notice_bar.height() >= notice_bar.pixmap().deviceIndependentSize().height()
        assert page._captions[sight].geometry().top() >= lower
        lower = notice_bar.geometry().bottom()
    assert lower <= page.height()


# The dialog


@pytest.mark.parametrize("size", [(960, 540), (1280, 800), (2560, 1440)])
def test_the_dialog_is_no_larger_than_the_window(opened: Open, size: tuple[int, int]) -> None:
    shown = dialog(opened(size))
    assert shown.width() <= size[0]
    assert shown.height() <= size[1]


def test_a_key_in_use_by_another_command_is_refused(opened: Open) -> None:
    shown = dialog(opened((960, 540)))
    shown.tabs.setCurrentIndex(3)
    settle()
    page = shown._keys
    assert not page.fault.isVisible()
    last = list(page.fields.values())[-1]
    around = page.parentWidget().parentWidget()
    assert isinstance(around, QScrollArea)
    around.ensureWidgetVisible(last)
    last.setKeySequence(QKeySequence("Ctrl+N"))
    last.editingFinished.emit()
    settle()
    assert page.fault.text() == "Ctrl+N is already used for “New game”."
    assert not page.fault.visibleRegion().isEmpty()
    assert last.keySequence().toString() != "Ctrl+N"


def test_the_sign_that_clears_a_key_lies_within_its_field(opened: Open) -> None:
    shown = dialog(opened())
    shown.tabs.setCurrentIndex(3)
    settle()
    field = next(iter(shown._keys.fields.values())).findChild(QLineEdit)
    (clears,) = field.findChildren(QToolButton)
    assert field.rect().contains(clears.geometry())
    assert abs(clears.geometry().center().y() - field.rect().center().y()) <= 2
