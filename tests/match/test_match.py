"""One running match and the links to it, over a small game made for the purpose."""

import pytest

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.engine.events import Said
from tabletop.engine.model import (
    AUDIENCE,
    Ask,
    Move,
    Offer,
    Pen,
    Preview,
    Reason,
    Remark,
    Result,
    Sight,
    Step,
    TableReader,
    Zone,
    hidden_card,
    one,
)
from tabletop.engine.play import Illegal
from tabletop.engine.refusals import NOT_ASKED
from tabletop.match.history import NOTHING_TO_UNDO, Entry
from tabletop.match.match import MAX_CACHED_PLIES, Match, Player, Reset, Update
from tabletop.match.seat import Seat
from tests.toy_kits import toy_kit

CARDS = 12


class NextTurn(Step, frozen=True, tag="next"):
    """The turn after this seat's."""

    seat: int


class Market:
    """Seats take turns: take an open card, draw a hidden one, roll, both bid in secret, or stop."""

    steps = (NextTurn,)

    def setup(self, table: Pen) -> None:
        table.place(Zone("pile", Sight.NONE), tuple(range(4, CARDS)))
        table.place(Zone("stall"), (0, 1, 2, 3))
        for seat in range(table.state.seats):
            table.place(Zone(f"hand/{seat}", Sight.OWNER, seat, loose=True))
        table.shuffle("pile")
        table.say("The market opens.")
        table.ask(0, "buy")

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        if ask.what == "bid":
            return (Offer("bid", choices=("1", "2", "3")),)
        verbs = tuple(Offer(verb) for verb in ("draw", "glance", "roll", "mix", "bids", "stop"))
        return (one("take", state.cards["stall"], (f"hand/{ask.seat}",)), *verbs)

    def play(self, table: Pen, seat: int, move: Move) -> None:
        match move.verb:
            case "take":
                table.say("{seat} takes {card}.", move.cards[0], seat=seat)
                table.move(move.cards[0], "stall", move.target)
            case "draw":
                (card,) = table.draw("pile", f"hand/{seat}")
                table.say("{seat} draws {card}.", card, seat=seat)
            case "glance":  # turned up and down again: seen all the same
                card = table.state.cards["pile"][-1]
                table.show("pile", card)
                table.show("pile", card, ())
            case "roll":
                table.roll("die", 6)
            case "mix":
                table.shuffle("pile")
            case "bids":
                table.then(NextTurn(seat))
                for bidder in range(table.state.seats):
                    table.ask(bidder, "bid", sealed=True)
                return
            case "bid":
                table.set(f"bid/{seat}", move.choice)
                return
            case _:
                table.end(Result((seat,), (1, 0)))
                return
        table.ask((seat + 1) % table.state.seats, "buy")

    def resume(self, table: Pen, step: NextTurn) -> None:
        table.ask((step.seat + 1) % table.state.seats, "buy")

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        if card in state.cards[f"hand/{ask.seat}"]:
            return Reason("You have this card already.", {}, "1")
        return None

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        seen = sum(card >= 0 for held in state.cards.values() for card in held)
        return Preview({"seen": seen}, (Remark("A card comes to hand."),))


MARKET = toy_kit(Market(), (0,) * CARDS)


