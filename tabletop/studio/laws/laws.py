"""The laws of docs/laws.md as functions that raise `AssertionError` if a random game breaks them.

The functions work for any game. The tests run them on every game folder and prove that each law
fails for a game broken on purpose; `tabletop check` runs them on one folder.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

import msgspec
from msgspec.structs import replace

from tabletop.engine.events import Announced, Event, Planned, Said, apply
from tabletop.engine.facts import in_query_order, is_consistent
from tabletop.engine.model import (
    AUDIENCE,
    NO_CARD,
    Ask,
    Move,
    Offer,
    Preview,
    Reason,
    Rng,
    State,
    back_of,
    hidden_card,
    is_face,
)
from tabletop.engine.play import (
    Illegal,
    answer,
    get_query,
    playout,
    proceed,
    reopen,
    start,
    submit,
    waiting_ask,
)
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.engine.table import SeededRng, Table
from tabletop.engine.teams import teams_at
from tabletop.match.match import Reset, Update
from tabletop.protocol.codec import decode_host_message
from tabletop.protocol.codec import encode as encode_message
from tabletop.protocol.messages import TableNews
from tabletop.storage.record_lines import event_lists_from, events_from_lists
from tabletop.studio.laws.player_messages import (
    can_see_face,
    false_facts,
    indistinguishable_turns,
    offers_to,
    revealed_faces,
    update_of,
)
from tabletop.studio.laws.random_games import (
    MAX_ANSWERS,
    GameTable,
    PlayedTurn,
    open_asks,
    sample_answers,
    sample_moves,
    sample_turns,
)

Game = Sequence[PlayedTurn]
Law = Callable[[GameTable, str, Game], None]

encode = msgspec.json.encode


def square(setting: GameTable, seed: str, game: Game) -> None:
    """Assert apply(mask(s), mask_event(e)) == mask(apply(s, e)) for every event and viewer, and
    that masking for all viewers at once yields the same events (law 1).
    """
    viewers = setting.some_viewers(seed)
    for turn in sample_turns(game):
        befores = list(accumulate(turn.events, apply, initial=turn.before))
        assert befores.pop() == turn.after
        told = setting.events_by_viewer(befores, turn.events, viewers)
        for viewer in viewers:
            view = setting.mask(turn.before, viewer)
            afters = [*befores[1:], turn.after]
            for event, sent, state, after in zip(
                turn.events, told[viewer], befores, afters, strict=True
            ):
                heard = setting.mask_event(state, event, viewer)
                view = apply(view, heard)
                assert view == setting.mask(after, viewer), (viewer, event, heard)
                assert sent == heard, (viewer, event, sent, heard)


def silence(setting: GameTable, seed: str, game: Game) -> None:
    """Assert that a masked event names only cards that its viewer sees
    before or after it (law 2).
    """
    for turn in sample_turns(game):
        state = turn.before
        for event in turn.events:
            after = apply(state, event)
            for viewer in setting.some_viewers(seed):
                for card in revealed_faces(setting.mask_event(state, event, viewer)):
                    seen = any(can_see_face(table, viewer, card) for table in (state, after))
                    assert seen, (viewer, event, card)
            state = after


def own_knowledge(setting: GameTable, seed: str, game: Game) -> None:
    """Assert that a seat's own view determines its offers, refusals, and previews of moves, both
    complete and unfinished (law 3).
    """
    rules, chance = setting.game, FastRng(seed)
    for turn in game:
        state = turn.after
        zones = ("", *state.zones, "nowhere")
        for ask in open_asks(state):
            view = setting.mask(state, ask.seat)
            offers = rules.offers(view, ask)
            assert offers == rules.offers(state, ask), (ask, "offers differ")
            for _ in range(12):
                number = chance.below(len(setting.backs) + 2)
                card = number - 1 if number else NO_CARD
                reason = rules.why(view, ask, card, zones[chance.below(len(zones))])
                if reason is not None:
                    assert Illegal(reason).args[0], (ask, reason)
            for offer in offers:
                for move in sample_moves(offer, ask.id, 4, chance):
                    for evaluated in (move, *_leave_spots_empty(offer, move, chance)):
                        preview = rules.preview(view, ask, evaluated)
                        assert preview is None or isinstance(preview, Preview)


def _leave_spots_empty(offer: Offer, move: Move, chance: Rng) -> Iterator[Move]:
    """Yield copies of `move` with some, and with all, of its spots empty."""
    if offer.spots:
        some = tuple(card if chance.below(2) else NO_CARD for card in move.cards)
        for cards in (some, (NO_CARD,) * len(offer.spots)):
            unfinished = replace(move, cards=cards)
            assert offer.begins(unfinished) or unfinished == move
            assert offer.begins(unfinished) != offer.admits(unfinished), (
                "unfinished, but an answer already"
            )
            yield unfinished


def exact(setting: GameTable, seed: str, game: Game) -> None:
    """Assert that every admitted move can be played, every other move is refused, and somebody can
    always move (law 4).
    """
    chance = FastRng(seed)
    for turn in game:
        _can_go_on(setting, turn.after)
    for turn in sample_answers(game, 30):
        before = encode(turn.before)
        for ask in open_asks(turn.before):
            offers = setting.game.offers(turn.before, ask)
            for offer in offers:
                for move in sample_moves(offer, ask.id, 5, chance):
                    assert offer.admits(move), (offer, move)
                    submit(setting.game, turn.before, ask.seat, move, seed)
            _refuses_the_rest(setting, turn.before, ask, offers, chance)
        assert encode(turn.before) == before, "the table was changed by hand"


def _can_go_on(setting: GameTable, state: State) -> None:
    """Assert that at least one mandatory question can be answered, and that every sealed question
    can, because all sealed answers are needed.
    """
    if state.result is not None:
        return
    waiting = [ask for ask in open_asks(state) if not ask.optional]
    ready = [
        ask
        for ask in waiting
        if any(next(offer.moves(ask.id), None) for offer in setting.game.offers(state, ask))
    ]
    assert ready, "nobody can move"
    assert all(ask in ready for ask in waiting if ask.sealed), "a sealed answer can never come"


def _refuses_the_rest(
    setting: GameTable, state: State, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> None:
    move = offers[chance.below(len(offers))].sample(ask.id, chance)
    cards = len(setting.backs)
    others = [
        replace(move, ask=state.asked + 1),
        replace(move, verb="juggle"),
        replace(move, target="nowhere"),
        replace(move, choice="never"),
        replace(move, cards=(*move.cards, cards)),
        *(replace(move, cards=(*move.cards, card)) for card in (AUDIENCE, NO_CARD, hidden_card(0))),
        replace(move, cards=move.cards * 2 or (0,)),
        replace(move, cards=move.cards[1:]),
        *(replace(move, cards=(chance.below(cards), *move.cards[1:])) for _ in range(3)),
        *(replace(move, target=zone) for zone in list(state.zones)[: chance.below(8) + 1]),
    ]
    for other in others:
        if other.ask == ask.id and any(offer.admits(other) for offer in offers):
            continue
        _is_refused(setting, state, ask.seat, other)
    for seat in range(setting.seats):
        if seat != ask.seat:
            _is_refused(setting, state, seat, move)


def _is_refused(setting: GameTable, state: State, seat: int, move: Move) -> None:
    reason: object = None
    try:
        submit(setting.game, state, seat, move, "refused")
    except Illegal as refused:
        reason = refused.reason
    assert isinstance(reason, Reason), (seat, move, "is offered nowhere, and was played")
    assert reason.text, (seat, move)


def replay(setting: GameTable, seed: str, game: Game) -> None:
    """Assert that the same seed and the same serialised moves give an equal table and equal events
    (law 5).
    """
    rules = setting.game
    table = start(rules, setting.seats, seed, setting.backs, dict(setting.options))
    for turn in game:
        if turn.move is not None and turn.seat is not None:
            move = msgspec.json.decode(encode(turn.move), type=Move)
            table = submit(rules, table.state, turn.seat, move, seed)
        assert tuple(table.events) == turn.events
        assert table.state == turn.after


def determinize(setting: GameTable, seed: str, game: Game) -> None:
    """Assert that a determinized world masks back to the view that it was made from, agrees with
    all announcements, and can be played to the end (law 6).
    """
    for turn in sample_answers(game, 8):
        for viewer in setting.some_viewers(seed):
            view = setting.mask(turn.before, viewer)
            chance = FastRng(f"{seed}/{turn.before.ply}/{viewer}")
            world = setting.determinized(setting.game, view, chance)
            assert world.viewer is None
            held = sorted(card for cards in world.cards.values() for card in cards)
            assert held == list(range(len(setting.backs))), "not a whole table"
            assert setting.mask(world, viewer) == view, f"not what {viewer} sees"
            assert not false_facts(setting, world, viewer), "not what was announced"
            playout(setting.game, SimulationTable(world, chance), MAX_ANSWERS)


def conserve(setting: GameTable, seed: str, game: Game) -> None:
    """Assert that each card is in exactly one zone, and that every view shows the same number of
    cards per back in each zone (law 7).
    """
    for turn in sample_turns(game):
        state = turn.before
        for event in turn.events:
            state = apply(state, event)
            held = [card for cards in state.cards.values() for card in cards]
            assert len(set(held)) == len(held), (event, "a card is in two places")
        assert sorted(held) == list(range(len(setting.backs))), "a card was lost"
        for viewer in setting.some_viewers(seed):
            view = setting.mask(state, viewer)
            for zone, cards in state.cards.items():
                backs = sorted(setting.backs[card] for card in cards)
                lying = (setting.backs[c] if is_face(c) else back_of(c) for c in view.cards[zone])
                assert sorted(lying) == backs, zone


def codec(setting: GameTable, seed: str, game: Game) -> None:
    """Assert that everything that is sent or saved decodes to an equal value (law 8)."""
    for turn in sample_turns(game):
        _reads_back(turn.after, State)
        for event in turn.events:
            _reads_back(event, Event)
        for ask in turn.after.asks:
            offers = setting.game.offers(turn.after, ask)
            _reads_back(offers, tuple[Offer, ...])
        if turn.move is not None:
            _reads_back(turn.move, Move)
        for viewer in setting.some_viewers(seed):
            update = update_of(setting, turn, viewer)
            _reads_back(update, Update | Reset)
            kept = msgspec.json.decode(encode(event_lists_from(update.events, answers=True)))
            assert events_from_lists(kept) == tuple(
                e for e in update.events if not isinstance(e, Planned)
            )
            view = setting.mask(turn.after, viewer)
            log = tuple(event for event in turn.events if isinstance(event, Said))
            reset = Reset(view, log, offers_to(setting, view, viewer))
            _reads_back(reset, Update | Reset)
            message = TableNews(1, {viewer: update, setting.seats: reset})
            assert decode_host_message(encode_message(message)) == message


def _reads_back(thing: object, kind: object) -> None:
    assert msgspec.json.decode(encode(thing), type=kind) == thing


def ends(setting: GameTable, seed: str, game: Game) -> None:
    """Assert that random play ends from every position (law 9)."""
    assert game[-1].after.result is not None
    for turn in sample_answers(game, 5):
        playout(setting.game, SimulationTable(turn.before, FastRng(seed)), MAX_ANSWERS)


def two_worlds(setting: GameTable, seed: str, game: Game) -> None:
    """Assert that a viewer who can't distinguish two tables gets byte-equal updates from them after
    a move (law 10).
    """
    chance = FastRng(seed)
    for turn in sample_answers(game, 40):
        for viewer in setting.some_viewers(seed):
            here = _messages(setting, turn, viewer)
            for pair, other in indistinguishable_turns(setting, turn, viewer, seed, chance):
                assert setting.mask(turn.before, viewer) == setting.mask(other.before, viewer)
                elsewhere = _messages(setting, other, viewer)
                assert here == elsewhere, (viewer, pair, turn.move, here, elsewhere)


def _messages(setting: GameTable, turn: PlayedTurn, viewer: int) -> list[bytes]:
    """Return the encoded update, view and previews of some moves that
    `viewer` receives after `turn`.
    """
    view = setting.mask(turn.after, viewer)
    update = update_of(setting, turn, viewer)
    messages = [encode(update), encode(view)]
    for ask in open_asks(view):
        for offer in update.offers.get(ask.id, ()):
            for move in sample_moves(offer, ask.id, 3, FastRng(0)):
                for evaluated in (move, *_leave_spots_empty(offer, move, FastRng(0))):
                    messages.append(encode(setting.game.preview(view, ask, evaluated)))
    return messages


def pens(setting: GameTable, seed: str, game: Game) -> None:
    """Assert that rules reach the same state with a simulation table as with
    the recording pen (law 11).
    """
    scratch = SimulationTable(setting.blank, SeededRng(seed, 0, 0))
    setting.game.setup(scratch)
    proceed(setting.game, scratch)
    for turn in game:
        if turn.move is not None:
            number = turn.move.ask
            ask = next(ask for ask in scratch.asks if ask.id == number)
            scratch.chance = SeededRng(seed, turn.before.ply + 1, 0)
            answer(setting.game, scratch, ask, turn.move)
        assert scratch.frozen() == turn.after
        for ask in open_asks(turn.after):
            assert setting.game.offers(scratch, ask) == setting.game.offers(turn.after, ask)
        twin = scratch.clone()
        assert twin.frozen() == turn.after


def second_thoughts(setting: GameTable, seed: str, game: Game) -> None:
    """Assert that withdrawing a sealed answer before it is opened restores the state before the
    answer (law 12).
    """
    waiting = [turn for turn in game if turn.move is not None and turn.after.answers]
    for turn in sample_answers(waiting, 12):
        state = turn.after
        for seat in range(setting.seats):
            old = waiting_ask(state, seat)
            if old is None:
                continue
            table = reopen(state, seat)
            (new,) = (a for a in table.state.asks if a.seat == seat and a.id >= state.asked)
            assert _renumber(table.state, new, old) == replace(
                _renumber(state, old, old),
                answers={n: move for n, move in state.answers.items() if n != old.id},
            )
            assert setting.game.offers(table.state, new) == setting.game.offers(state, old)
            _reveals_nothing(setting, state, table, seed)
            withdrawn = state.answers[old.id]
            assert withdrawn is not None
            again = replace(withdrawn, ask=new.id)
            given = submit(setting.game, table.state, seat, again, seed)
            assert given.state.answers.keys() == {*state.answers, new.id} - {old.id}
            playout(setting.game, SimulationTable(given.state, FastRng(seed)), MAX_ANSWERS)


def _renumber(state: State, ask: Ask, number: Ask) -> State:
    """Return `state` with the ID of `ask` changed to that of `number`, and with sorted
    questions."""
    asks = tuple(replace(a, id=number.id) if a == ask else a for a in state.asks)
    return replace(state, asks=tuple(sorted(asks, key=lambda a: a.id)), asked=0)


def _reveals_nothing(setting: GameTable, state: State, table: Table, seed: str) -> None:
    """Assert that all viewers receive the same events of a withdrawal, and that the events decode
    to equal values.
    """
    for viewer in setting.some_viewers(seed):
        view, before = setting.mask(state, viewer), state
        for event in table.events:
            heard = setting.mask_event(before, event, viewer)
            assert heard == event
            assert not revealed_faces(heard)
            _reads_back(heard, Event)
            view, before = apply(view, heard), apply(before, event)
        assert view == setting.mask(table.state, viewer)


def partners(setting: GameTable, seed: str, game: Game) -> None:
    """Assert that teams are always public, and that partners get the same result (law 17)."""
    for turn in sample_turns(game):
        teams = [f"team/{seat}" in turn.after.values for seat in range(setting.seats)]
        assert all(teams) or not any(teams), "only some seats have a team"
    result = game[-1].after.result
    if result is None:
        return
    for team in teams_at(game[-1].after):
        ends = [
            (
                seat in result.winners,
                result.scores[seat : seat + 1],
                *(line.points[seat] for line in result.sheet),
            )
            for seat in team
        ]
        assert ends == ends[:1] * len(team), (team, "partners end differently")


def true_facts(setting: GameTable, seed: str, game: Game) -> None:
    """Assert that announcements about hidden cards are true, and stay true as long as they are
    remembered (law 19).
    """
    query = get_query(setting.game)
    for turn in game:
        state = turn.before
        for event in turn.events:
            if isinstance(event, Announced):
                assert query is not None, "`announce` without `query`"
                fact = event.fact
                cards = in_query_order(fact.places, event.cards)
                answer = query(fact.question, cards, fact.args)
                assert fact.answer == answer, (fact.question, cards, "is announced wrongly")
            state = apply(state, event)
            if state.facts and query is not None:
                for fact in state.facts:
                    assert is_consistent(fact, state, query), (fact, "is not true any more")


LAWS: tuple[Law, ...] = (
    square,
    silence,
    own_knowledge,
    exact,
    replay,
    determinize,
    conserve,
    codec,
    ends,
    two_worlds,
    pens,
    second_thoughts,
    partners,
    true_facts,
)
