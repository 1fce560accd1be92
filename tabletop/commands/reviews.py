"""Find the costliest moves of a finished match."""

from typing import Annotated

import msgspec

from tabletop.background.threads import can_start_thread
from tabletop.bots.bot_pool import BotPool
from tabletop.catalogue import catalogue
from tabletop.commands.arguments import (
    AsJson,
    File,
    RecordGame,
    UsageError,
    number_option,
    value_option,
)
from tabletop.commands.match_source import parse_seat
from tabletop.engine.model import AUDIENCE
from tabletop.language.words import Words
from tabletop.match.playback import Playback
from tabletop.review.review import Mistake, Review, ReviewBudget, played_moves
from tabletop.storage.plies import is_playable, permitted_viewers, plies
from tabletop.storage.record import Record, kit_for, read
from tabletop.text.plain_text import print_plain, shown_name
from tabletop.text.terminal import has_terminal, make_progress_bar

THOROUGH_FACTOR = 10
"""How many times longer a candidate move is analysed in the second pass than in the first."""


def review(
    file: File,
    seat: Annotated[str, value_option("SEAT", "Whose moves: 1, 2 …")] = "1",
    seconds: Annotated[
        float, number_option("S", "Seconds to spend on each decision.", 0.01, 3600)
    ] = 0.15,
    as_json: AsJson = False,
    game: RecordGame = "",
) -> None:
    """Find a player's three costliest moves and what was better."""
    written = read(file)
    playback = _playback(written)
    player = parse_seat(playback.players, seat)
    if player == AUDIENCE:
        raise UsageError("The audience makes no moves: name a seat.")
    if player not in permitted_viewers(written, playback.plies[-1].state):
        raise UsageError(
            f"{shown_name(file)} is sealed until its match is over, and so is this seat."
        )
    words = Words("en", playback.kit, playback.players)
    bot_pool = BotPool(catalogue.load_bot_parts)
    try:
        with make_progress_bar(has_terminal() and can_start_thread()) as bar:
            task = bar.add_task(shown_name(file), total=None)
            thinking = Review(
                played_moves(playback, player),
                bot_pool.submit,
                ReviewBudget(seconds, THOROUGH_FACTOR * seconds),
            )
            findings = thinking.run(lambda done, of: bar.update(task, completed=done, total=of))
    finally:
        bot_pool.close()
    if as_json:
        print(
            msgspec.json.encode([_numbers(finding, player, words) for finding in findings]).decode()
        )
        return
    print_plain(f"{playback.kit.box.title}: {words.seat(player)}'s costliest moves")
    for number, finding in enumerate(findings, start=1):
        print_plain("\n".join(_lines(number, finding, player, words)))
    if not findings:
        print_plain("No move cost much.")


def _playback(written: Record) -> Playback:
    """Return the recorded match as a playback for the review.

    Raises:
        UsageError: the match isn't over, was played with other rules, or lacks its hidden cards.
    """
    if not is_playable(written):
        raise UsageError(
            f"{shown_name(written.path)} can only be watched: it was played by other rules, "
            "or its hidden cards were removed."
        )
    playback = Playback(kit_for(written), written.header.players, plies(written))
    if playback.plies[-1].state.result is None:
        raise UsageError(
            f"{shown_name(written.path)} isn't finished; only finished matches can be reviewed."
        )
    return playback


def _numbers(finding: Mistake, seat: int, words: Words) -> dict[str, object]:
    view = finding.view
    return {
        "move": finding.ply,
        "when": words.heading(view),
        "cost": round(finding.cost, 4),
        "played": finding.played,
        "better": finding.better,
        "played_text": words.move(finding.played, seat, view),
        "better_text": words.move(finding.better, seat, view),
        "why": words.note(finding.reason, seat) if finding.reason else "",
    }


def _lines(number: int, finding: Mistake, seat: int, words: Words) -> list[str]:
    view = finding.view
    return [
        f"{number}. {words.heading(view)}, move {finding.ply}: "
        f"about {finding.cost:.0%} less chance to win",
        f"   Played: {words.move(finding.played, seat, view)}.",
        f"   Better: {words.move(finding.better, seat, view)}.",
        *([f"   {words.note(finding.reason, seat)}"] if finding.reason else []),
    ]
