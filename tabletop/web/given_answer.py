"""What a browser answered, until the host has heard it."""

from tabletop.engine.model import Move


class GivenAnswer:
    """A move that a browser sent, until it is known what came of it."""

    def __init__(self, id: str, to: int, move: Move) -> None:
        self.id = id
        self.to = [to]
        """The numbers of the messages that said it: all are answered."""
        self.move = move
