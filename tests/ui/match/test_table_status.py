"""Prompt line and menus worked out from a status alone: no window."""

import subprocess
import sys
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE, Ask, Offer
from tabletop.engine.scratch import FastRng
from tabletop.language.answer_buttons import MAX_BUTTONS, arranged_verbs, buttons
from tabletop.language.prompt import game_prompt
from tabletop.language.table_status import Capabilities, TablePeople, TableStatus, Viewing
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tests.language.waiting_tables import changed
from ui.match.enabled_commands import allowed_commands
from ui.shell.commands import COMMANDS

PLAYERS = (Player("Hinata", "sun"), Player("Kaname", "moon"))


def begun(game: str = "sun") -> TableStatus:
    """The first player of a new match looks at her question."""
    return first_asked(game, lambda ask, offers: True)


def watched(status: TableStatus, **changes: object) -> TableStatus:
    """Nobody is asked anything where this is seen."""
    return changed(status, offers={}, looking=AUDIENCE, **changes)


def offered(status: TableStatus) -> list[tuple[object, ...]]:
    """The kinds of the prompt's choices, and what they are about."""
    return [
        (each.kind, each.move or each.name or each.number) for each in game_prompt(status).choices
    ]


def say(status: TableStatus) -> tuple[str, bool, list[str]]:
    """The text, whether the viewer is to act, and the buttons' texts."""
    prompt = game_prompt(status)
    return prompt.text, prompt.active, [choice.text for choice in prompt.choices]


def test_the_line_names_who_is_asked_and_what() -> None:
    status = begun()
    text, active, _ = say(status)
    assert text.startswith(f"{status.words.seat(status.looking)}'s turn: ")
    assert active


def test_the_rules_open_where_the_question_rests() -> None:
    siege = begun()
    assert game_prompt(siege).paragraph == "5.1"
    later = replace(siege.view, values=siege.view.values | {"phase": "analysis"})
    assert game_prompt(changed(siege, view=later)).paragraph == "6.1"


def test_who_is_not_asked_reads_who_plays() -> None:
    status = watched(begun(), waiting=(0, 1))
    assert say(status) == ("Hinata and Kaname to play…", False, [])
    assert say(changed(status, waiting=())) == ("", False, [])


def test_a_table_that_another_must_look_at_is_handed_over() -> None:
    status = changed(begun(), looking=0, following=1, due=True, can_undo=True)
    assert say(status) == ("Your move is made. Kaname is next.", True, ["Hand over", "Undo"])
    assert say(changed(status, looking=AUDIENCE, can_undo=False))[0] == "Kaname is next."
    assert [kind for kind, _ in offered(status)] == ["hand_over", "undo"]


def test_undo_precedes_the_end_and_the_end_questions() -> None:
    status = changed(begun(), over=True, due=True)
    assert say(status) == ("The game is over.", False, ["Score sheet"])
    asked = changed(status, asks_undo=True)
    assert say(asked) == (
        "Does everyone agree to undo the last move?",
        True,
        ["Hinata and Kaname agree", "Cancel"],
    )
    far = changed(asked, people=TablePeople())
    assert say(far)[2] == ["Ask", "Cancel"]
    among_bots = changed(asked, people=TablePeople(own=(0,), all_here=True))
    assert say(among_bots)[::2] == (
        "Undo your last move?",
        ["Take back", "Cancel"],
    )


def test_everybody_is_asked_in_public_who_reacts() -> None:
    asks = tuple(Ask(number, seat, "splash", sealed=True) for number, seat in ((7, 0), (8, 1)))
    status = watched(
        begun("_blank"),
        reacting=asks,
        reactions_stay_open=True,
        has_chances=True,
        undoable_reactions=(1,),
    )
    text, active, texts = say(status)
    assert text.startswith("Anyone? ")
    assert active
    assert texts == ["Hinata", "Kaname", "No one", "Kaname: undo", "Reactions…"]
    assert offered(status) == [
        ("call", 0),
        ("call", 1),
        ("pass_all", AUDIENCE),
        ("regret", 1),
        ("reactions", AUDIENCE),
    ]


def test_a_bar_that_goes_by_itself_tells_after_how_long() -> None:
    asks = (Ask(7, 1, "splash"),)
    status = watched(begun("_blank"), reacting=asks, reaction_pause=1500)
    text, _, texts = say(status)
    assert text.startswith("Kaname, do you react? ")
    assert texts == ["Kaname", "No one (2 s)"]


