"""List the installed games."""

from tabletop.catalogue import catalogue
from tabletop.language.texts import texts_of
from tabletop.text.plain_text import print_plain
from tabletop.text.terminal import Grid


def games() -> None:
    """List the games."""
    grid = Grid("game", "title", "タイトル", "seats", "minutes")
    grid.disable_wrapping(0)
    listing = catalogue.load_all()
    for game in listing.shelf_entries:
        seats = game.box.seats
        grid.add(
            game.id,
            game.box.title,
            texts_of(game, "ja")(game.box.title),
            f"{seats[0]}-{seats[-1]}" if len(seats) > 1 else f"{seats[0]}",
            f"{game.box.minutes}",
        )
    grid.show()
    for game in listing.visible_games:
        if game.received is not None:
            print_plain(f"{game.id} came from {game.received.giver}")
    for game in listing.waiting:
        print_plain(f"{game.id} does not run yet: tabletop trust {game.id}")
    for error in listing.faults:
        print_plain(error)
