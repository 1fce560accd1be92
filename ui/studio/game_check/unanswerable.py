"""Check that every offered answer can be given by mouse, by keyboard, in the list of moves, and on
a phone (law 13).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Ask, Move, Offer
from tabletop.engine.scratch import FastRng
from tabletop.language.words import Words
from tabletop.match import offer_matching as offered
from tabletop.match.match import Match
from tabletop.match.seat import Seat
from tabletop.studio.laws.random_games import GameTable, tables_of_game
from tabletop.studio.workshop.file_check import Games
from tabletop.studio.workshop.finding import Finding
from tabletop.studio.workshop.law_check import shot_command
from tabletop.table.random_match import random_answers, random_match
from tabletop.web.answer_steps import AnswerSteps
from tabletop.web.page_context import PageContext
from tabletop.web.page_parts import PageStep
from ui.pictures.shot import ensure_application
from ui.studio.game_check.simulated_player import SimulatedPlayer, without_rotation
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing

SEED = "1"
MAX_ANSWERS = 300
"""The maximum number of answers in a game. Later questions repeat earlier ones."""
MAX_POSITIONS = 6
"""The maximum number of positions per game, each with something new to answer."""
WINDOW = "in the window with the mouse"
KEYS = "in the window with the keys"
LIST = "in the list of moves"
PHONE = "on a phone"
CAUSES = {
    WINDOW: "its place is in no [[place]] of table.toml, or its card lies behind a drawing",
    KEYS: "as for the mouse",
    LIST: "",
    PHONE: "a fault of the program: please report it with this game",
}


def find_unanswerable(kit: GameKit, games: Games) -> Iterator[Finding]:
    """Yield a finding for every question and verb that some input method
    can't answer, at any table.
    """
    ensure_application()
    with suppress(BrokenDrawing):  # broken drawings are found by another check
        yield from _at_tables(kit)


def _at_tables(kit: GameKit) -> Iterator[Finding]:
    art = Art()
    reported: set[tuple[str, str, str]] = set()
    for table in tables_of_game(kit.id):
        match = random_match(kit, table.seats, SEED, dict(table.options), 0)
        person = SimulatedPlayer(match, art)
        try:
            for seat in _positions(match):
                for what, verb, way in _unanswerable(person, match, seat):
                    if (what, verb, way) not in reported:
                        reported.add((what, verb, way))
                        yield _finding(kit, table, match, what, verb, way)
        finally:
            person.look_away()


def _finding(
    kit: GameKit, table: GameTable, match: Match, what: str, verb: str, way: str
) -> Finding:
    ply = match.state.ply
    return Finding(
        f'The question "{what}": "{verb}" cannot be chosen {way}.',
        CAUSES[way],
        f"{table.seats} players, seed {SEED}, move {ply}",
        shot_command(kit, table, SEED, ply),
    )


def _positions(match: Match) -> Iterator[int]:
    """Play a random game, and yield a seat whenever it is asked something new."""
    known: set[tuple[object, ...]] = set()
    answers = random_answers(match, SEED)
    for _ in range(MAX_ANSWERS):
        for seat in range(match.state.seats):
            kind = tuple(
                (ask.what, offer.verb, min(offer.most, 2), len(offer.spots), len(offer.choices) > 4)
                for ask, offers in _questions_of(match, seat)
                for offer in offers
            )
            if kind and kind not in known and len(known) < MAX_POSITIONS:
                known.add(kind)
                yield seat
        if next(answers, None) is None:
            return


def _questions_of(match: Match, seat: int) -> Iterator[tuple[Ask, tuple[Offer, ...]]]:
    offers = match.offers(seat)
    for ask in match.asks(seat):
        yield ask, offers[ask.id]


def _unanswerable(
    person: SimulatedPlayer, match: Match, seat: int
) -> Iterator[tuple[str, str, str]]:
    """Yield a question, a verb and an input method for each case in which `seat` can't answer."""
    person.sit(seat)
    ways = {WINDOW: person.by_mouse, KEYS: person.by_keys, LIST: person.by_list}
    luck = FastRng(f"{SEED} {match.state.ply} {seat}")
    for ask, offers in _questions_of(match, seat):
        for offer in offers:
            move = without_rotation(offer, offer.sample(ask.id, luck))
            for name, way in ways.items():
                if name != LIST and person.is_beneath(move):
                    continue  # a card in a pile, which mouse and keys choose in the list
                sent = person.answer(way, offer, move)
                if sent is None or not offer.admits(sent) or (sent != move and name != LIST):
                    yield ask.what, offer.verb, name
            if not offered.takes_several_cards(offer) and move not in _on_a_phone(
                person, match, seat, move
            ):
                yield ask.what, offer.verb, PHONE
    person.look_away()


def _on_a_phone(person: SimulatedPlayer, match: Match, seat: int, move: Move) -> set[Move]:
    """Return the moves that a phone's page offers for the cards of `move` or for no card."""
    context = PageContext(kit=person.kit, players=match.players)
    answers = AnswerSteps(
        Seat.at_table(match, seat), context, Words("en", person.kit, match.players)
    )
    bare, place = answers.cardless_steps()
    first = [*bare, place, *(answers.card_step(card) for card in move.cards)]
    return {found for step in first if step is not None for found in _moves_of(step)}


def _moves_of(step: PageStep) -> Iterator[Move]:
    if step.move is not None:
        yield step.move
    for further in step.steps:
        yield from _moves_of(further)
