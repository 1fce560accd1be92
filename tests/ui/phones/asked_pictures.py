"""Matches that have started, and pictures of them as a phone requests them."""

from PySide6.QtGui import QImage

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match, Player
from tabletop.web.drawer import PictureOrder
from tests.ui.random_matches import some_answer


def begun(game: str, seats: int, moves: int = 30) -> Match:
    """A match after some moves."""
    kit = catalogue.load(game)
    players = [Player(f"Player {n}") for n in range(1, seats + 1)]
    match = Match(kit, players, catalogue.options(kit), "phones")
    luck = FastRng("phones")
    for _ in range(moves):
        if match.state.result is not None:
            break
        match.submit(*some_answer(match, luck))
    return match


def order(match: Match, game: str, seat: int = 0, **other: object) -> PictureOrder:
    usual = {"language": "en", "theme": "light", "width": 780, "height": 500}
    view = match.make_reset(seat).view
    return PictureOrder(game=game, view=view, players=match.players, **(usual | other))


def image(content: bytes) -> QImage:
    picture = QImage.fromData(content)
    assert not picture.isNull()
    return picture
