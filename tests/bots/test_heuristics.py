"""Every game's heuristic: legal moves, honest guesses, shares of one victory; and levels on top."""

from itertools import permutations

import pytest

from tabletop.bots.agent import open_questions
from tabletop.bots.decision import LEVELS, Question
from tabletop.bots.memory import Memory
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.engine.heuristic import Past, every, remembering
from tabletop.engine.mask import mask
from tabletop.engine.play import answer, start
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.games.royale.attack import evasion_of, hit_values, opponent_of, usable_weapons_at
from tabletop.games.royale.bot.fighters import hit_probability
from tabletop.games.royale.bot.pass_inference import unlikely_cards
from tabletop.games.royale.effects import RANGES, SNIPED
from tabletop.games.royale.places import CHARACTER, HAND, ITEMS, RANK, SCORE
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.studio.tournament.arena import plan_matches, play_match
from tests.game_folders import laid

TABLES = [
    (kit.id, seats)
    for kit in catalogue.load_all().games
    for seats in sorted({kit.box.seats[0], kit.box.seats[-1], min(4, kit.box.seats[-1])})
]


WORTH_ALONE = """class Heuristic:
    def worth(self, table):
        scores = [1 + table.values.get(f"score/{seat}", 0) for seat in range(table.seats)]
        return [score / sum(scores) for score in scores]
"""


def legal(game, state, ask, move) -> bool:
    return any(offer.admits(move) for offer in game.offers(state, ask))


@pytest.mark.parametrize("level", LEVELS)
def test_a_heuristic_of_worth_alone_plays(tmp_path, level):
    folder = laid(tmp_path / "pond")
    (folder / "bot.py").write_text(WORTH_ALONE, "utf-8")
    agreements.add_own_folder(folder)
    (known,) = game_folders.add(folder)
    kit = catalogue.load(known.id)
    agent = make_agent(catalogue.load_bot_parts, kit.id)
    state = start(kit.rules, 2, "alone", kit.backs, catalogue.options(kit)).state
    ask = state.asks[0]
    view = mask(state, ask.seat)
    offers = kit.rules.offers(view, ask)
    question = Question(kit.id, level, view, ask, offers, seed="1", tries=20)
    assert legal(kit.rules, state, ask, think(agent, question, lambda: False).move)
    assert agent.worth(state) == [0.5, 0.5]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_heuristic_keeps_the_rules_and_shares_one_victory(name, seats):
    kit = catalogue.load(name)
    game, heuristic = make_agent(catalogue.load_bot_parts, name)
    luck = FastRng("instinct")
    begun = start(game, seats, "instinct", kit.backs, catalogue.options(kit)).state
    table = SimulationTable(begun, luck)
    for ply in range(600):
        if table.result is not None:
            break
        ask = open_questions(table)[0]
        move = heuristic.answer(table, ask, luck)
        assert legal(game, table, ask, move)
        if ply % 11 == 0:
            shares = heuristic.worth(table)
            assert len(shares) == seats
            assert all(0 <= share <= 1.000001 for share in shares)
            assert seats == 1 or sum(shares) == pytest.approx(1)
            considered = heuristic.moves(table, ask, luck)
            assert 0 < len(considered) <= 600
            assert all(legal(game, table, ask, other) for other in considered)
        answer(game, table, ask, move)
    assert len(heuristic.worth(table)) == seats


