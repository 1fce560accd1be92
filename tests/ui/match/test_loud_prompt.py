"""The prompt is the loudest sentence of the table: as large as a name on a plaque, with a button as
high as a finger, and whole at every size and in both languages."""

import random
from itertools import cycle, product

import pytest
from PySide6.QtWidgets import QGraphicsSimpleTextItem

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.games.game_kit import GameKit
from tabletop.language.prompt import Prompt, PromptChoice
from tabletop.match.match import Match, Player
from tests.net.loopback import LONG
from tests.ui.table_driver import asked as driven
from tests.ui.table_driver import some_move
from tests.ui.window_driver import Open, settle, table
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.match.table_area import FONT_CARD_WIDTHS
from ui.pictures.window_shot import seat_one_person
from ui.table.items.plaque_item import PlaqueItem
from ui.widgets.prompt_line import BUTTON_HEIGHT_PX, DEFAULT_FONT_PX

GAMES = [kit.id for kit in catalogue.shelf() if not kit.is_draft]
ONE_LINE = 0.88
"""So much smaller a sentence is that is in one line then."""
SIZES = ((1280, 800), (2560, 1440), *([(3840, 2160)] if LONG else []))


def asked(name: str) -> Match:
    """A match of this game, some moves on."""
    kit = catalogue.load(name)
    return play_random_match(kit, kit.box.seats[-1], "loud", 9)


def seated(window: Window, match: Match, name: str) -> TableScreen:
    seat = next(ask.seat for ask in match.state.asks)
    seat_one_person(match, seat, window.context.words)
    window.matches.show_match(match)
    settle()
    return table(window)


def captions(screen: TableScreen) -> list[int]:
    """The sizes of the letters below the names on the plaques, in pixels."""
    plaques = [item for item in screen.scene.items() if isinstance(item, PlaqueItem)]
    return [
        min(
            text.font().pixelSize()
            for text in plaque.childItems()
            if isinstance(text, QGraphicsSimpleTextItem) and text.text()
        )
        for plaque in plaques
    ]


@pytest.mark.parametrize("game", GAMES)
def test_the_prompt_is_as_large_as_a_name(opened: Open, game: str) -> None:
    window = opened(SIZES[0])
    screen = seated(window, asked(game), game)
    for language, size in product(("en", "ja"), SIZES):
        window.context.change_settings(language=language)
        window.resize(*size)
        settle()
        letters, unit = screen.prompt._text.fontInfo().pixelSize(), screen.scene.unit
        assert letters >= DEFAULT_FONT_PX
        if not screen.prompt.buttons:
            assert letters >= round(FONT_CARD_WIDTHS * ONE_LINE * unit), (size, screen.prompt.text)
        assert letters >= max(captions(screen)), (size, screen.prompt.text)


@pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (2560, 1440)])
def test_the_primary_action_is_a_large_filled_button(opened: Open, size: tuple[int, int]) -> None:
    kit = catalogue.load("chains")
    window = opened(size)
    screen = seated(window, play_random_match(kit, 3, "loud", 3), "chains")
    primary = [each for each in screen.prompt.buttons if each.property("kind") == "primary"]
    assert primary, "a card is to be flipped"
    for each in primary:
        assert each.height() >= BUTTON_HEIGHT_PX
        assert screen.prompt.rect().contains(each.geometry())


@pytest.mark.parametrize(
    ("game", "language"),
    [*(product(GAMES, ("en", "ja")) if LONG else zip(GAMES, cycle(("ja", "en"))))],
)
def test_no_word_of_the_prompt_is_cut_in_a_small_window(
    opened: Open, game: str, language: str
) -> None:
    window = opened((1024, 600), language=language)
    screen = seated(window, asked(game), game)
    prompt = screen.prompt
    assert prompt._text.fontInfo().pixelSize() >= DEFAULT_FONT_PX, prompt.text
    assert prompt._text.height() + 1 >= prompt._text.heightForWidth(prompt._text.width())
    for each in prompt.buttons:
        assert each.width() >= each.fontMetrics().horizontalAdvance(each.text()), each.text()
    assert screen.view.geometry().contains(prompt.geometry())


def test_two_lines_of_a_prompt_are_whole_and_even(opened: Open) -> None:
    """In the contrast theme, whose papers have thicker lines, the second one was cut."""
    window = opened((1280, 800), theme="contrast")
    prompt = seated(window, asked("awss"), "awss").prompt
    prompt.show_prompt(
        Prompt("Pick a card from your hand, or lay one beside the public card you want now")
    )
    text = prompt._text
    high = text.heightForWidth(text.width())
    assert high > 1.5 * text.fontMetrics().lineSpacing(), "it has two lines"
    assert text.height() + 1 >= high
    assert text.heightForWidth(round(text.width() * 0.9)) > high, "no line is half empty"


