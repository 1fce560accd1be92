"""Names of places: a player never reads the same name for two of them."""

import random
from itertools import product

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE, State
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tests.ui.table_driver import asked, some_move
from ui.table.layout.geometry import lay_out_table

NAMES = ("Hinata", "Kaname", "Shizuku", "Tsubasa", "Alexandra", "Momo", "Yoshi", "Kate", "Bart",
         "Sakura", "Ichiro", "Nanami")  # fmt: skip
TABLES = [(name, seats) for name in catalogue.names() for seats in catalogue.load(name).box.seats]
SIZES = [(971, 563), (972, 763)]
MOVES = 120
LOOKS = 12
"""Every so many moves the table is looked at."""


def captions(game: str, view: State, words: Words, size: tuple[int, int]) -> list[tuple[str, int]]:
    """Return the captions of places, and the signs beside them: there a name says whose it is."""
    kit = catalogue.load(game)
    setting = lay_out_table(kit.layouts, view, size)

    def said(text: str, gaps: dict[str, int]) -> str:
        players = {name: words.seat(gap) for name, gap in gaps.items() if name in PLAYERS}
        return words(text, **{**gaps, **players})

    written = [(mat.caption, mat.gaps) for mat in setting.mats if mat.caption]
    return [(said(text, gaps), gaps.get("seat", -1)) for text, gaps in written]


PLAYERS = ("me", "other", "seat")


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_no_two_places_have_the_same_name(game: str, seats: int) -> None:
    kit = catalogue.load(game)
    players = [Player(name) for name in NAMES[:seats]]
    match = Match(kit, players, catalogue.options(kit), "names")
    languages = [Words(language, kit, players) for language in ("en", "ja")]
    luck = random.Random(seats)
    for turn in range(MOVES):
        if turn % LOOKS == 0 or match.state.result is not None:
            for words, viewer in product(languages, (0, seats - 1, AUDIENCE)):
                view = match.view(viewer)
                named: set[str] = set()
                for size in SIZES:
                    named |= lay_out_table(kit.layouts, view, size).zones.keys()
                    over = captions(game, view, words, size)
                    assert len(set(over)) == len(over), twice(over)
                names = [words.zone(zone, viewer) for zone in named]
                assert len(set(names)) == len(names), twice(names)
                assert not set(names) & named, "a place without a name"
        if match.state.result is not None:
            break
        match.submit(seat := asked(match), some_move(match, seat, luck))


def twice(names: list[object]) -> set[object]:
    return {name for name in names if names.count(name) > 1}


def test_a_plate_counts_the_cards_that_are_still_to_be_placed() -> None:
    """In the extermination of Children of the Sun those lie in the bed, and the hand is empty."""
    kit = catalogue.load("sun")
    match = Match(kit, [Player("A"), Player("B")], {}, "plate")
    luck = random.Random(1)
    while match.state.values["phase"] != "extermination":
        match.submit(seat := asked(match), some_move(match, seat, luck))
    view = match.view(0)
    for sign in lay_out_table(kit.layouts, view, (1280, 800)).plaques:
        ((text, count),) = sign.figures
        assert text == "bed {n}"
        assert count == len(view.cards[f"bed/{sign.seat}"]) > 0