def test_a_move_button_shows_its_chance_of_success() -> None:
    status = with_buttons()
    plain = game_prompt(status).choices
    odds = game_prompt(changed(status, odds=lambda move: "50%")).choices
    assert plain
    assert [choice.text for choice in odds] == [f"{choice.text} · 50%" for choice in plain]
    assert offered(status) == [
        ("play", move) for move in buttons(*open_question(status), MAX_BUTTONS).moves
    ]


def open_question(status: TableStatus) -> tuple[tuple[Offer, ...], int]:
    """Return the offers of the viewer's question, and its number."""
    (ask,) = status.asks
    return status.offers[ask.id], ask.id


def test_gathered_cards_are_sent_by_a_button() -> None:
    status = of_several_cards()
    (verb,) = arranged_verbs(open_question(status)[0])
    for arranged in ((), (verb,)):
        choice = game_prompt(changed(status, arranged=arranged)).choices[-1]
        assert (choice.kind, choice.name, choice.enabled) == ("commit", verb, bool(arranged))
        assert allowed_commands(changed(status, arranged=arranged))["end_turn"] == bool(arranged)


def of_several_cards() -> TableStatus:
    """The first question of a match that wants several cards."""
    return first_asked("sun", lambda ask, offers: any(offer.most > 1 for offer in offers))


def with_buttons() -> TableStatus:
    """The first question of a match that has buttons on the line."""
    return first_asked("_blank", lambda ask, offers: buttons(offers, ask, MAX_BUTTONS).moves)


def first_asked(game: str, wanted: Callable[[int, tuple[Offer, ...]], object]) -> TableStatus:
    """Plays until somebody is asked a question like this."""
    kit, luck = catalogue.load(game), FastRng(1)
    match = Match(kit, PLAYERS, seed="status")
    while match.state.result is None:
        seat = next(seat for seat in (0, 1) if match.asks(seat))
        offers = match.offers(seat)
        if any(wanted(ask, theirs) for ask, theirs in offers.items()):
            return TableStatus(
                words=Words("en", kit, PLAYERS),
                kit=kit,
                people=TablePeople(own=(0, 1), all_here=True),
                view=match.view(seat),
                offers=offers,
                looking=seat,
                viewing=Viewing(following=seat),
                capabilities=Capabilities(save=True, restart=True, review=True),
                waiting=(seat,),
            )
        number, theirs = next(iter(offers.items()))
        match.submit(seat, theirs[luck.below(len(theirs))].sample(number, luck))
    raise AssertionError("nobody is asked anything like this")


def test_under_the_curtain_nothing_of_the_table_can_be_done() -> None:
    status = changed(watched(begun()), covered=True, can_agree=True, can_redo=True, shared=True)
    may = allowed_commands(status)
    assert {name for name, allowed_ in may.items() if allowed_} == {
        "leave",
        "public_table",
        "restart",
        "save",
    }
    assert not may["rules"], "the rulebook lies beside the table"
    assert may.keys() <= COMMANDS.keys()


@pytest.mark.parametrize(
    ("changes", "name", "may"),
    [
        ({}, "undo", False),
        ({"can_undo": True}, "undo", True),
        ({"can_agree": True}, "undo", True),
        ({"can_redo": True}, "redo", True),
        ({}, "hint", True),
        ({"due": True}, "hint", False),
        ({"offers": {}}, "hint", False),
        ({"due": True}, "end_turn", True),
        ({"arranged": ("form",)}, "end_turn", False),
        ({}, "concede", True),
        ({"over": True}, "concede", False),
        ({"looking": AUDIENCE}, "concede", False),
        ({"looking": AUDIENCE}, "sort_hand", False),
        ({}, "chat", False),
        ({"shared": True}, "chat", True),
        ({"shared": True}, "away", True),
        ({"shared": True, "own": ()}, "away", False),
        ({}, "away", False),
        ({"all_here": False}, "hint", False),
        ({"shared": True}, "hint", True),
        ({"shared": True}, "seat_code", False),
        ({"shared": True, "codes": {0: "AB3DE"}}, "seat_code", True),
        ({"has_chances": True}, "reactions", True),
        ({"over": True}, "review", True),
        ({"over": True, "capabilities": Capabilities()}, "review", False),
        ({"capabilities": Capabilities()}, "save", False),
        ({}, "stand_ins", False),
        ({"can_stand_in": True}, "stand_ins", True),
    ],
)
def test_a_command_can_be_chosen_where_it_makes_sense(
    changes: dict[str, object], name: str, may: bool
) -> None:
    assert allowed_commands(changed(begun(), **changes))[name] is may


def test_commands_need_no_qt() -> None:
    program = """
import sys
import ui
for name in [name for name in sys.modules if name.startswith("PySide6")]:
    del sys.modules[name]
sys.modules["PySide6"] = None
from ui.match import enabled_commands
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
