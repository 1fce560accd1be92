"""List the installed games."""

from tabletop.catalogue import catalogue
from tabletop.language.words import Words
from tabletop.text.plain_text import print_plain
from tabletop.text.terminal import Grid


def games() -> None:
    """List the games."""
    grid = Grid("game", "title", "タイトル", "seats", "minutes")
    grid.keep_whole(0)
    for kit in (*catalogue.shelf(), *catalogue.waiting()):
        seats = kit.box.seats
        grid.add(
            kit.id,
            kit.box.title,
            Words("ja", kit)(kit.box.title),
            f"{seats[0]}-{seats[-1]}" if len(seats) > 1 else f"{seats[0]}",
            f"{kit.box.minutes}",
        )
    grid.show()
    for kit in catalogue.received():
        giver = kit.received.giver if kit.received else ""
        print_plain(f"{kit.id} came from {giver}")
    for kit in catalogue.waiting():
        print_plain(f"{kit.id} does not run yet: tabletop trust {kit.id}")
    for error in catalogue.broken():
        print_plain(error)
