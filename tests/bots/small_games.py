"""Games so small that the best move is known."""

from tabletop.engine.model import Offer, Result

STONES = 9


class Nim:
    """Two players take one to three stones in turn; taking the last one wins."""

    def setup(self, table):
        table.set("stones", STONES)
        table.ask(0, "take")

    def offers(self, state, ask):
        most = min(3, int(state.values["stones"]))
        return (Offer("take", choices=tuple(str(n) for n in range(1, most + 1))),)

    def play(self, table, seat, move):
        left = int(table.state.values["stones"]) - int(move.choice)
        table.set("stones", left)
        if left:
            table.ask(1 - seat, "take")
        else:
            table.end(Result((seat,), (int(seat == 0), int(seat == 1))))

    def resume(self, table, step):
        raise AssertionError


class Wheel:
    """Two ways to go: a sure small prize, or a wheel of four of which one part wins everything."""

    def __init__(self, sides):
        self.sides = sides

    def setup(self, table):
        table.ask(0, "go")

    def offers(self, state, ask):
        return (Offer("turn"), Offer("stay"))

    def play(self, table, seat, move):
        won = move.verb == "turn" and table.roll("wheel", self.sides)[0] == 1
        shared = (0, 1) if move.verb == "stay" else (0,) if won else (1,)
        table.end(Result(shared, ()))
