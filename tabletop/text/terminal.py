"""Tables and progress bars on a terminal.

Texts from games and from other people are printed literally: markup and control sequences have no
effect.
"""

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

from tabletop.text.plain_text import escape_controls

MEASURING_WIDTH = 10_000
"""The assumed terminal width, in characters, while a table's minimum width is measured."""


class Grid(Table):
    """A table without lines, whose cells are plain text.

    If the terminal is too narrow, each row is printed as a paragraph instead.
    """

    def __init__(self, *heads: str) -> None:
        columns = [Column(Text(escape_controls(head))) for head in heads]
        super().__init__(*columns, box=None, pad_edge=False)
        self._heads, self._cells = heads, list[tuple[str, ...]]()

    def disable_wrapping(self, number: int) -> None:
        """Never wrap the cells in column `number`, so that they can be copied."""
        self.columns[number].no_wrap = True

    def add(self, *cells: object) -> None:
        texts = tuple(escape_controls(cell) for cell in cells)
        self._cells.append(texts)
        self.add_row(*map(Text, texts))

    def show(self) -> None:
        """Print the table to standard output."""
        console = Console()
        if (
            console.measure(self, options=console.options.update(max_width=MEASURING_WIDTH)).minimum
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


def make_progress_bar(shown: bool) -> Progress:
    """Return a progress bar on standard error that disappears when it is done.

    `shown`: whether to display it at all. Task descriptions are plain text.
    """
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
    """Return whether standard error is a terminal."""
    return Console(stderr=True).is_terminal
