"""The look of the cards, a language for each seat, and the dialog of the settings."""

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tabletop.engine.scratch import FastRng
from tabletop.storage import settings
from tabletop.storage.record import read
from tests.ui.settings.settings_driver import choose, dialog
from tests.ui.window_driver import Open, begin, button, click, hold, play, settle, sheet, sun_box
from ui.app import Window
from ui.settings.settings_screen import SettingsScreen
from ui.style.art import Art
from ui.style.card_style import SIZES, STOCKS, CardStyle
from ui.style.theme import load_theme
from ui.widgets.styled_widgets import FittingScrollArea


def hand_widths(window: Window) -> list[float]:
    table = window.table
    return [item.width for item in table.scene.own_cards.main_hand()]


def test_cards_change_at_once_on_the_table(opened: Open) -> None:
    window = opened()
    table = begin(window, 1)
    usual = hand_widths(window)
    item = table.scene.own_cards.main_hand()[0]
    before = item.pixmap().toImage()
    shown = dialog(window)
    choose(shown.choices["cards"], "dark")
    dimmed = item.pixmap().toImage()
    assert dimmed != before
    choose(shown.choices["cards"], "printed")
    assert item.pixmap().toImage() == before
    choose(shown.choices["card_size"], "small")
    assert len(hand_widths(window)) == len(usual)
    assert all(small < wide for small, wide in zip(hand_widths(window), usual, strict=True))
    choose(shown.choices["card_size"], "large")
    assert window.context.art.card_style == CardStyle("printed", "large")
    assert settings.load()[0].card_size == "large"


def test_changes_are_taken_back_and_usual_settings_too(opened: Open) -> None:
    window = opened()
    window.context.change_settings(theme="dark", keys={"undo": "Ctrl+U"}, players=("Kaname",))
    before = window.context.settings
    shown = dialog(window)
    assert not shown.undo.isEnabled()
    choose(shown.choices["card_size"], "large")
    click(shown.defaults)
    assert (window.context.theme, window.context.settings.keys) == (load_theme("light"), {})
    assert window.context.settings.players == ("Kaname",), "people are not forgotten"
    assert not shown.defaults.isEnabled()
    click(shown.undo)
    assert settings.load()[0] == window.context.settings == before
    assert window.context.theme == load_theme("dark")


@pytest.mark.parametrize("size", SIZES)
def test_a_hand_never_leaves_its_place(opened: Open, size: str) -> None:
    window = opened(card_size=size)
    begin(window, 1)
    table = window.table
    setting = table.scene.stage.placed
    for spread in setting.zones.values():
        if spread.place.form == "fan":
            for slot in spread.slots:
                assert slot.bounds.x >= spread.rect.x - 0.01
                assert slot.bounds.right <= spread.rect.right + 0.01
                assert slot.bounds.bottom <= spread.rect.bottom + 0.01