def test_remembered_cards_stay_while_hidden_ones_do():
    kit = catalogue.load("sisters")
    begun = start(kit.rules, 3, "memory", kit.backs, catalogue.options(kit)).state
    view, hand, deck = mask(begun, 0), begun.cards["hand/2"], begun.cards["stack/2"]
    assert remembering(view, dict.fromkeys(hand, "hand/2")).cards["hand/2"] == hand
    told = remembering(view, dict.fromkeys(deck, "hand/2")).cards["hand/2"]
    assert len(told) == len(hand)
    assert set(told) < set(deck), "no more than there is room for"
    own = begun.cards["hand/0"][0]
    assert remembering(view, {own: "hand/2"}).cards == view.cards, "it is seen elsewhere"
    assert remembering(view, {deck[0]: "field/0"}).cards == view.cards, "all is seen there"


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_guess_is_a_table_that_the_view_could_be_of(name, seats):
    kit = catalogue.load(name)
    _, heuristic = make_agent(catalogue.load_bot_parts, name)
    players = [Player("")] * seats
    match = Match(kit, players, catalogue.options(kit), "guess")
    sitting = [Seat.at_table(match, number) for number in range(seats)]
    memories = [Memory() for _ in players]
    luck = FastRng("guess")
    for ply in range(160):
        if match.state.result is not None:
            break
        ask = next(
            a for a in match.state.asks if not a.optional and a.id not in match.state.answers
        )
        seat = sitting[ask.seat]
        past = memories[ask.seat].recall(seat.view, seat.log)
        if ply % 5 == 0:
            world = heuristic.determinize(seat.view, past, luck)
            assert mask(world, ask.seat) == seat.view
            assert world.viewer is None
        seat.send(heuristic.answer(SimulationTable(match.state, luck), ask, luck))


@pytest.mark.parametrize("name", catalogue.names())
def test_every_level_ends_a_match_and_gives_reasons(name):
    kit = catalogue.load(name)
    seats = kit.box.seats[0]
    agent = make_agent(catalogue.load_bot_parts, name)
    options = catalogue.options(kit, {"length": "4"} if name == "royale" else {})
    luck = FastRng("levels")
    match = Match(kit, [Player("")] * seats, options, "levels")
    sitting = [Seat.at_table(match, number) for number in range(seats)]
    while match.state.result is None and match.state.ply < 200:
        ask = next(
            a for a in match.state.asks if not a.optional and a.id not in match.state.answers
        )
        seat = sitting[ask.seat]
        for level in LEVELS if match.state.ply % 9 == 0 else LEVELS[:1]:
            question = Question(name, level, seat.view, ask, seat.offers[ask.id], seed="1", tries=6)
            decision = think(agent, question, lambda: False)
            assert legal(kit.rules, seat.view, ask, decision.move)
            if decision.reason:
                assert decision.reason.text
        seat.send(every(seat.offers[ask.id], ask.id, 8, luck)[0])


def test_a_tournament_is_the_same_every_time():
    kit = catalogue.load("sun")
    planned = plan_matches("sun", catalogue.options(kit), ["normal", "easy"], 2, 3, "again")
    assert [p.seating for p in planned] == [
        ("normal", "easy"),
        ("easy", "normal"),
        ("normal", "easy"),
    ]
    assert planned[0].seed == planned[1].seed != planned[2].seed
    assert play_match(planned[0]) == play_match(planned[0])


def test_who_was_seen_gaining_a_sister_is_guessed_to_hold_her():
    kit = catalogue.load("sisters")
    _, heuristic = make_agent(catalogue.load_bot_parts, "sisters")
    match = Match(kit, [Player("")] * 4, catalogue.options(kit), "memory")
    seats = [Seat.at_table(match, seat) for seat in range(4)]
    luck = FastRng(1)
    while match.state.values["round"] < 4:
        (ask,) = match.state.asks
        seats[ask.seat].send(heuristic.answer(SimulationTable(match.state, luck), ask, luck))
    past = Past(tuple(seats[0].log))
    gained = {said.cards[0] for said in past.heard if said.text.startswith("{seat} gains")}
    hands = match.state.cards
    sure = {c: seat for seat in (1, 2, 3) for c in hands[f"hand/{seat}"] if c in gained}
    assert sure
    for _ in range(10):
        world = heuristic.determinize(seats[0].view, past, luck)
        assert all(card in world.cards[f"hand/{seat}"] for card, seat in sure.items())


