"""List the installed games."""

from rich.console import Console
from rich.table import Table as Grid

from tabletop.catalogue import catalogue
from tabletop.language.words import Words


def games() -> None:
    """List the games."""
    grid = Grid("game", "title", "タイトル", "seats", "minutes", box=None, pad_edge=False)
    grid.columns[0].no_wrap = True  # an id is typed
    for kit in (*catalogue.shelf(), *catalogue.waiting()):
        seats = kit.box.seats
        grid.add_row(
            kit.id,
            kit.box.title,
            Words("ja", kit)(kit.box.title),
            f"{seats[0]}-{seats[-1]}" if len(seats) > 1 else f"{seats[0]}",
            f"{kit.box.minutes}",
        )
    Console().print(grid)
    for kit in catalogue.received():
        print(f"{kit.id} came from a table: {kit.received.giver if kit.received else ''}")
    for kit in catalogue.waiting():
        print(f"{kit.id} does not run yet: tabletop trust {kit.id}")
    for error in catalogue.broken():
        print(error)
