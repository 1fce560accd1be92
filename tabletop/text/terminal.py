"""Tables and progress bars on a terminal. Texts of games and of strangers are shown as they are:
nothing in them is markup or an order to the terminal."""

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

from tabletop.text.plain_text import escape_controls

WIDEST = 10_000
"""The width in which it is measured how much a table needs, in characters."""


class Grid(Table):
    """A table without lines; its heads and cells are plain texts. On a terminal too narrow for it
    each row is a paragraph."""

    def __init__(self, *heads: str) -> None:
        columns = [Column(Text(escape_controls(head))) for head in heads]
        super().__init__(*columns, box=None, pad_edge=False)
        self._heads, self._cells = heads, list[tuple[str, ...]]()

    def keep_whole(self, number: int) -> None:
        """Cut no cell of this column: it is to be typed or copied."""
        self.columns[number].no_wrap = True

    def add(self, *cells: object) -> None:
        """Add a row."""
        texts = tuple(escape_controls(cell) for cell in cells)
        self._cells.append(texts)
        self.add_row(*map(Text, texts))

    def show(self) -> None:
        """Print it on the standard output."""
        console = Console()
        if (
            console.measure(self, options=console.options.update(max_width=WIDEST)).minimum
            <= console.width
        ):
            console.print(self)
            return
        for number, cells in enumerate(self._cells):
            if number:
                console.print()
            for head, cell in zip(self._heads, cells, strict=True):
                if cell:
                    console.print(Text(f"{escape_controls(head)} {cell}"))


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
