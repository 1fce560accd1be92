"""Refusals: a reason, with a paragraph of the rulebook, wherever no offer admits a move."""

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.mask import mask
from tabletop.engine.model import NO_CARD, Offer, Value
from tabletop.engine.play import start, submit
from tabletop.engine.scratch import FastRng
from tabletop.studio.laws.random_games import open_asks, random_answer
from tests.games.rulebook_text import LANGUAGES, Book

GAMES = ("awss", "chains", "royale", "sisters", "sun")
MAX_ANSWERS = 500
TRIED = 8
"""The number of cards and zones that are tried in a position."""


def may_admit(offer: Offer, card: int, to: str) -> bool:
    """Whether the offer admits a move of `card` to `to`, or to anywhere for ""."""
    if card == NO_CARD:
        return bool(to) and to in offer.targets and not offer.cards
    return card in offer.cards and (not to or to in offer.targets or to in offer.spots)


def options_of(game: str, luck: FastRng) -> dict[str, Value]:
    options = catalogue.load(game).box.options
    return {o.key: o.choices[luck.below(len(o.choices))].value for o in options}


@pytest.mark.parametrize("game", GAMES)
def test_what_is_not_offered_has_a_reason_with_a_paragraph(game: str) -> None:
    kit = catalogue.load(game)
    rules, paragraphs = kit.rules, [set(Book(game).numbers(each)) for each in LANGUAGES]
    for seats in sorted({min(kit.box.seats), 3, max(kit.box.seats)} & {*kit.box.seats}):
        luck = FastRng(f"refusals {game} {seats}")
        options = catalogue.options(kit, options_of(game, luck))
        state = start(rules, seats, "refusals", kit.backs, options).state
        for _ in range(MAX_ANSWERS):
            if state.result is not None:
                break
            ask = open_asks(state)[0]
            view = mask(state, ask.seat)
            offers = rules.offers(view, ask)
            cards = luck.shuffled(tuple(c for held in view.cards.values() for c in held))[:TRIED]
            for card in (NO_CARD, *cards):
                for to in ("", *[[*view.zones][luck.below(len(view.zones))] for _ in range(2)]):
                    if any(may_admit(offer, card, to) for offer in offers):
                        continue
                    reason = rules.why(view, ask, card, to)
                    assert reason is not None, (ask, card, to)
                    assert all(reason.paragraph in known for known in paragraphs), reason
            asked, move = random_answer(rules, state, luck)
            state = submit(rules, state, asked.seat, move, "refusals").state