class Notebook:
    """A journal in memory that remembers how the match stood when it was written to."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.plies: list[int] = []
        self.match: Match | None = None
        self.full = False

    def write(self, entry: Entry, events: object = ()) -> None:
        if self.full:
            raise OSError("full")
        self.entries.append(entry)
        self.plies.append(self.match.state.ply if self.match else -1)


def market(seats: int = 2, journal: Notebook | None = None, seed: str = "m") -> Match:
    players = [Player(name) for name in ("Ann", "Bea", "Cho")[:seats]]
    match = Match(MARKET, players, None, seed)
    if journal:
        match.journal, journal.match = journal, match
    return match


def answer(match: Match, seat: int, verb: str, **rest: object) -> None:
    (ask,) = match.asks(seat)
    match.submit(seat, Move(ask.id, verb, **rest))


def take(match: Match, seat: int, card: int) -> None:
    answer(match, seat, "take", cards=(card,), target=f"hand/{seat}")


# Playing


def test_a_match_without_a_seed_takes_a_new_one():
    first, second = (Match(MARKET, [Player("Ann"), Player("Bea")]) for _ in "ab")
    assert len(first.seed) == 32
    assert first.seed != second.seed


@pytest.mark.parametrize("seed", [7, 0])
def test_a_seed_that_no_record_can_hold_is_refused(seed):
    with pytest.raises(TypeError, match=f'A seed is text: "{seed}", not {seed}.'):
        Match(MARKET, [Player("Ann"), Player("Bea")], seed=seed)


def test_the_same_seed_gives_the_same_match():
    assert market(seed="a").plies == market(seed="a").plies
    assert market(seed="a").state != market(seed="b").state


def test_a_move_is_played_and_the_turn_passes():
    match = market()
    take(match, 0, 2)
    assert match.state.cards["hand/0"] == (2,)
    assert match.state.cards["stall"] == (0, 1, 3)
    assert match.asks(0) == ()
    assert [ask.what for ask in match.asks(1)] == ["buy"]
    assert match.record == [Entry(0, Move(0, "take", (2,), "hand/0"))]


@pytest.mark.parametrize(
    ("seat", "move", "text"),
    [
        (1, Move(0, "draw"), "It's not your turn."),
        (0, Move(7, "draw"), "It's not your turn."),
        (0, Move(0, "steal"), "The rules do not allow this now."),
        (0, Move(0, "take", (9,), "hand/0"), "The rules do not allow this now."),
        (0, Move(0, "take", (1,), "hand/1"), "The rules do not allow this now."),
    ],
)
def test_a_refused_move_changes_and_records_nothing(seat, move, text):
    journal = Notebook()
    match = market(journal=journal)
    told = []
    match.add_listener(0, told.append)
    before = match.state
    with pytest.raises(Illegal) as refused:
        match.submit(seat, move)
    assert refused.value.reason.text == text
    assert match.state is before
    assert (told, journal.entries, match.record) == ([], [], [])


def test_a_refusal_gives_the_games_own_reason():
    match = market()
    take(match, 0, 2)
    take(match, 1, 1)
    with pytest.raises(Illegal, match="You have this card already") as refused:
        take(match, 0, 2)
    assert refused.value.reason.paragraph == "1"


def test_nothing_is_played_once_the_game_is_over():
    match = market()
    answer(match, 0, "stop")
    assert match.state.result == Result((0,), (1, 0))
    with pytest.raises(Illegal, match="The game is over"):
        match.submit(1, Move(1, "draw"))


def test_sealed_answers_wait_for_each_other():
    match = market()
    answer(match, 0, "bids")
    answer(match, 0, "bid", choice="3")
    assert match.asks(0) == ()
    assert match.offers(0) == {}
    assert "bid/0" not in match.state.values
    assert match.view(1).answers == {1: None}
    with pytest.raises(Illegal, match="You have already answered"):
        match.submit(0, Move(1, "bid", choice="1"))
    answer(match, 1, "bid", choice="1")
    assert match.state.values == {"bid/0": "3", "bid/1": "1"}
    assert [ask.what for ask in match.asks(1)] == ["buy"]


# The journal


def test_the_journal_has_a_move_before_anything_changes():
    journal = Notebook()
    match = market(journal=journal)
    recorded = []
    match.add_listener(AUDIENCE, lambda message: recorded.append(len(journal.entries)))
    take(match, 0, 0)
    answer(match, 1, "roll")
    assert journal.plies == [0, 1]
    assert recorded == [1, 2]
    assert journal.entries == match.record


def test_a_journal_that_fails_leaves_the_match_as_it_was():
    journal = Notebook()
    match = market(journal=journal)
    take(match, 0, 0)
    before = match.state
    journal.full = True
    with pytest.raises(OSError, match="full"):
        take(match, 1, 1)
    with pytest.raises(OSError, match="full"):
        match.undo(0)
    assert match.state is before
    assert len(match.record) == 1
    match.journal = None
    take(match, 1, 1)
    assert match.state.cards["hand/1"] == (1,)


# Taking back


def test_the_mover_takes_back_what_told_nothing_new():
    journal = Notebook()
    match = market(journal=journal)
    before = match.state
    take(match, 0, 3)
    assert match.can_undo(0)
    assert not match.can_undo(1)
    match.undo(0)
    assert match.state == before
    assert match.undone_plies == 1
    assert journal.entries[-1] == Entry(undo=1)
    assert [said.text for said in match.log(0)] == ["The market opens."]


@pytest.mark.parametrize("verb", ["draw", "glance", "roll", "mix"])
def test_what_was_drawn_glanced_at_rolled_or_shuffled_stays(verb):
    match = market()
    answer(match, 0, verb)
    assert not match.can_undo(0)
    with pytest.raises(Illegal, match="revealed, drawn or rolled"):
        match.undo(0)
    match.undo(None)  # by consent of all
    assert len(match.plies) == 1


def test_nobody_takes_back_the_move_of_another():
    match = market()
    take(match, 0, 3)
    with pytest.raises(Illegal, match="wasn't yours"):
        match.undo(1)


def bidding(seats: int = 3, journal: Notebook | None = None) -> Match:
    """All are to bid in secret."""
    match = market(seats, journal)
    answer(match, 0, "bids")
    return match


def test_a_sealed_answer_is_withdrawn_after_others_answered():
    journal = Notebook()
    match = bidding(journal=journal)
    answer(match, 0, "bid", choice="1")
    answer(match, 1, "bid", choice="2")
    assert match.can_undo(0)
    assert match.can_undo(1)
    assert not match.can_undo(2)
    match.undo(0)
    assert journal.entries[-1] == Entry(0, withdraw=True)
    assert [move.choice for move in match.state.answers.values()] == ["2"]
    answer(match, 2, "bid", choice="3")
    assert match.state.values == {}, "one is still missing"
    answer(match, 0, "bid", choice="3")
    assert match.state.values == {"bid/0": "3", "bid/1": "2", "bid/2": "3"}
    assert match.undone_plies == 0
    with pytest.raises(Illegal, match="wasn't yours"):
        match.undo(1)


def test_a_withdrawal_is_undone_by_consent_only():
    match = bidding()
    answer(match, 0, "bid", choice="1")
    match.undo(0)
    with pytest.raises(Illegal, match="nothing to undo"):
        match.undo(0)
    match.undo(None)
    assert match.state.answers
    match.undo(None)
    match.undo(None)
    assert len(match.plies) == 1


def test_a_withdrawal_tells_the_others_nothing_of_the_answer():
    told = []
    for choice in "12":
        match = bidding()
        answer(match, 0, "bid", choice=choice)
        heard = []
        for viewer in (AUDIENCE, 1, 2):
            match.add_listener(viewer, heard.append)
        match.undo(0)
        told.append(heard)
    assert told[0] == told[1]
    assert all(isinstance(message, Update) for message in told[0]), "nobody's table begins afresh"


def test_a_record_with_a_withdrawal_is_repeated():
    match = bidding()
    answer(match, 1, "bid", choice="1")
    answer(match, 2, "bid", choice="1")
    match.undo(1)
    answer(match, 0, "bid", choice="2")
    answer(match, 1, "bid", choice="3")
    twin = market(3)
    for entry in match.record:
        twin.restore(entry)
    assert twin.plies == match.plies
    assert twin.record == match.record
    with pytest.raises(Illegal, match="None of your answers"):
        twin.restore(Entry(1, withdraw=True))


def test_the_deal_is_not_taken_back():
    match = market()
    for seat in (0, None):
        with pytest.raises(Illegal, match="nothing to undo"):
            match.undo(seat)


def test_after_a_take_back_the_dice_fall_anew():
    faces = set()
    for takebacks in range(12):
        match = market()
        for _ in range(takebacks):
            take(match, 0, 0)
            match.undo(0)
        answer(match, 0, "roll")
        faces.add(next(event.faces for event in match.plies[-1].events if hasattr(event, "faces")))
    assert len(faces) > 1


# Repeating a record


def test_a_replayed_record_gives_the_same_match():
    match = market()
    take(match, 0, 3)
    match.undo(0)
    answer(match, 0, "draw")
    take(match, 1, 1)
    match.undo(None)
    answer(match, 1, "roll")
    twin, journal = market(), Notebook()
    twin.journal = journal
    for entry in match.record:
        twin.restore(entry)
    assert twin.plies == match.plies
    assert twin.undone_plies == match.undone_plies == 2
    assert twin.record == match.record
    assert all(twin.log(viewer) == match.log(viewer) for viewer in match.viewers)
    assert journal.entries == []


def test_a_match_that_spares_its_tables_takes_back_as_far_as_any():
    plain, sparing = market(), market()
    for number in range(4 * MAX_CACHED_PLIES):
        for match in (plain, sparing):
            if number == 5:
                match.undo(None)
            answer(match, match.state.asks[0].seat, ("draw", "roll", "mix")[number % 3])
        sparing.limit_memory()
    for _ in range(2 * MAX_CACHED_PLIES):
        plain.undo(None)
        sparing.undo(None)
        assert sparing.state == plain.state
    assert sparing.plies == plain.plies
    assert all(sparing.make_reset(viewer) == plain.make_reset(viewer) for viewer in plain.viewers)


@pytest.mark.parametrize(
    "entry", [Entry(undo=1), Entry(undo=-1), Entry(1, Move(0, "draw")), Entry(0, Move(0, "fly"))]
)
def test_an_entry_that_does_not_fit_is_refused(entry):
    match = market()
    with pytest.raises(Illegal):
        match.restore(entry)
    assert len(match.plies) == 1
    assert match.record == []


def test_a_repeated_take_back_is_told_to_the_seats():
    match = market()
    seat = Seat.at_table(match, 1)
    take(match, 0, 3)
    match.restore(Entry(undo=1))
    assert seat.view == match.view(1)


# Updates


def test_each_viewer_hears_what_it_may_know():
    match = market()
    heard = {viewer: [] for viewer in match.viewers}
    for viewer, messages in heard.items():
        match.add_listener(viewer, messages.append)
    answer(match, 0, "draw")
    (drawn,) = match.state.cards["hand/0"]
    for viewer, (update,) in heard.items():
        (said,) = [event for event in update.events if isinstance(event, Said)]
        assert said.cards == ((drawn,) if viewer == 0 else (hidden_card(0),))
        assert update.ply == 1
        assert bool(update.offers) == (viewer == 1)
        assert match.log(viewer)[-1] == said


def test_a_listener_that_answers_at_once_keeps_the_order_for_all():
    match = market(3)

    def eager(message: Update | Reset) -> None:
        if match.asks(1):
            answer(match, 1, "draw")

    match.add_listener(1, eager)
    seats = [Seat.at_table(match, viewer) for viewer in match.viewers]
    heard = []
    match.add_listener(2, lambda message: heard.append(message.ply))
    take(match, 0, 0)
    assert heard == [1, 2]
    assert all(seat.view == match.view(seat.number) for seat in seats)


def test_a_failing_listener_keeps_nothing_from_others(faults):
    kit = catalogue.load("sun")
    journal = Notebook()
    match = Match(kit, [Player("Ann"), Player("Bea")], seed="faults")
    match.journal = journal

    def broken(message: Update | Reset) -> None:
        raise Illegal(Reason("This is no refusal of the move."))

    heard = {viewer: [] for viewer in match.viewers}
    seats = []
    for viewer in match.viewers:
        match.add_listener(viewer, broken)
        seats.append(Seat.at_table(match, viewer))
        seats[-1].on_update(broken)
        seats[-1].on_update(heard[viewer].append)
        match.add_listener(viewer, broken)
    bot = RandomBot("faults")
    while match.state.result is None:
        for seat in seats[1:]:
            for ask in match.asks(seat.number):
                seat.send(bot.answer(seat, ask))  # and is never refused
        assert all(seat.view == match.view(seat.number) for seat in seats)
    plies = [ply.state.ply for ply in match.plies[1:]]
    assert len(plies) == len(journal.entries) == len(match.record) > 20
    assert all([message.ply for message in told] == plies for told in heard.values())
    assert len(faults) == 3 * len(match.viewers) * len(plies)


# Links


def test_a_link_tells_its_listeners_once_it_is_up_to_date():
    match = market()
    seat = Seat.at_table(match, 1)
    seen = []
    stop = seat.on_update(lambda message: seen.append((type(message), seat.view == match.view(1))))
    take(match, 0, 0)
    match.undo(0)
    stop()
    take(match, 0, 1)
    assert seen == [(Update, True), (Reset, True)]


def test_a_closed_link_hears_nothing_more():
    match = market()
    seat = Seat.at_table(match, 0)
    heard = []
    seat.on_update(heard.append)
    seat.close()
    take(match, 0, 0)
    assert heard == []
    assert seat.view.ply == 0


def test_a_seat_is_refused_at_once():
    seat, refusals = Seat.at_table(market(), 1), []
    seat.on_refusal(refusals.append)
    seat.send(Move(0, "draw"))
    seat.undo()
    assert refusals == [NOT_ASKED, NOTHING_TO_UNDO]
    assert seat.pending is None


def test_why_and_preview_are_worked_out_from_the_seats_own_view():
    match = market()
    seat = Seat.at_table(match, 0)
    assert match.explain_refusal(0, 0, 5) is None
    assert match.explain_refusal(0, 9, 5) is None
    preview = seat.preview(Move(0, "take", (1,), "hand/0"))
    assert preview == Preview({"seen": 4}, (Remark("A card comes to hand."),))
    assert seat.preview(Move(0, "take", (9,), "hand/0")) is None
    assert seat.preview(Move(9, "draw")) is None
    take(match, 0, 1)
    take(match, 1, 0)
    assert seat.explain_refusal(1) == Reason("You have this card already.", {}, "1")


# Conceding


def test_a_concession_ends_the_match_and_all_others_have_won():
    match, heard = market(3), []
    match.add_listener(1, heard.append)
    match.concede(1)
    result = match.state.result
    assert result.winners == (0, 2)
    assert result.scores == ()
    assert (result.decided, result.args) == ("{seat} conceded.", {"seat": 1})
    assert match.record == [Entry(1, concede=True)]
    assert match.state.asks == ()
    assert match.log(AUDIENCE)[-1] == Said("{seat} concedes.", (), {"seat": 1})
    assert [type(message) for message in heard] == [Update]
    assert heard[0].offers == {}


def test_who_is_not_asked_may_concede_too():
    match = market()
    assert match.asks(1) == ()
    match.concede(1)
    assert match.state.result.winners == (0,)


def test_alone_one_gives_up_and_nobody_has_won():
    kit = catalogue.load("chains")
    match = Match(kit, [Player("Ann")], catalogue.options(kit), "alone")
    match.concede(0)
    assert match.state.result.winners == ()


def test_a_concession_is_never_taken_back():
    match = market()
    take(match, 0, 0)
    match.concede(0)
    for seat in (0, 1, None):
        assert not match.can_undo(seat)
        with pytest.raises(Illegal, match="can't undo after conceding"):
            match.undo(seat)
    with pytest.raises(Illegal):
        match.restore(Entry(undo=1))
    assert match.state.result is not None


def test_nobody_concedes_what_is_over():
    match = market()
    match.concede(0)
    with pytest.raises(Illegal, match="The game is over"):
        match.concede(1)
    assert len(match.record) == 1


def test_a_concession_is_journaled_before_anybody_hears_of_it():
    journal = Notebook()
    match, told = market(journal=journal), []
    match.add_listener(AUDIENCE, lambda _: told.append(list(journal.entries)))
    match.concede(1)
    assert told == [[Entry(1, concede=True)]]
    journal.full = True
    again = market(journal=journal)
    with pytest.raises(OSError, match="full"):
        again.concede(0)
    assert again.state.result is None
    assert again.record == []


def test_a_concession_is_restored():
    match, again = market(), market()
    take(match, 0, 0)
    match.concede(1)
    for entry in match.record:
        again.restore(entry)
    assert again.state == match.state
    assert again.record == match.record
    with pytest.raises(Illegal):
        again.restore(Entry(0, concede=True))
