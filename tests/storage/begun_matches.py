"""Matches with a journal, to be played on by other processes."""

from pathlib import Path

from tabletop.catalogue import catalogue
from tabletop.match.match import Match, Player
from tabletop.storage import saved_matches

ROOT = Path(__file__).parents[2]
"""Where other processes find the program and its tests."""
GAMES = [
    kit.id
    for kit in catalogue.load_all().games
    if not (kit.is_external and kit.read_text("rules.py"))
]
"""Games that another process may run without being allowed to."""


def begun(trial: int, seed: str) -> Match:
    """A new match with a journal: another game each time, every other time with a bot."""
    kit = catalogue.load(GAMES[trial % len(GAMES)])
    count = kit.box.seats[trial // len(GAMES) % len(kit.box.seats)]
    kind = "bot" if trial // len(GAMES) % 2 else "person"
    players = [Player(f"Player {seat}") for seat in range(count - 1)]
    return saved_matches.begin(kit, (*players, Player("Last", kind=kind)), seed=seed)
