"""The steps of `tabletop check` that don't need Qt. The other steps are in
`ui/studio/game_check/`.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from tabletop.catalogue.catalogue import GameKit
from tabletop.studio.laws.elimination import find_violation
from tabletop.studio.laws.random_games import GameTable, PlayedTurn
from tabletop.studio.workshop.bot_games import find_bot_failures
from tabletop.studio.workshop.file_check import (
    Games,
    find_conflicting_translations,
    find_date_cells,
    find_empty_starts,
    find_ignored_workbooks,
    find_impossible_conditions,
    find_missing_paragraphs,
    find_missing_texts,
    find_non_numeric_cells,
    find_outdated_entries,
    find_overdrawn_zones,
    find_unknown_cases,
    find_unused_cards,
)
from tabletop.studio.workshop.finding import Finding
from tabletop.studio.workshop.law_check import find_broken_laws

Checker = Callable[[GameKit, Games], Iterator[Finding]]


def check(
    kit: GameKit,
    games: int = 1,
    looks: Sequence[tuple[str, Checker]] = (),
    progress: Callable[[str], None] = lambda step: None,
) -> Iterator[Finding]:
    """Yield the findings of all checks: first the laws in random games at every player count, then
    texts, cards, rulebook paragraphs and bots.

    If the rules fail during a game, the remaining checks are skipped.

    Args:
        games: The number of random games per player count.
        looks: The name and the function of each additional check.
        progress: Called with the name of each step when it starts.
    """
    failed, played = False, list[tuple[GameTable, Sequence[PlayedTurn]]]()
    for finding in find_broken_laws(kit, max(games, 1), progress, played):
        failed = failed or finding.fatal
        yield finding
    if failed:
        return
    yield from islice(_check_elimination(kit, played), 1)
    yield from find_ignored_workbooks(kit)
    yield from find_outdated_entries(kit)
    steps: tuple[tuple[str, Checker], ...] = (
        ("words", find_missing_texts),
        ("waiting", find_impossible_conditions),
        ("scores", lambda kit, _: find_non_numeric_cells(kit)),
        ("dates", lambda kit, _: find_date_cells(kit)),
        ("cases", lambda kit, _: find_unknown_cases(kit)),
        ("starts", lambda kit, _: find_empty_starts(kit)),
        ("dealing", lambda kit, _: find_overdrawn_zones(kit)),
        ("translations", lambda kit, _: find_conflicting_translations(kit)),
        ("cards", find_unused_cards),
        ("paragraphs", find_missing_paragraphs),
        ("bots", lambda kit, _: find_bot_failures(kit)),
    )
    for name, look in (*steps, *looks):
        progress(name)
        yield from look(kit, played)


def _check_elimination(kit: GameKit, games: Games) -> Iterator[Finding]:
    """Yield the violations of law 18 in `games`."""
    for table, turns in games:
        for sentence in find_violation(kit.meaning, (turn.after for turn in turns)):
            yield Finding(
                sentence,
                "the next turn is counted over all seats, not over those still in",
                table.id,
            )
