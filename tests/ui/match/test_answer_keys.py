"""Digits and Tab where a question is answered by the prompt's buttons."""

import pytest
from PySide6.QtCore import Qt

from tabletop.language.prompt import Prompt, PromptChoice
from tests.ui.window_driver import Open, begin, key, settle
from ui.match.screen.table_screen import TableScreen
from ui.table.input.keyboard import KeyboardController


def asked(screen: TableScreen, *texts: str) -> list[str]:
    """Ask a question with these answers and *Undo* besides; gives what is pressed from then on."""
    pressed: list[str] = []
    screen.prompt.chosen.disconnect()
    screen.prompt.chosen.connect(lambda choice: pressed.append(choice.text))
    answers = (PromptChoice("pass_all", text, answers=True) for text in texts)
    screen.prompt.show_prompt(
        Prompt("Which one?", (*answers, PromptChoice("undo", "Undo")), active=True)
    )
    settle()
    return pressed


def test_a_digit_presses_the_answer_and_takes_no_card(opened: Open) -> None:
    screen = begin(opened(), 1)
    screen.view.setFocus()
    pressed = asked(screen, "Acquire", "Analyse")
    key(Qt.Key.Key_2)
    key(Qt.Key.Key_1)
    key(Qt.Key.Key_3)  # Undo answers nothing, and no card is taken instead
    assert pressed == ["Analyse", "Acquire"]
    assert screen.scene.choice.picked_up is None


def test_a_digit_takes_a_card_where_no_answer_is_asked(opened: Open) -> None:
    screen = begin(opened(), 1)
    screen.view.setFocus()
    pressed = asked(screen)
    key(Qt.Key.Key_2)
    assert pressed == []
    assert screen.scene.choice.picked_up == screen.scene.own_cards.main_hand()[1].card


def test_a_digit_leads_to_a_line_of_the_list(opened: Open, listening: None) -> None:
    screen = begin(opened(), 1)
    asked(screen)
    moves, heard = screen.dock.moves, list[str]()
    moves._announcer.spoken.connect(heard.append)
    screen.dock.show_tab("actions")
    moves.focus_list()
    heard.clear()
    key(Qt.Key.Key_2)
    assert moves.action_list.currentRow() == 1
    assert heard == [], "the reader itself says the line that it comes to"
    key(Qt.Key.Key_2)
    assert len(heard) == 1


def test_tab_reaches_the_answers_first_where_no_card_answers(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = begin(opened(), 1)
    monkeypatch.setattr(KeyboardController, "can_play_from_hand", False)
    screen.view.setFocus()
    pressed = asked(screen, "Do nothing", "Search")
    key(Qt.Key.Key_Tab)
    assert screen.prompt.buttons[0].hasFocus()
    key(Qt.Key.Key_2)
    assert pressed == ["Search"]


def test_tab_reaches_the_own_hand_where_a_card_can_be_played(opened: Open) -> None:
    screen = begin(opened(), 1)
    screen.view.setFocus()
    asked(screen, "Do nothing", "Search")
    key(Qt.Key.Key_Tab)
    assert screen.scene.selection_view.focus.card_item is screen.scene.own_cards.main_hand()[0]
