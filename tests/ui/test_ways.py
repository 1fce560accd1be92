"""Law 13, Ways: every open question of a person at the screen has a visible way to answer by mouse,
by keys and by the list; for every game folder, number of seats and option, in random positions.

It is tried on the window's own scene, prompt line and list of actions (`ways`).
"""

import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue, game_folders
from tabletop.engine.model import Move, Offer
from tabletop.engine.refusals import NOT_OFFERED
from tabletop.engine.scratch import FastRng
from tabletop.match import offer_matching as offered
from tabletop.match.match import Match, Player
from tabletop.studio.laws.random_games import GameTable, tables_of_game
from tests.auction import auction
from tests.ui.random_matches import asked, some_answer, table
from tests.ui.table_driver import light_art
from ui.studio.game_check.simulated_player import SimulatedPlayer, without_rotation

TABLES = [
    pytest.param(name, setting, id=f"{setting.id}-{number}")
    for name in catalogue.names()
    for number, setting in enumerate(tables_of_game(name))
]
SIZES = ((1280, 800), (1024, 560), (2560, 1440))
LONGEST = 300
"""Answers of a game; what is asked later was asked before."""
MOST = 200 if os.environ.get("TABLETOP_LONG") else 4
"""Positions looked at in a game: each asks something else."""

Sort = tuple[object, ...]
"""The question at a position, as far as the ways to answer depend on it."""
Position = tuple[int, int]
"""After how many answers, and the seat that is asked."""


def sort_of(match: Match, seat: int) -> Sort:
    return tuple(
        (ask.what, offer.verb, min(offer.most, 2), len(offer.spots), min(len(offer.targets), 5),
         min(len(offer.choices), 5))
        for at, ask, offers in asked(match) if at == seat for offer in offers
    )  # fmt: skip


def noted(match: Match, luck: FastRng) -> tuple[list[tuple[int, Move]], list[Position]]:
    """The answers of a random game, and positions in it, each of another sort."""
    answers: list[tuple[int, Move]] = []
    sorts: dict[Sort, Position] = {}
    while match.state.result is None and len(answers) < LONGEST:
        for seat in {seat for seat, _, _ in asked(match)}:
            sorts.setdefault(sort_of(match, seat), (len(answers), seat))
        answers.append(some_answer(match, luck))
        match.submit(*answers[-1])
    chosen = list(sorts.values())
    while len(chosen) > MOST:
        chosen.pop(luck.below(len(chosen)))
    return answers, chosen


def missing(person: SimulatedPlayer, match: Match, seat: int, luck: FastRng) -> list[str]:
    """The offers that this seat cannot answer in some way."""
    person.sit(seat)
    unanswered = []
    for at, ask, offers in asked(match):
        for offer in offers if at == seat else ():
            move = without_rotation(offer, offer.sample(ask.id, luck))
            within_reach = move
            for _ in range(20):  # only the list names a covered card of a pile
                if not person.is_beneath(within_reach):
                    break
                within_reach = without_rotation(offer, offer.sample(ask.id, luck))
            for way in (person.by_mouse, person.by_keys, person.by_list):
                wanted = move if way == person.by_list else within_reach
                sent = person.answer(way, offer, wanted)
                right = sent is not None and offer.admits(sent)
                if not right or (sent != wanted and way != person.by_list):
                    unanswered.append(f"{ask.what}: {wanted} {way.__name__} sent {sent}")
    return unanswered


@pytest.mark.parametrize(("name", "setting"), TABLES)
def test_every_question_can_be_answered_in_every_way(
    name: str, setting: GameTable, qapp: QApplication
) -> None:
    seed = f"ways {setting.id} {sorted(setting.options.items())}"
    luck = FastRng(seed)
    answers, positions = noted(table(name, setting, seed), luck)
    match = table(name, setting, seed)
    person = SimulatedPlayer(match, light_art(), SIZES[luck.below(len(SIZES))])
    for number, seat in positions:
        person.look_away()
        for answer in answers[match.state.ply : number]:
            match.submit(*answer)
        assert missing(person, match, seat, luck) == [], (seed, number, seat)


