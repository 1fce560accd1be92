"""Matches for tests of reviews."""

from concurrent.futures import Future
from pathlib import Path

from tabletop.bots.decision import Decision, Question
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue
from tabletop.engine.model import Ask
from tabletop.match.match import Match, Player
from tabletop.match.playback import Playback
from tabletop.storage.plies import plies
from tabletop.storage.record import record_of


def reel_of(match: Match) -> Playback:
    record = record_of(match, Path("match.tabletop"))
    return Playback(match.kit, match.players, plies(record))


def dealt(game: str, seats: int, seed: str) -> Match:
    kit = catalogue.load(game)
    players = [Player(f"P{seat}") for seat in range(seats)]
    short = {"length": "4"} if game == "royale" else {}
    return Match(kit, players, catalogue.options(kit, short), seed)


def open_ask(match: Match) -> Ask:
    state = match.state
    return next(ask for ask in state.asks if not ask.optional and ask.id not in state.answers)


def ponder(question: Question) -> "Future[Decision]":
    """Think here and now."""
    future: Future[Decision] = Future()
    future.set_result(
        think(make_agent(catalogue.load_bot_parts, question.game), question, lambda: False)
    )
    return future
