"""The steps of `tabletop check` that don't need Qt. `ui/studio/game_check/` contains the others."""

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
    """Yield the findings of all checks: first the laws in random games at every player count, then
    texts,
    cards, rulebook paragraphs and bots.

    If the rules fail during a game, the remaining checks are skipped.

    Args:
        games: The number of random games per player count.
        looks: Names and functions of additional checks.
        progress: Called with the name of each step when it starts.
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
    """Yield the violations of law 18 in `games`."""
    for table, turns in games:
        for sentence in disturbed(kit.meaning, (turn.after for turn in turns)):
            yield Finding(
                sentence,
                "the next turn is counted over all seats, not over those still in",
                table.id,
            )
