"""The interface through which rules change a table."""

from tabletop.engine.types import Result, Step, TableReader, Value, Zone


class Pen:
    """The only way to change a table, and the rules' only source of randomness.

    One implementation records events, the other simulates for bots. Rules can't tell which one they
    use.
    """

    __slots__ = ()

    @property
    def state(self) -> TableReader:
        """The current table."""
        raise NotImplementedError

    def place(self, zone: Zone, cards: tuple[int, ...] = ()) -> None:
        """Put a new zone on the table, with `cards` from the box in it.

        >>> table.place(Zone("deck", Sight.NONE), (0, 1, 2))
        >>> table.state.cards["deck"]
        (0, 1, 2)
        """

    def move(self, card: int, source: str, target: str, to: int | None = None) -> None:
        """Move a card to the top of `target`, or to index `to` of an ordered zone.

        >>> table.move(4, "pile", "row")
        >>> table.state.cards["row"]
        (4,)
        """

    def draw(self, source: str, target: str, count: int = 1) -> tuple[int, ...]:
        """Move up to `count` cards from the top of `source`, one by one, and return them.

        >>> table.draw("pile", "row", 2)
        (5, 4)
        >>> table.state.cards["row"]
        (5, 4)
        """
        raise NotImplementedError

    def shuffle(self, zone: str) -> None:
        """Shuffle the cards of an ordered zone. All facts about them are dropped.

        >>> table.shuffle("pile")
        >>> sorted(table.state.cards["pile"])
        [3, 4, 5]
        """

    def show(self, zone: str, card: int, seats: tuple[int, ...] | None = None) -> None:
        """Show a card to `seats` alone (None: to everyone) until it moves; () hides it again.

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
        """Announce the answer to a question about hidden cards to `seats` (None: to everyone).

        The rules name their questions, and derive the answers from faces alone (`Deduction.query`).
        Everyone sees which cards the question is about. The announced fact follows its cards when
        they move. It is dropped when one of them is shuffled, or leaves a loose zone that contains
        other cards with the same back.

        >>> table.announce("is", (5,), 9, answer=0, seats=(1,))
        >>> [bool(mask(table.state, seat).facts) for seat in (0, 1)]
        [False, True]
        """

    def set(self, key: str, value: Value) -> None:
        """Set a public value: an integer or a word.

        >>> table.set("score/0", 3)
        >>> table.state.values["score/0"]
        3
        """

    def roll(self, what: str, *sides: int) -> tuple[int, ...]:
        """Roll dice with these numbers of sides openly, and return their faces.

        >>> faces = table.roll("attack", 6, 6)
        >>> all(1 <= face <= 6 for face in faces)
        True
        """
        raise NotImplementedError

    def throw(self, zone: str, dice: tuple[int, ...], others: str) -> tuple[int, ...]:
        """Throw dice that are cards of `zone`, and return the new faces, which stay in the zone.

        Each face of a die is a card of its own. The faces that aren't up are in `others`, a loose
        zone that no viewer sees into. Only viewers of `zone` see the new faces.

        >>> table.place(Zone("box", Sight.NONE, loose=True), (7, 8))
        >>> table.place(Zone("cup", Sight.OWNER, 0), (6,))
        >>> table.throw("cup", (6,), "box")[0] in (6, 7, 8)
        True
        """
        raise NotImplementedError

    def ask(
        self, seat: int, what: str, *args: Value, sealed: bool = False, optional: bool = False
    ) -> int:
        """Ask a seat a question, and return the question's ID.

        >>> number = table.ask(0, "turn")
        >>> [ask.what for ask in table.state.asks]
        ['turn']
        """
        raise NotImplementedError

    def withdraw(self, *asks: int) -> None:
        """Withdraw questions, together with their answers if those are still sealed.

        >>> number = table.ask(0, "react", optional=True)
        >>> table.withdraw(number)
        >>> table.state.asks
        ()
        """

    def then(self, step: Step) -> None:
        """Plan a step for `GameRules.resume`, to run once no mandatory question is open.

        The step planned last runs first.

        >>> class Score(Step, frozen=True):
        ...     seat: int
        >>> table.then(Score(seat=0))
        >>> table.then(Score(seat=1))
        >>> Score.upcoming(table.state)
        Score(seat=1)
        """

    def say(self, text: str, *cards: int, tag: str = "", **args: Value) -> None:
        """Log an English sentence with placeholders for cards and arguments.

        {card} stands for the first of the cards, {cards} for all of them; a player who can't see
        one reads "a card". The name of an argument gives its kind: `seat...` a player, `zone...` a
        zone, `word...` an English word to translate, `names`, `numbers`, `faces` and `dice` a list
        with ", " between its entries; any other name, the value itself. `tag` names what happened,
        for `meaning.toml`. Three arguments have no placeholder: `lit` lists zones to highlight,
        separated by spaces; `bright` is how many of the cards to highlight brightly; `lines` is how
        many of the following sentences belong to this one.

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
        """Log one sentence for `seats`, and another one for all other viewers.

        Otherwise like `say`. The other viewers receive only the arguments that their sentence uses.

        >>> table.whisper((0,), "It is {n}.", "{seat} knows it now.", n=7, seat=0)
        >>> mask_event(table.state, table.events[-1], 1).args
        {'seat': 0}
        """

    def end(self, result: Result) -> None:
        """End the game with `result`.

        >>> table.end(Result((), (2, 2)))
        >>> table.state.result.scores
        (2, 2)
        """
