"""The prompt previews a move of several cards that needs no target."""

import pytest
from msgspec.structs import replace

from tabletop.engine.model import Ask, Move, Offer, Preview, Remark, TableReader
from tabletop.match.match import Match, Player
from tests.ui.table.small_game import OWN, SmallRules, small_kit
from tests.ui.window_driver import Open, settle, table

OFFERS = (Offer("meld", OWN, (), (), 2, 3),)


class Melds(SmallRules):
    """A meld is worth the sum of its cards."""

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        return Preview({}, (Remark("Worth {points}.", {"points": sum(move.cards)}, ()),))


@pytest.mark.parametrize("size", [(1024, 600), (1280, 800)])
def test_chosen_cards_are_previewed_until_they_change(opened: Open, size: tuple[int, int]) -> None:
    kit = replace(small_kit(lambda _: OFFERS), rules=Melds(lambda _: OFFERS))
    match = Match(kit, (Player("Hinata"),), seed="small")
    window = opened(size=size)
    window.matches.show_match(match)
    settle()
    screen = table(window)
    choice = screen.scene.choice

    def prompt_after_toggling(card: int) -> str:
        choice.toggle_card(card)
        settle()
        return screen.prompt.text.removeprefix("Your turn: ")

    assert prompt_after_toggling(1) == "Do it"  # one card is no move yet
    assert prompt_after_toggling(3) == "Do it. Worth 4."
    assert prompt_after_toggling(4) == "Do it. Worth 8."
    assert prompt_after_toggling(3) == "Do it. Worth 5."
    assert prompt_after_toggling(4) == "Do it"
