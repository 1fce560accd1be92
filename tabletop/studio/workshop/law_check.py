"""Check that a game obeys the laws in random games at every player count.

A broken law is reported with the first move that shows it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tabletop.catalogue.catalogue import GameKit
from tabletop.free_table.rules import Rules
from tabletop.studio.laws.laws import LAWS, Law, ends
from tabletop.studio.laws.random_games import GameTable, PlayedTurn, tables_of_game, turns_of_shot
from tabletop.studio.workshop.checked_rules import check_kit
from tabletop.studio.workshop.finding import Finding
from tabletop.studio.workshop.mistake import describe_mistake, location_of
from tabletop.text.plain_text import shell_words

Games = list[tuple[GameTable, Sequence[PlayedTurn]]]
MAX_ANSWERS = 3_000
"""The maximum number of answers in a game."""
EXPLANATIONS = {
    "square": (
        "A player's updates do not lead to the table that the player should see.",
        "a fault of the program: please report it with this game",
    ),
    "silence": (
        "An update names a card that its player sees neither before nor after.",
        "a fault of the program: please report it with this game",
    ),
    "own_knowledge": (
        "A player's offers depend on something that this player cannot see.",
        "`offers`, `why` or `preview` reads another seat's hand: work with what the seat sees",
    ),
    "exact": (
        "An offered move cannot be played, another move can, or nobody can move.",
        "an offer wants more cards than it names, or a question waits that nobody can answer",
    ),
    "replay": (
        "The same moves do not make the same game twice.",
        "the rules use `random`, a clock, or something that they keep in `self` while they play",
    ),
    "determinize": (
        "A bot that imagines the hidden cards gets a table that cannot be played.",
        "a hidden card's number is in a value or in a planned step: keep those of open cards",
    ),
    "conserve": (
        "A card is lost, or is in two places.",
        "`place` laid a new zone over one that held cards, or brought a card a second time",
    ),
    "codec": (
        "Something that is sent or saved does not read back equal.",
        "a value or an argument is neither a whole number nor a text",
    ),
    "ends": (
        "A game of random moves does not come to an end.",
        "a turn is always possible, and nothing counts down; or nobody is asked any more",
    ),
    "two_worlds": (
        "A player can learn something about hidden cards.",
        "a value, a question or a sentence was computed from a hidden card: turn it up first",
    ),
    "pens": (
        "The rules reach another table when bots think ahead.",
        "`table.state` or its `values` was kept while something changed: read it again",
    ),
    "second_thoughts": (
        "A secret answer that is withdrawn leaves a trace.",
        "the offers depend on the number of a question",
    ),
    "partners": (
        "Partners do not win, lose and score together.",
        "the result counts for each seat: give every seat of a team what its team has",
    ),
    "true_facts": (
        "An announcement about hidden cards is not true.",
        "`announce` has another answer than `query`, or `query` uses more than faces",
    ),
}
"""The message about a broken law, and its usual cause, by the name of the law's function."""


def find_broken_laws(
    kit: GameKit,
    games: int = 1,
    progress: Callable[[str], None] = lambda step: None,
    played: Games | None = None,
) -> Iterator[Finding]:
    """Yield a finding for each law that the rules break, at most one per law.

    Free tables use the program's own rules, so their laws are only checked at the smallest and the
    largest player count.

    Args:
        games: The number of random games per player count.
        progress: Called with the name of each step when it starts.
        played: A list to which the games are appended.
    """
    broken: set[Law] = set()
    ends = {kit.box.seats[0], kit.box.seats[-1]}
    own, checked = not isinstance(kit.rules, Rules), check_kit(kit)
    failures: set[str] = set()
    for table in tables_of_game(kit.id):
        progress(f"laws, {table.seats} players")
        laid = replace(table, game=checked.rules)
        for number in range(games):
            seed = str(number + 1)
            game: list[PlayedTurn] = []
            try:
                for turn in turns_of_shot(table, checked, seed, MAX_ANSWERS):
                    game.append(turn)  # keeps the turns before an error
            except Exception as error:  # rules are code and may raise anything
                yield _failure(kit, table, seed, game, error, fatal=True)
                return
            if played is not None:
                played.append((table, game))
            for law in LAWS if own or table.seats in ends else ():
                if law in broken:
                    continue
                try:
                    law(laid, seed, game)
                except Exception as error:
                    broken.add(law)
                    if not isinstance(error, AssertionError) and _line_of(kit, error):
                        part = game[: _first_failure(laid, seed, game, law) + 1]
                        finding = _failure(kit, table, seed, part, error)
                        if finding.fault not in failures:
                            failures.add(finding.fault)
                            yield finding
                        continue
                    yield _describe_failure(kit, table, seed, game, law, error)


def _failure(
    kit: GameKit,
    table: GameTable,
    seed: str,
    game: Sequence[PlayedTurn],
    error: Exception,
    fatal: bool = False,
) -> Finding:
    return Finding(
        f"The rules fail: {describe_mistake(error, Path(str(kit.folder)))}",
        where=_where(table, seed, len(game) - 1),
        see=shot_command(kit, table, seed, max(len(game) - 1, 0)) if game else "",
        fatal=fatal,
    )


def _describe_failure(
    kit: GameKit,
    table: GameTable,
    seed: str,
    game: Sequence[PlayedTurn],
    law: Law,
    error: Exception,
) -> Finding:
    meaning, usual_cause = EXPLANATIONS[law.__name__]
    ply = _first_failure(table, seed, game, law)
    problem = _problem(error) + _line_of(kit, error)
    return Finding(
        f"{law.__name__.replace('_', ' ')}: {meaning}",
        usual_cause,
        _where(table, seed, ply) + (f": {problem}" if problem else ""),
        shot_command(kit, table, seed, ply),
    )


def _first_failure(table: GameTable, seed: str, game: Sequence[PlayedTurn], law: Law) -> int:
    """Return the number of moves after which `law` fails first."""

    def fails(part: Sequence[PlayedTurn]) -> bool:
        try:
            law(table, seed, part)
        except Exception:
            return True
        return False

    if law is ends:
        return len(game) - 1
    low, high = 1, len(game)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fails(game[:middle]) else (middle + 1, high)
    return low - 1


def _problem(error: Exception) -> str:
    """Return the error as text, without the states that a law compares, because they are too long
    to be useful.
    """
    if not isinstance(error, AssertionError):
        return f"{type(error).__name__}: {error}"
    flat = [
        part
        for each in error.args
        for part in (each if isinstance(each, tuple) else (each,))
        if isinstance(part, str) and len(part) < 80 and "\n" not in part
    ]
    return ", ".join(flat)


def _line_of(kit: GameKit, error: Exception) -> str:
    place = location_of(error, Path(str(kit.folder)))
    return f" ({place})" if place else ""


def _where(table: GameTable, seed: str, ply: int) -> str:
    chosen = "".join(f", {key} = {value}" for key, value in table.options.items())
    return f"{table.seats} players, seed {seed}, move {max(ply, 0)}{chosen}"


def shot_command(kit: GameKit, table: GameTable, seed: str, ply: int) -> str:
    """Return the command that draws the position after `ply` moves."""
    named = shell_words([str(kit.folder)]) if kit.is_external else kit.id
    options = "".join(f" --option {key}={value}" for key, value in table.options.items())
    return (
        f"tabletop shot --game {named} --seats {table.seats} --seed {seed} --ply {max(ply, 0)}"
        f"{options} --window --out table.png"
    )
