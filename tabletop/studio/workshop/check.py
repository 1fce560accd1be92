"""All that `tabletop check` looks at in a game, but for what needs Qt (`ui/studio/game_check/`)."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from tabletop.catalogue.catalogue import GameKit
from tabletop.studio.laws.elimination import disturbed
from tabletop.studio.laws.random_games import GameTable, PlayedTurn
from tabletop.studio.workshop.bot_games import stuck
from tabletop.studio.workshop.file_check import (
    Games,
    beside,
    cells_made_dates,
    dealt_too_much,
    differing_translations,
    never_equal,
    older_entries,
    uncounted_cells,
    unread,
    unsaid,
    unwritten_paragraphs,
)
from tabletop.studio.workshop.finding import Finding
from tabletop.studio.workshop.law_check import broken_laws

Checker = Callable[[GameKit, Games], Iterator[Finding]]


def check(
    kit: GameKit,
    games: int = 1,
    looks: Sequence[tuple[str, Checker]] = (),
    progress: Callable[[str], None] = lambda step: None,
) -> Iterator[Finding]:
    """Yield the findings for a designer: the laws in a number of random games at every table of the
    box; then words, cards, paragraphs, and bots.

    Where the rules fail in mid-game, the rest is skipped. `looks` are further steps with their
    names; `progress` gets the name of each step when it starts.
    """
    failed, played = False, list[tuple[GameTable, Sequence[PlayedTurn]]]()
    for finding in broken_laws(kit, max(games, 1), progress, played):
        failed = failed or finding.fatal
        yield finding
    if failed:
        return
    yield from islice(_check_elimination(kit, played), 1)
    yield from beside(kit)
    yield from older_entries(kit)
    steps: tuple[tuple[str, Checker], ...] = (
        ("words", unsaid),
        ("waiting", never_equal),
        ("scores", lambda kit, _: uncounted_cells(kit)),
        ("dates", lambda kit, _: cells_made_dates(kit)),
        ("dealing", lambda kit, _: dealt_too_much(kit)),
        ("translations", lambda kit, _: differing_translations(kit)),
        ("cards", unread),
        ("paragraphs", unwritten_paragraphs),
        ("bots", lambda kit, _: stuck(kit)),
    )
    for name, look in (*steps, *looks):
        progress(name)
        yield from look(kit, played)


def _check_elimination(kit: GameKit, games: Games) -> Iterator[Finding]:
    """Law 18 in these games."""
    for table, turns in games:
        for sentence in disturbed(kit.meaning, (turn.after for turn in turns)):
            yield Finding(
                sentence,
                "the next turn is counted over all seats, not over those still in",
                table.id,
            )
