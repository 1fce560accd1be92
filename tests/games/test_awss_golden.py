"""Which effects of AWSSterra a game touches, so that the golden playthrough leaves none out."""

from collections.abc import Iterable, Iterator

from tabletop.catalogue import catalogue
from tabletop.engine.events import Event, Said, apply
from tabletop.engine.model import State
from tabletop.games.awss.board import CELLS, INCOMING, Board, read_board
from tabletop.games.awss.effects import SEASONS
from tabletop.games.awss.rules import Rules
from tests.games.golden import playthrough

GAME = catalogue.load("awss").rules
assert isinstance(GAME, Rules)
DECK = GAME.deck
MARKS = {
    *("Counters ◎", "Counters post", "Flip ◎", "Flip post", "Rotate ◎", "SwapOther ◎", "Depart ◎"),
    *("Sacrifice pre", "TurnSelf pre", "SwapSelf pre"),
}
ALWAYS = {"BonusIf", "BonusPer", "Aura", "PointsFromTip", "StayUp", "Ward", "NoNegative"}
ALL = MARKS | ALWAYS


def touched(turns: Iterable[tuple[State, tuple[Event, ...]]]) -> set[str]:
    """The effects that did something: of the table before each answer, and what it wrote."""
    found: set[str] = set()
    for state, events in turns:
        for number, event in enumerate(events):
            if isinstance(event, Said):
                after = events[number + 1 : number + 2]
                idle = any(isinstance(e, Said) and "no effect" in e.text for e in after)
                if not idle:
                    found.update(_said(state, event))
            state = apply(state, event)
    return found


def _said(state: State, said: Said) -> Iterator[str]:
    match said.text.split():
        case ["{seat}", "uses" | "replaces", *_]:
            card = said.cards[0]
            yield f"{type(DECK.marked[card]).__name__} {DECK.moment[card]}"
        case ["{card}", "keeps", *_]:
            yield "Ward"
        case ["{card}", "scores", *_]:
            seat, cell = map(int, str(said.args["lit"]).split()[0].split("/")[1:])
            yield from _scored(state, read_board(state, seat), cell, str(said.args["formula"]))


def _scored(state: State, board: Board, cell: int, formula: str) -> Iterator[str]:
    card = board.cards[cell]
    yield from (type(effect).__name__ for effect in DECK.scored[card] if "✦" in formula)
    if "❋" in formula:
        yield "Aura"
    arrows = [
        DECK.arrows[board.turned[there]][board.cards[there]][arrow]
        for there, arrow in INCOMING[cell]
        if board.cards[there] >= 0
    ]
    if DECK.fearless[card] and min(arrows, default=0) < 0:
        yield "NoNegative"
    season = SEASONS.index(str(state.values["phase"]))
    if any(board.cards[c] >= 0 and DECK.season[board.cards[c]] < season for c in CELLS):
        yield "StayUp"


def test_the_golden_playthrough_touches_every_effect() -> None:
    turns = playthrough.replayed((playthrough.FOLDER / "awss-4.txt").read_text("utf-8")).turns
    assert touched((state, events) for state, _, _, events in turns) == ALL
