"""Hints followed to their end, in any game: `python -m tests.bots.hints [games or number ...]`.

With `window` among the arguments each hint takes as long as in the window. A hint is the move of
the hard level (`tabletop/bots/hint.py`). It has to be legal, has to change more than whose turn it
is, unless it says that it does nothing, and must not lead to an attack for which there are no
means.
"""

import sys
from collections import Counter
from collections.abc import Iterator

from tabletop.bots.decision import Question
from tabletop.bots.hint import SEARCH_TIME_S
from tabletop.bots.memory import Memory
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue
from tabletop.engine.events import Answered, Asked, Closed, Planned
from tabletop.engine.model import Move, State
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match, Player
from tests.ui.random_matches import asked, some_answer

TRIES = 4
"""Games that are played on for a hint; with few of them odd moves come up as well."""
IDLE = frozenset(
    {"pass", "nothing", "stay", "none", "refuse", "forgo", "declare", "lock", "agree", "range"}
)
"""Verbs of moves that leave the cards where they are."""
SILENT = (Answered, Asked, Closed, Planned)


def hints(
    game: str, number: int, seats: int = 0, tries: int = TRIES
) -> Iterator[tuple[Match, int, Move]]:
    """So many hints, each with the match in which it was given and then played, and the seat.
    Everybody follows hints; a seat in three plays at random, so that odd positions come up.
    Without `tries` the search takes as long as in the window."""
    kit = catalogue.load(game)
    agent = make_agent(catalogue.load_bot_parts, game)
    given, round_ = 0, 0
    while given < number:
        players = [Player(f"P{seat}") for seat in range(seats or min(kit.box.seats[-1], 3))]
        options = catalogue.options(kit) | ({"length": "8"} if game == "royale" else {})
        match = Match(kit, players, options, seed=f"hints {round_}")
        luck, memories = FastRng(f"hints {round_}"), [Memory() for _ in players]
        round_ += 1
        while match.state.result is None and given < number:
            seat, ask, offers = next(asked(match))
            if seat % 3 == 2 and luck.below(3):
                match.submit(*some_answer(match, luck))
                continue
            view = match.view(seat)
            past = memories[seat].recall(view, match.log(seat))
            question = Question(
                game, "hard", view, ask, offers, SEARCH_TIME_S, str(given), past, tries
            )
            move = think(agent, question, lambda: False).move
            yield match, seat, move
            given += 1


def follow(match: Match, seat: int, move: Move) -> list[str]:
    """Play a hint; gives what is wrong with it."""
    before, ply = match.state, len(match.plies)
    ask = next(ask for ask in match.asks(seat) if ask.id == move.ask)
    offers = match.offers(seat)[ask.id]
    if not any(offer.admits(move) for offer in offers):
        return [f"{move} is not legal"]
    wrong = []
    if match.kit.id == "royale" and disarmed(before, seat, move):
        wrong.append(f"{move.verb} {move.choice} leads to an attack without means")
    match.submit(seat, move)
    events = [event for ply in match.plies[ply:] for event in ply.events]
    silent = all(isinstance(event, SILENT) for event in events)
    if silent and not ask.sealed and move.verb not in IDLE:
        wrong.append(f"{move} changes nothing")
    return wrong


def disarmed(state: State, seat: int, move: Move) -> bool:
    """Whether a move of Sister Royale begins an attack for which there are no means."""
    if move.verb not in ("attack", "range", "declare", "chain", "counter"):
        return False
    deck = catalogue.load("royale").rules.deck
    held = [state.cards[f"{zone}/{seat}"] for zone in ("items", "hand", "character")]
    mine = [deck.attack[card] for cards in held for card in cards if card in deck.attack]
    ranges = {reach for means in mine for reach in means.perf} & {"near", "mid", "far"}
    gone = str(state.values["dropped"]).split()
    works = [card for cards in held for card in cards
             if card in deck.attack and str(card) not in gone
             and state.values["range"] in deck.attack[card].perf]  # fmt: skip
    match move.verb:
        case "attack":
            return not ranges
        case "range":
            return bool(ranges) and not state.values["round"] and move.choice not in ranges
        case "declare":
            return move.choice == "attack" and not works
        case _:
            return not works


def report(game: str, number: int, tries: int = TRIES) -> Counter[str]:
    """The faults of so many hints, and how often each came up."""
    return Counter(line for hint in hints(game, number, tries=tries) for line in follow(*hint))


if __name__ == "__main__":
    count = next((int(word) for word in sys.argv[1:] if word.isdigit()), 1000)
    games = [word for word in sys.argv[1:] if not word.isdigit() and word != "window"]
    tries = 0 if "window" in sys.argv else TRIES
    for name in games or ("awss", "chains", "royale", "sisters", "sun"):
        print(name, count, dict(report(name, count, tries)) or "all good", flush=True)
