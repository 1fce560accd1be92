"""Sentences that address the only human player as "you"."""

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Result
from tabletop.language.names import sole_human
from tabletop.language.second_person import YOU, fill_sentence
from tabletop.language.table_text import winner_text
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.review.close_call import margin_sentences, shortfall_text

SUN = catalogue.load("sun")
PLAYERS = (Player("Ann"), Player("Mugi", kind="bot"))
ALONE = Words("en", SUN, PLAYERS, reader=0)
ALONE_JA = Words("ja", SUN, PLAYERS, reader=0)


@pytest.mark.parametrize(
    ("template", "sentence"),
    [
        ("{seat} rolls {n}.", "You roll {n}."),
        ("{seat} analyses a card.", "You analyse a card."),
        ("{seat} tries, and passes on.", "You try, and pass on."),
        ("{seat} discards {card}.", "You discard {card}."),
        ("{seat} lets the fish go and takes {cards}.", "You let the fish go and take {cards}."),
        ("{seat} also goes to {card}.", "You also go to {card}."),
        ("{seat} has no character left.", "You have no character left."),
        ("{seat} doesn't agree.", "You don't agree."),
        ("{seat} can do more and leaves the game.", "You can do more and leave the game."),
        ("{seat} and {seat_other} mix their items.", "You and {seat_other} mix their items."),
        ("{seat}'s chain is over.", "Your chain is over."),
        ("{card} stays on {seat}'s pile.", "{card} stays on your pile."),
        ("{seat_other} attacks {seat}.", "{seat_other} attacks you."),
        ("Turn {n}. {seat} is the parent.", "Turn {n}. You are the parent."),
        ("A fumble: {seat} drops {card}.", "A fumble: you drop {card}."),
        ("Shield cards {seat} has analysed: 3.", "Shield cards you have analysed: 3."),
        ("{seat_other} looks at the items of {seat}.", "{seat_other} looks at your items."),
    ],
)
def test_template_in_second_person(template: str, sentence: str) -> None:
    assert fill_sentence(template, {"seat": YOU}) == sentence


def test_texts_from_players_keep_their_words() -> None:
    assert ALONE("{name}: {text}", name="Mugi", text="You, stop") == "Mugi: You, stop"


def test_only_a_human_alone_at_this_computer_is_addressed() -> None:
    bot, far = Player("Mugi", kind="bot"), Player("Ren", kind="far")
    assert sole_human((bot, Player("Ann"), bot)) == 1
    assert sole_human((Player("Ann"), Player("Ben"), bot)) == AUDIENCE
    assert sole_human((Player("Ann"), far)) == AUDIENCE
    assert sole_human((far, bot)) == AUDIENCE


def test_game_addresses_the_reader() -> None:
    line = Said("{seat} acquires {card}.", (1,), {"seat": 0})
    assert ALONE.log_line(line).startswith("You acquire ")
    assert ALONE.log_line(line, subject=False).startswith("You acquire ")
    assert ALONE_JA.log_line(line).startswith("あなたが")
    assert ALONE.zone("hand/0") == "Your hand"
    assert ALONE.zone("hand/1") == "Mugi's hand"
    assert ALONE_JA.zone("hand/0") == "自分の手札"
    assert ALONE("{seat} shuffles {zone}.", seat="Mugi", zone=ALONE.zone("hand/0")) == (
        "Mugi shuffles your hand."
    )


def test_result_addresses_the_reader() -> None:
    lost, won = Result((1,), (13, 20)), Result((0,), (27, 20))
    assert shortfall_text(lost, ALONE) == "You were 7 points behind"
    assert shortfall_text(lost, ALONE_JA) == "あと7点でした"
    assert margin_sentences(lost, ALONE)[0] == "7 points ahead of you."
    assert winner_text(won, 2, ALONE) == "You win"
    assert shortfall_text(won, ALONE) == "Mugi: 7 points short"