def test_a_prompt_that_says_nothing_is_laid_at_once(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a table was laid, and so left it no room, it tried 180 widths and sizes of letters."""
    prompt, tried = seated(opened(), asked("sun"), "sun").prompt, list[object]()
    prompt.show_prompt(Prompt(""))
    size_in = prompt._size_in
    monkeypatch.setattr(prompt, "_size_in", lambda *at: tried.append(at) or size_in(*at))
    prompt.wanted_size(760, 978, 1)
    assert len(tried) == 1


def test_what_was_fitted_is_fitted_again_at_once(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt, tried = seated(opened(), asked("sun"), "sun").prompt, list[object]()
    prompt.set_letters(30, compact=False)
    prompt.show_prompt(
        Prompt("Pick a card from your hand, or lay one beside the public card. " * 3)
    )
    size = prompt.wanted_size(500, 700, 60)
    style = prompt._text.styleSheet()
    prompt.show_prompt(Prompt("Pick a card"))
    prompt.wanted_size(500, 700, 60)
    prompt.show_prompt(
        Prompt("Pick a card from your hand, or lay one beside the public card. " * 3)
    )
    size_in = prompt._size_in
    monkeypatch.setattr(prompt, "_size_in", lambda *at: tried.append(at) or size_in(*at))
    assert (prompt.wanted_size(500, 700, 60), prompt._text.styleSheet()) == (size, style)
    assert len(tried) == 1
    assert prompt.crowded
    font = prompt.font()
    font.setItalic(True)
    prompt.setFont(font)
    prompt.wanted_size(500, 700, 60)
    assert len(tried) > 2, "another font is fitted afresh"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_many_buttons_leave_the_sentence_large(opened: Open, language: str) -> None:
    kit = catalogue.load("royale")
    match = random_match_at(kit, 3)
    window = opened((2560, 1440), language=language)
    screen = seated(window, match, "royale")
    assert len(screen.prompt.buttons) > 3
    letters = screen.prompt._text.fontInfo().pixelSize()
    assert letters >= max(captions(screen)), screen.prompt.text


def random_match_at(kit: GameKit, least: int) -> Match:
    """A match for twelve in which the first player has so many kinds of moves."""

    def asked_much(match: Match) -> bool:
        asks = match.asks(0)
        return len(asks) == 1 and len(match.offers(0)[asks[0].id]) >= least

    luck, names = random.Random(3), [Player(f"Shizuku {n}") for n in range(12)]
    match = Match(kit, names, catalogue.options(kit), "x")
    while not asked_much(match):
        seat = driven(match)
        match.submit(seat, some_move(match, seat, luck))
    return match


@pytest.mark.parametrize("count", [6, 8])
def test_a_large_line_widens_before_its_letters_are_small(opened: Open, count: int) -> None:
    """Snipes at many others: two rows of long buttons beside the question."""
    screen = seated(opened((2560, 1440), language="ja"), asked("royale"), "royale")
    prompt, area = screen.prompt, screen.table_area
    texts = ["何もしない", "「校庭のトラック」を探索（17%）", "元に戻す"]
    texts += [f"プレイヤー{n}のキャラを狙撃（最大{n}6%）" for n in range(2, count)]
    choices = tuple(PromptChoice("play", text) for text in texts[:count])
    prompt.show_prompt(
        Prompt("プレイヤー1の番：フェイズ行動を選んでください", choices, active=True)
    )
    area.place_line()
    assert prompt._text.fontInfo().pixelSize() >= 0.7 * FONT_CARD_WIDTHS * screen.view.table.unit
    assert area.rect().contains(prompt.geometry())


@pytest.mark.parametrize("size", [(1920, 1080), (2560, 1440)])
def test_three_answers_keep_their_buttons_large(opened: Open, size: tuple[int, int]) -> None:
    """The line of a large table is wider rather than low."""
    screen = seated(opened(size, language="ja"), asked("sun"), "sun")
    prompt, area = screen.prompt, screen.table_area
    texts = ("カードを獲得する", "盾を解析する", "元に戻す")
    choices = tuple(PromptChoice("play", text) for text in texts)
    question = "かなめの番：放射魔法の効果として、獲得か解析を選んでください"
    prompt.show_prompt(Prompt(question, choices, active=True))
    area.place_line()
    settle()
    assert all(each.height() >= BUTTON_HEIGHT_PX for each in prompt.buttons)
    assert area.rect().contains(prompt.geometry())