def test_dimmed_stock_is_darker_and_its_shadow_the_same() -> None:
    pictures = {
        stock: Art(load_theme("dark"), cards=CardStyle(stock))
        .card_face("sun", SUN, 120, 1.0)
        .toImage()
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


# Effects of a changed setting


def test_only_changed_settings_are_announced(opened: Open) -> None:
    context = opened().context
    changes: list[frozenset[str]] = []
    context.changed.connect(changes.append)
    context.change_settings(volume=30, bot_pause=context.settings.bot_pause)
    context.change_settings(volume=30)
    context.set_viewer_language("ja")
    context.set_viewer_language("ja")
    context.set_viewer_language(None)
    assert changes == [{"volume"}, {"language"}, {"language"}]


def test_a_window_keeps_what_another_window_has_changed(opened: Open) -> None:
    window = opened(players=("Ann",), tables={})
    loaded = settings.load()[0]
    elsewhere = replace(
        loaded,
        theme="dark",
        followed=("reduced_motion",),
        players=("Ann", "Ben"),
        keys={"undo": "Ctrl+U"},
        confirmations={"concede": False},
        sounds_off=("dice",),
    )
    settings.save(elsewhere, loaded)
    window.context.change_settings(volume=30, reduced_motion=True)
    window.context.store_settings(players=("Cleo", "Ann"))
    screen = SettingsScreen(window.context)
    screen._questions["restart"].toggle()
    found = settings.load()[0]
    assert (found.volume, found.theme, found.keys) == (30, "dark", {"undo": "Ctrl+U"})
    assert (found.followed, found.sounds_off) == ((), ("dice",))
    assert found.players == ("Cleo", "Ann", "Ben")
    assert found.confirmations == {"concede": False, "restart": False}


# A language for each seat


def test_each_seat_is_spoken_to_in_its_own_language(opened: Open, qtbot: QtBot) -> None:
    window = opened(languages={"Kaname": "ja"})
    table = begin(window)
    assert table.context.words.language == "en"
    hold(qtbot, table)
    assert table.context.words.language == "en"
    play(table, FastRng(1))
    click(button(table.prompt, "Hand over"))
    assert table.curtain.is_drawn
    assert table.context.words.language == "ja"
    assert "Kaname" in table.curtain.accessibleName()
    assert "Curtain" not in table.curtain.accessibleName()
    hold(qtbot, table)
    assert table.words.language == "ja"
    file = table.seated.record.file
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
    window.context.change_settings(language="en")
    assert table.context.words.language == "en"


def test_a_players_language_is_remembered_by_name(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    card = sheet(window).seats.rows[1]
    click(card.kind.person)
    card.field.setText("")
    assert not card.kind.language.isEnabled()
    card.field.setText("Kaname")
    assert card.kind.language.isEnabled()
    card.kind.language.menu().actions()[2].trigger()
    assert card.kind.language.text() == "JA"
    assert settings.load()[0].languages == {"Kaname": "ja"}
    card.field.setText("Somebody")
    assert card.kind.language.text() == ""
    card.field.setText("Kaname")
    assert card.kind.language.text() == "JA"
    card.kind.language.menu().actions()[0].trigger()
    assert settings.load()[0].languages == {}
    click(card.kind.bot)
    assert card.kind.language.isHidden()


def test_languages_of_the_usual_players_stand_in_the_settings(opened: Open) -> None:
    window = opened(players=("Hinata", "Kaname"))
    shown = dialog(window)
    first, _, third, _ = shown.languages
    assert first.isEnabled()
    assert not third.isEnabled()
    choose(first, "ja")
    assert settings.load()[0].languages == {"Hinata": "ja"}
    choose(first, "")
    assert settings.load()[0].languages == {}


def test_the_fields_leave_further_people_alone(opened: Open) -> None:
    window = opened(players=("Hinata", "Kaname", "Shizuku", "Tsubasa", "Mio"))
    shown = dialog(window)
    shown._names[0].setText("Hina")
    shown._names[0].editingFinished.emit()
    assert settings.load()[0].players == ("Hina", "Kaname", "Shizuku", "Tsubasa", "Mio")


# The dialog


@pytest.mark.parametrize("size", [(960, 540), (1280, 800), (2560, 1440)])
def test_the_page_has_room_in_every_window(opened: Open, size: tuple[int, int]) -> None:
    shown = dialog(opened(size))
    for each in (shown.title, shown.card, shown.defaults, shown.undo, shown.done):
        assert each.visibleRegion().boundingRect() == each.rect()


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", [(960, 540), (1280, 800), (2560, 1440)])
def test_each_note_begins_below_its_field(
    opened: Open, size: tuple[int, int], language: str
) -> None:
    shown = dialog(opened(size, language=language))
    for page in range(3):
        shown.tabs.setCurrentIndex(page)
        settle()
        form = shown._forms[page]
        fields = [
            field
            for name, field, _ in form._named
            if name.x() < field.x()  # else below its name
        ]
        for note, _ in form._explanations:
            assert note.x() == fields[0].x(), note.text()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_row_of_the_first_tabs_is_below_the_fold(opened: Open, language: str) -> None:
    shown = dialog(opened((1280, 800), language=language))
    lefts = set()
    for tab in range(2):
        shown.tabs.setCurrentIndex(tab)
        settle()
        roll = shown._forms[tab].parentWidget().parentWidget().parentWidget()
        assert isinstance(roll, FittingScrollArea)
        assert roll.verticalScrollBar().maximum() == 0
        lefts.add(shown._forms[tab]._named[0][1].x())
    assert len(lefts) == 1, "no field moves from tab to tab"


def test_a_card_beside_the_settings_shows_them(opened: Open) -> None:
    shown = dialog(opened())
    before = shown.card.grab().toImage()
    for name, value in (("cards", "dark"), ("card_size", "small"), ("theme", "dark")):
        choose(shown.choices[name], value)
        now = shown.card.grab().toImage()
        assert now != before, name
        before = now
