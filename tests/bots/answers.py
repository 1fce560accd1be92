"""The answers of all levels at positions of random games, and the moves before, at given tries and
seeds: for `packaging/check-compiled`, or to see whether a change has kept them.

    python3 -m tests.bots.answers > before.txt
"""

from collections.abc import Iterator

from tabletop.bots.decision import LEVELS, Question
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue
from tabletop.engine.events import Said
from tabletop.engine.heuristic import Past
from tabletop.engine.mask import mask, masked
from tabletop.engine.model import State
from tabletop.studio.laws.random_games import GameTable, open_asks, turns

LONGEST = 60
MATCHES = {
    ("_blank", 3): (4, 20),
    ("awss", 3): (3, 8),
    ("chains", 1): (8, 3),
    ("chains", 3): (8, 6),
    ("royale", 2): (2, 24),
    ("royale", 4): (3, 16),
    ("sisters", 2): (2, 30),
    ("sisters", 3): (2, 20),
    ("sun", 2): (2, 30),
}
"""Of games and seats: at every how many answers bots are asked, and how many tries hard has."""


def answers(name: str, seats: int) -> Iterator[str]:
    """A line for each level and position."""
    step, tries = MATCHES[name, seats]
    kit, agent = catalogue.load(name), make_agent(catalogue.load_bot_parts, name)
    setting = GameTable(kit.id, kit.rules, kit.backs, seats, catalogue.options(kit))
    heard: list[list[Said]] = [[] for _ in range(seats)]
    seen: list[list[State]] = [[] for _ in range(seats)]
    for number, turn in enumerate(turns(setting, "answers", longest=LONGEST)):
        for seat in range(seats):
            told = masked(turn.before, turn.events, seat)
            heard[seat] += [event for event in told if isinstance(event, Said)]
        for ask in open_asks(turn.after)[:1]:
            view = mask(turn.after, ask.seat)
            past = Past(tuple(heard[ask.seat]), tuple(seen[ask.seat]))
            seen[ask.seat].append(view)
            offers = kit.rules.offers(view, ask)
            for level in LEVELS if number % step == 0 else ():
                asked = Question(name, level, view, ask, offers, 1.0, str(number), past, tries)
                yield f"{name}-{seats} {number} {think(agent, asked, lambda: False)}"


def main() -> None:
    for name, seats in MATCHES:
        for line in answers(name, seats):
            print(line)


if __name__ == "__main__":
    main()
