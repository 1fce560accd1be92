"""The pen: what rules change a table with."""

from tabletop.engine.types import Result, Step, TableReader, Value, Zone


class Pen:
    """The only way to change a table, and the only source of chance.

    There are two pens, one that writes events and one for bots that think ahead. Rules can't tell
    which one they hold.
    """

    __slots__ = ()

    @property
    def state(self) -> TableReader:
        """The table as it is now."""
        raise NotImplementedError

    def place(self, zone: Zone, cards: tuple[int, ...] = ()) -> None:
        """Put a new zone on the table, with these cards of the box in it.

        >>> table.place(Zone("deck", Sight.NONE), (0, 1, 2))
        >>> table.state.cards["deck"]
        (0, 1, 2)
        """

    def move(self, card: int, source: str, target: str, to: int | None = None) -> None:
        """Move a card to the top of the target, or in an ordered zone to the place `to`.

        >>> table.move(4, "pile", "row")
        >>> table.state.cards["row"]
        (4,)
        """

    def draw(self, source: str, target: str, count: int = 1) -> tuple[int, ...]:
        """Move up to `count` cards from the top, one by one, and return them.

        >>> table.draw("pile", "row", 2)
        (5, 4)
        >>> table.state.cards["row"]
        (5, 4)
        """
        raise NotImplementedError

    def shuffle(self, zone: str) -> None:
        """Put the cards of an ordered zone in a random order. All facts about them are forgotten.

        >>> table.shuffle("pile")
        >>> sorted(table.state.cards["pile"])
        [3, 4, 5]
        """

    def show(self, zone: str, card: int, seats: tuple[int, ...] | None = None) -> None:
        """Let these seats alone (None: everybody) see a card until it moves; () hides it again.

        >>> table.show("pile", 5, (1,))
        >>> [5 in mask(table.state, seat).cards["pile"] for seat in (0, 1)]
        [False, True]
        """

    def announce(
        self,
        question: str,
        cards: tuple[int, ...],
        *args: Value,
        answer: Value,
        seats: tuple[int, ...] | None = None,
    ) -> None:
        """Announce to these seats (None: everybody) what hidden cards answer to a question.

        The rules name their questions, and answer them from the faces alone (`Deduction.query`).
        Everybody hears which cards were asked what. The facts follow the cards. They are forgotten
        when one of them is shuffled, or leaves a loose zone in which others look alike.

        >>> table.announce("is", (5,), 9, answer=0, seats=(1,))
        >>> [bool(mask(table.state, seat).facts) for seat in (0, 1)]
        [False, True]
        """

    def set(self, key: str, value: Value) -> None:
        """Set a public value: a whole number or a word.

        >>> table.set("score/0", 3)
        >>> table.state.values["score/0"]
        3
        """

    def roll(self, what: str, *sides: int) -> tuple[int, ...]:
        """Roll dice with these numbers of sides for all to see, and return their faces.

        >>> faces = table.roll("attack", 6, 6)
        >>> all(1 <= face <= 6 for face in faces)
        True
        """
        raise NotImplementedError

    def throw(self, zone: str, dice: tuple[int, ...], others: str) -> tuple[int, ...]:
        """Throw dice that are cards of a zone and stay there, and return what came up.

        Each die is a card for every face. The other faces are in `others`, a loose zone that nobody
        sees. Only viewers of the dice's zone see the faces that came up.

        >>> table.place(Zone("box", Sight.NONE, loose=True), (7, 8))
        >>> table.place(Zone("cup", Sight.OWNER, 0), (6,))
        >>> table.throw("cup", (6,), "box")[0] in (6, 7, 8)
        True
        """
        raise NotImplementedError

    def ask(
        self, seat: int, what: str, *args: Value, sealed: bool = False, optional: bool = False
    ) -> int:
        """Ask a seat a question, and return its number.

        >>> number = table.ask(0, "turn")
        >>> [ask.what for ask in table.state.asks]
        ['turn']
        """
        raise NotImplementedError

    def withdraw(self, *asks: int) -> None:
        """Withdraw questions, and answers to them that are still sealed.

        >>> number = table.ask(0, "react", optional=True)
        >>> table.withdraw(number)
        >>> table.state.asks
        ()
        """

    def then(self, step: Step) -> None:
        """Plan a step for `Game.resume`, to run once no mandatory question is open.

        The step planned last runs first.

        >>> class Score(Step, frozen=True):
        ...     seat: int
        >>> table.then(Score(seat=0))
        >>> table.then(Score(seat=1))
        >>> Score.upcoming(table.state)
        Score(seat=1)
        """

    def say(self, text: str, *cards: int, tag: str = "", **args: Value) -> None:
        """Log an English sentence with gaps for cards and arguments.

        {card} is the first of the cards and {cards} are all of them; a player who does not see one
        reads "a card". The name of an argument says what it is: `seat...` a player, `zone...` a
        place, `word...` an English word to translate, `names`, `numbers`, `faces` and `dice` a list
        with ", " between its entries, anything else itself. `tag` names what happened for
        `meaning.toml`. Three arguments have no gap: `lit` names zones, separated by spaces, that
        light up; `bright` is how many of the cards light up brightly; `lines` is how many of the
        following sentences belong to this one.

        >>> table.say("{seat} discards {card}.", 5, tag="discard", seat=0)
        >>> table.events[-1].tag
        'discard'
        """

    def whisper(
        self,
        seats: tuple[int, ...],
        text: str,
        others: str,
        *cards: int,
        tag: str = "",
        **args: Value,
    ) -> None:
        """Log a sentence for these seats alone, and another one for all others.

        Otherwise like `say`. The others get only the arguments that their sentence has gaps for.

        >>> table.whisper((0,), "It is {n}.", "{seat} knows it now.", n=7, seat=0)
        >>> mask_event(table.state, table.events[-1], 1).args
        {'seat': 0}
        """

    def end(self, result: Result) -> None:
        """End the game.

        >>> table.end(Result((), (2, 2)))
        >>> table.state.result.scores
        (2, 2)
        """
