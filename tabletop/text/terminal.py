"""Tables and progress bars on a terminal. Texts of games and of strangers are shown as they are:
nothing in them is markup or an order to the terminal."""

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

from tabletop.text.plain_text import escape_controls


class Grid(Table):
    """A table without lines; its heads and cells are plain texts."""

    def __init__(self, *heads: str) -> None:
        columns = [Column(Text(escape_controls(head))) for head in heads]
        super().__init__(*columns, box=None, pad_edge=False)

    def keep_whole(self, number: int) -> None:
        """Cut no cell of this column: it is to be typed or copied."""
        self.columns[number].no_wrap = True

    def add(self, *cells: object) -> None:
        """Add a row."""
        self.add_row(*(Text(escape_controls(cell)) for cell in cells))

    def show(self) -> None:
        """Print it on the standard output."""
        Console().print(self)


def progress(shown: bool) -> Progress:
    """A bar on the error output's terminal, which goes once it is done; invisible unless `shown`.
    Its description is plain text."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    return Progress(
        *columns, console=console, transient=True, disable=not shown, auto_refresh=shown
    )


def has_terminal() -> bool:
    """Whether the error output is a terminal."""
    return Console(stderr=True).is_terminal