def test_cards_seen_leaving_the_field_are_guessed_there():
    """Of Children of the Sun: who counts the cards knows the colours of the shield at the end."""
    kit = catalogue.load("sun")
    _, heuristic = make_agent(catalogue.load_bot_parts, "sun")
    match = Match(kit, [Player("")] * 2, catalogue.options(kit), "memory")
    seats = [Seat.at_table(match, seat) for seat in (0, 1)]
    luck = FastRng(1)
    while match.state.values["phase"] != "extermination":
        (ask,) = match.state.asks
        seats[ask.seat].send(heuristic.answer(SimulationTable(match.state, luck), ask, luck))
    whole = match.state.cards
    assert whole["stomach"]
    assert whole["bed/1"]
    for _ in range(10):
        world = heuristic.determinize(seats[0].view, Past(tuple(seats[0].log)), luck)
        for zone in ("stomach", "bed/0", "bed/1", "shield"):
            assert set(world.cards[zone]) == set(whole[zone])


def test_who_made_no_magic_is_guessed_to_have_had_no_card_for_it():
    """Of Children of the Sun: the opponent's omissions show what they do not hold."""
    kit = catalogue.load("sun")
    _, heuristic = make_agent(catalogue.load_bot_parts, "sun")
    luck, told = FastRng("refusal"), 0
    for seed in range(40):
        match = Match(kit, [Player("")] * 2, catalogue.options(kit), f"refusal/{seed}")
        seats = [Seat.at_table(match, number) for number in (0, 1)]
        while match.state.values["phase"] != "extermination":
            ask = match.state.asks[0]
            seat = seats[ask.seat]
            missed = heuristic.find_ruled_out_cards(seat.view, Past(tuple(seat.log)))
            if missed and ask.what == "place":
                told += 1
                last = next(s for s in reversed(seat.log) if s.text.startswith("{seat} places"))
                assert last.args["seat"] != ask.seat
                assert last.cards[0] not in missed  # it made none
            seat.send(heuristic.answer(SimulationTable(match.state, luck), ask, luck))
    assert told > 20


def test_range_and_declaration_are_chosen_by_their_odds():
    """Of Sister Royale: a question of one offer with several choices is one to think about."""
    kit = catalogue.load("royale")
    game, heuristic = make_agent(catalogue.load_bot_parts, "royale")
    chosen = 0
    for seed in range(6):
        luck = FastRng(seed)
        begun = start(game, 2, f"range/{seed}", kit.backs, catalogue.options(kit)).state
        table = SimulationTable(begun, luck)
        while table.result is None and table.ply < 400:
            ask = open_questions(table)[0]
            move = heuristic.answer(table, ask, luck)
            if ask.what == "range":
                foe = opponent_of(table, ask.seat)
                odds = heuristic.prospects.odds(table, ask.seat, foe)
                assert odds[move.choice] == max(odds.values())
                chosen += 1
            answer(game, table, ask, move)
    assert chosen > 10


def test_what_a_fight_promises_is_reckoned_by_the_rules():
    """Of Sister Royale (rulebook 6.7): the same means and sums, in battles and out of them."""
    kit = catalogue.load("royale")
    game, heuristic = make_agent(catalogue.load_bot_parts, "royale")
    prospects, compared = heuristic.prospects, 0
    for seed in range(4):
        luck = FastRng(seed)
        begun = start(game, 3, f"sums/{seed}", kit.backs, catalogue.options(kit)).state
        table = SimulationTable(begun, luck)
        while table.result is None and table.ply < 400:
            standing = [seat for seat in range(3) if table.cards[CHARACTER[seat]]]
            for seat, foe in permutations(standing, 2):
                for reach in (*RANGES, SNIPED):
                    harms = {}
                    for card in usable_weapons_at(game.deck, table, seat, reach):
                        means = game.deck.attack[card].perf[reach]
                        need = evasion_of(game.deck, table, foe, card)
                        need -= sum(hit_values(game.deck, table, seat, card, reach))
                        harms[card] = means.attacks * means.damage * hit_probability(need)
                    assert prospects.harms(table, seat, foe, reach) == harms
                    assert prospects.best(table, seat, foe, reach) == max(harms.values(), default=0)
                    compared += len(harms)
            ask = open_questions(table)[0]
            answer(game, table, ask, heuristic.answer(table, ask, luck))
    assert compared > 1000