def forming(cards: int) -> tuple[Match, int]:
    """Children of the Sun with so many cards for somebody's squads, and whose they are."""
    (setting,) = tables_of_game("sun")
    for number in range(500):
        match = table("sun", setting, f"squads {number}")
        luck = FastRng(number)
        while match.state.values["phase"] != "extermination":
            match.submit(*some_answer(match, luck))
        for seat in (0, 1):
            if len(match.state.cards[f"bed/{seat}"]) == cards:
                return match, seat
    raise AssertionError(f"no game has brought {cards} cards")


@pytest.mark.parametrize("cards", range(1, 6))
def test_any_number_of_cards_is_sent_out_as_squads(cards: int, qapp: QApplication) -> None:
    match, seat = forming(cards)
    person = SimulatedPlayer(match, light_art())
    assert missing(person, match, seat, FastRng(cards)) == []


def offering(name: str, verb: str, zone: str = "") -> tuple[Match, int]:
    """A random game where somebody may do this, and who; with cards of a zone alone, if named."""
    setting = tables_of_game(name)[0]
    for number in range(100):
        match, luck = table(name, setting, f"{verb} {number}"), FastRng(number)
        for _ in range(LONGEST):
            for seat, _, offers in asked(match):
                held = match.state.cards.get(zone.format(seat=seat), ())
                for offer in offers:
                    if offer.verb == verb and (not zone or set(offer.cards) <= set(held)):
                        return match, seat
            match.submit(*some_answer(match, luck))
    raise AssertionError(f"no game has brought {verb}")


def test_a_card_named_for_a_drawn_place_stays(qapp: QApplication) -> None:
    """A negotiation's card is shown to a character whose sheet shows the card there."""
    match, seat = offering("royale", "negotiate", "hand/{seat}")
    person = SimulatedPlayer(match, light_art())
    assert missing(person, match, seat, FastRng("named")) == []


def test_places_stay_lit_when_an_answer_was_refused(qapp: QApplication) -> None:
    match, seat = offering("royale", "walk")
    person = SimulatedPlayer(match, light_art())
    person.sit(seat)
    lit = person.scene.selection_view.target_lights.lit_zones
    assert lit
    person.scene.choice.play(Move(match.asks(seat)[0].id, "stay"))
    assert person.scene.selection_view.target_lights.lit_zones == []
    person.seat.refuse(NOT_OFFERED)
    assert person.scene.selection_view.target_lights.lit_zones == lit


def test_a_question_without_a_button_is_seen(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The law bites: with a button for several squad cards only, one card cannot be sent."""
    match, seat = forming(1)
    person = SimulatedPlayer(match, light_art())
    monkeypatch.setattr(
        "tabletop.language.prompt.arranged_verbs",
        lambda offers: tuple(offer.verb for offer in offers if offer.most > 1),
    )
    unanswered = missing(person, match, seat, FastRng("bites"))
    assert [line.split(" ")[-3] for line in unanswered] == ["by_mouse", "by_keys"]


def test_every_offer_has_a_line_in_the_list() -> None:
    many = Offer("take", tuple(range(40)), least=1, most=40)
    offers = {1: (many, Offer("pass")), 2: (Offer("stay"),)}
    verbs = [move.verb for move in offered.list_moves(offers, 300)]
    assert len(verbs) == 300
    assert verbs[-2:] == ["pass", "stay"]
    assert [move.verb for move in offered.list_moves(offers, 1)] == ["take", "pass", "stay"]


def test_many_answers_without_card_or_place_have_a_door(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    kit = auction(tmp_path / "auction")
    players = [Player("Hinata"), Player("Kaname")]
    match = Match(kit, players, {}, "lots")
    person = SimulatedPlayer(match, light_art())
    assert missing(person, match, 0, FastRng(1)) == []
    texts = [each.text for each in person.buttons()]
    assert texts == ["Pass", "Bid…", "Choose…"]
    person.look_away()
