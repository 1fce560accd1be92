"""List the installed games."""

from tabletop.catalogue import catalogue
from tabletop.language.words import Words
from tabletop.text.plain_text import say
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
        say(f"{kit.id} came from a table: {giver}")
    for kit in catalogue.waiting():
        say(f"{kit.id} does not run yet: tabletop trust {kit.id}")
    for error in catalogue.broken():
        say(error)