def test_the_nearer_the_end_the_more_it_is_worth_to_lead_by_rank():
    """Of Sister Royale (rulebook 9): equal points are the rule, and the better rank decides."""
    kit = catalogue.load("royale")
    game, heuristic = make_agent(catalogue.load_bot_parts, "royale")
    table = SimulationTable(start(game, 3, "rank", kit.backs, {"length": 4}).state, FastRng(1))
    ranks = [int(table.values[RANK[seat]]) for seat in range(3)]
    first = ranks.index(min(ranks))
    shares = []
    for turn in (1, 2, 3, 4):
        table.set("turn", turn)
        shares.append(heuristic.worth(table)[first])
    assert shares == sorted(shares)
    assert shares[-1] > 2 * max(
        share for n, share in enumerate(heuristic.worth(table)) if n != first
    )


def test_with_three_a_point_beats_the_better_rank():
    """Of Sister Royale (rulebook 9): a player who retires somebody is ahead of all, at any rank."""
    kit = catalogue.load("royale")
    game, heuristic = make_agent(catalogue.load_bot_parts, "royale")
    table = SimulationTable(start(game, 3, "rank", kit.backs, {"length": 4}).state, FastRng(1))
    last = max(range(3), key=lambda seat: int(table.values[RANK[seat]]))
    for turn in (1, 2, 3, 4):
        table.set("turn", turn)
        table.set(SCORE[last], 0)
        behind = heuristic.worth(table)
        assert behind[last] < max(behind)
        table.set(SCORE[last], 1)
        ahead = heuristic.worth(table)
        assert ahead[last] == max(ahead)
        assert ahead[last] < 0.97


def test_an_unanswered_hit_suggests_no_answer_in_hand():
    """Of Sister Royale, among players who use such a card whenever they can."""
    kit = catalogue.load("royale")
    game, heuristic = make_agent(catalogue.load_bot_parts, "royale")
    luck, told, there, without = FastRng("tells"), 0, 0, 0
    for seed in range(4):
        match = Match(kit, [Player("")] * 3, catalogue.options(kit), f"tells/{seed}")
        seats = [Seat.at_table(match, number) for number in range(3)]
        while match.state.result is None:
            ask = open_questions(SimulationTable(match.state, luck))[0]
            seat = seats[ask.seat]
            if ask.what == "action":
                past = Past(tuple(seat.log))
                missing = {
                    s: cards
                    for s, cards in unlikely_cards(game.deck, past).items()
                    if s != ask.seat
                }
                for number, cards in missing.items():
                    held = {*match.state.cards[HAND[number]], *match.state.cards[ITEMS[number]]}
                    told += bool(cards)
                    assert cards.isdisjoint(held.difference(seat.view.cards[ITEMS[number]]))
                if any(missing.values()):
                    there += determinized_held(heuristic, seat.view, past, missing, luck)
                    without += determinized_held(heuristic, seat.view, Past(), missing, luck)
            seat.send(heuristic.answer(SimulationTable(match.state, luck), ask, luck))
    assert told > 50
    assert 0 < 2 * there < without


def determinized_held(heuristic, view, past, missing, luck) -> int:
    """The number of missing cards that are hidden before their players in three guesses."""
    return sum(
        len(cards.intersection(world.cards[zone]).difference(view.cards[zone]))
        for world in (heuristic.determinize(view, past, luck) for _ in range(3))
        for seat, cards in missing.items()
        for zone in (HAND[seat], ITEMS[seat])
    )
