"""Free tables: what their file allows is done, what it does not is refused; who sees what, how
turns go, how they end; and what is said of a file that is wrong."""

import re
from functools import partial
from pathlib import Path

import pytest

from tabletop.bots.agent import Agent, play_out
from tabletop.catalogue import catalogue
from tabletop.engine.mask import mask
from tabletop.engine.model import Ask, Move, Offer, Reason, State, is_face
from tabletop.engine.play import Illegal, playout, start, submit
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.free_table.components import CounterEntry, read_free_table
from tabletop.free_table.game import read_game
from tabletop.free_table.rules import Rules
from tabletop.games.game_semantics import GameSemantics
from tabletop.games.references import fits
from tabletop.games.typed_toml import BrokenFile, TomlFile
from tabletop.games.wording import Wording
from tabletop.match.match import Match, Player
from tabletop.studio.translation import translation_check

GAMES = ("lantern_fair", "night_ferry", "reef_market", "shell_beach")
FOLDER = Path(__file__).parent


class Played:
    """A free table, and short words for what is done there."""

    def __init__(self, game: str, seats: int = 2, rules: Rules | None = None) -> None:
        kit = catalogue.load(game)
        self.rules = rules or kit.rules
        self.state: State = start(self.rules, seats, "1", kit.backs).state

    def ask(self, seat: int) -> Ask:
        (ask,) = (ask for ask in self.state.asks if ask.seat == seat)
        return ask

    def offers(self, seat: int, verb: str = "") -> list[Offer]:
        offers = self.rules.offers(self.state, self.ask(seat))
        return [each for each in offers if verb in ("", each.verb)]

    def do(
        self, seat: int, verb: str, card: int | None = None, target: str = "", choice: str = ""
    ) -> None:
        cards = () if card is None else (card,)
        move = Move(self.ask(seat).id, verb, cards, target, choice)
        self.state = submit(self.rules, self.state, seat, move, "1").state

    def why_not(self, seat: int, card: int, to: str) -> str:
        reason: Reason | None = self.rules.why(mask(self.state, seat), self.ask(seat), card, to)
        return reason.text if reason is not None else ""

    def zone(self, name: str) -> tuple[int, ...]:
        return self.state.cards[name]


@pytest.fixture
def fair() -> Played:
    return Played("lantern_fair")


@pytest.fixture
def beach() -> Played:
    return Played("shell_beach")


def test_cards_are_dealt_as_the_file_says(fair: Played, beach: Played) -> None:
    assert [len(fair.zone(zone)) for zone in ("hand/0", "hand/1", "market", "deck")] == [
        4,
        4,
        4,
        28,
    ]
    assert all(
        len(beach.zone(f"beach/{row}/{column}")) == 1 for row in range(4) for column in range(4)
    )
    names = [catalogue.load("shell_beach").deck[card]["name"] for card in beach.zone("shore")]
    assert names == ["Nautilus", "Nautilus"]
    assert len(beach.zone("box")) == 2


def test_dice_of_a_zone_are_seen_by_whom_its_faces_are_for(beach: Played) -> None:
    before = beach.zone("bucket/0")
    assert [offer.targets for offer in beach.offers(0, "throw")] == [("bucket/0",)]
    for _ in range(4):
        beach.do(0, "throw", target="bucket/0")
    assert beach.zone("bucket/0") != before
    faces = [catalogue.load("shell_beach").deck[die]["value"] for die in beach.zone("bucket/0")]
    assert all(1 <= face <= 4 for face in faces)
    assert mask(beach.state, 0).cards["bucket/0"] == beach.zone("bucket/0")
    assert not any(map(is_face, mask(beach.state, 1).cards["bucket/0"]))
    beach.do(0, "show", beach.zone("bucket/0")[0], choice="to/1")
    assert [is_face(die) for die in mask(beach.state, 1).cards["bucket/0"]] == [True, False]


def test_the_active_player_must_act_others_may(fair: Played) -> None:
    assert [ask.optional for ask in fair.state.asks] == [False, True]
    late = Move(fair.ask(1).id, "count", (), "coins/1", "-1")
    fair.do(0, "draw", target="deck", choice="hand/0")  # comes first, and the other holds still
    fair.state = submit(fair.rules, fair.state, 1, late, "1").state
    assert (len(fair.zone("hand/0")), fair.state.values["coins/1"]) == (5, 2)
    with pytest.raises(Illegal):
        fair.do(1, "draw", target="deck", choice="hand/1")
    fair.do(0, "done")
    assert fair.state.values["turn"] == 1
    fair.do(1, "draw", target="deck", choice="hand/1")


def test_what_is_drawn_unseen_is_seen_where_faces_lie_open(fair: Played) -> None:
    top = fair.zone("deck")[-1]
    fair.do(0, "draw", target="deck", choice="hand/0")
    assert top in mask(fair.state, 0).cards["hand/0"]
    assert not any(map(is_face, mask(fair.state, 1).cards["hand/0"]))
    fair.do(0, "move", top, "stall/0")
    assert top in mask(fair.state, 1).cards["stall/0"]
    fair.do(0, "turn_down", top)
    assert top not in mask(fair.state, 1).cards["stall/0"]
    fair.do(0, "turn_up", target="stall/0")
    assert top in mask(fair.state, 1).cards["stall/0"]


def test_what_is_shown_or_looked_at_is_seen_until_the_next_act() -> None:
    fair = Played("lantern_fair", 3)
    card, top = fair.zone("hand/1")[0], fair.zone("deck")[-1]
    fair.do(1, "show", card, choice="to/2")
    fair.do(0, "look", target="deck")
    assert card in mask(fair.state, 2).cards["hand/1"]
    assert card not in mask(fair.state, 0).cards["hand/1"]
    assert top in mask(fair.state, 0).cards["deck"]
    assert top not in mask(fair.state, 1).cards["deck"]
    fair.do(1, "count", target="coins/1", choice="+1")
    assert card not in mask(fair.state, 2).cards["hand/1"]
    assert top in mask(fair.state, 0).cards["deck"]
    fair.do(0, "done")
    assert top not in mask(fair.state, 0).cards["deck"]


def test_a_pile_returns_whole_to_where_it_came_from(fair: Played) -> None:
    card = fair.zone("market")[0]
    assert not fair.offers(0, "return")
    fair.do(0, "move", card, "used")
    fair.do(0, "return", target="used")
    assert fair.zone("used") == ()
    assert card in fair.zone("deck")


def test_a_counter_stays_between_its_ends_and_with_its_owner(fair: Played) -> None:
    (offer,) = fair.offers(0, "count")
    assert (offer.targets, offer.choices) == (("coins/0",), ("-1", "+1", "+5"))
    for _ in range(3):
        fair.do(0, "count", target="coins/0", choice="-1")
    (offer,) = fair.offers(0, "count")
    assert offer.choices == ("+1", "+5")


def test_the_match_ends_after_its_rounds_with_a_sheet(fair: Played) -> None:
    fair.do(0, "move", fair.zone("hand/0")[0], "stall/0")
    for _ in range(8):
        fair.do(0, "done")
        fair.do(1, "done")
    result = fair.state.result
    lanterns, coins = result.sheet
    assert coins.points == (3, 3)
    assert lanterns.points[1] == 0 < lanterns.points[0]
    assert result.scores == (3 + lanterns.points[0], 3)
    assert result.winners == (0,)


def test_it_ends_with_the_turn_in_which_the_deck_runs_out(fair: Played) -> None:
    while fair.zone("deck"):
        fair.do(0, "draw", target="deck", choice="hand/1")
    assert fair.state.result is None
    fair.do(0, "done")
    assert fair.state.result.winners == ()  # three coins each: a draw


def test_the_end_is_proposed_and_all_must_agree() -> None:
    fair = Played("lantern_fair", 3)
    fair.do(1, "propose")
    assert {ask.seat for ask in fair.state.asks} == {0, 2}
    fair.do(0, "agree")
    fair.do(2, "decline")
    assert fair.state.result is None
    assert [(ask.seat, ask.what) for ask in fair.state.asks] == [
        (0, "turn"), (1, "meanwhile"), (2, "meanwhile"),
    ]  # fmt: skip
    fair.do(2, "propose")
    fair.do(1, "agree")
    fair.do(0, "agree")
    assert fair.state.result is not None


def test_all_play_together_until_each_is_done(beach: Played) -> None:
    assert [ask.optional for ask in beach.state.asks] == [False, False]
    beach.do(1, "move", beach.zone("shore")[0], "basket/1")
    beach.do(0, "done")
    assert beach.why_not(0, beach.zone("shore")[0], "basket/0") == "Wait for your turn to do that."
    beach.do(1, "done")
    assert beach.state.values["round"] == 2
    assert [ask.optional for ask in beach.state.asks] == [False, False]


def test_dice_laid_aside_are_free_in_the_next_turn(beach: Played) -> None:
    beach.do(0, "roll", target="dice/0")
    first = beach.state.values["dice/0/die1"]
    beach.do(0, "hold", target="dice/0", choice="die/1")
    for _ in range(3):
        beach.do(0, "roll", target="dice/0")
        assert beach.state.values["dice/0/die1"] == first
    assert {offer.verb for offer in beach.offers(0)} == {"done", "propose"}  # five acts a round
    text = "You've used all the actions of a turn: end your turn."
    assert beach.why_not(0, beach.zone("shore")[0], "basket/0") == text
    beach.do(0, "done")
    assert beach.state.values["dice/0/held1"] == 0


def test_a_card_is_refused_where_it_may_not_lie(beach: Played, fair: Played) -> None:
    card = beach.zone("shore")[0]
    assert beach.why_not(0, card, "beach/0/0") == "There's no room left there."
    assert beach.why_not(0, card, "basket/1") == "Only its owner can do that."
    assert fair.why_not(0, fair.zone("market")[0], "deck") == "Nobody can put cards there."
    beach.do(0, "draw", target="beach/0/0", choice="basket/0")
    beach.do(0, "lay", card, "beach/0/0", "down")
    assert card not in mask(beach.state, 0).cards["beach/0/0"]


def test_what_revealed_nothing_is_taken_back() -> None:
    kit = catalogue.load("lantern_fair")
    match = Match(kit, [Player("Ann"), Player("Ben")], seed="1")
    ask, card = match.asks(0)[0], match.state.cards["market"][0]
    match.submit(0, Move(ask.id, "move", (card,), "hand/0"))
    assert match.can_undo(0)
    match.undo(0)
    assert card in match.state.cards["market"]
    match.submit(0, Move(match.asks(0)[0].id, "draw", (), "deck", "hand/0"))
    assert not match.can_undo(0)


@pytest.mark.parametrize("game", GAMES)
def test_bots_end_it_and_touch_nothing_that_is_for_people(game: str) -> None:
    rules, heuristic = catalogue.load_bot_parts(game)
    assert heuristic is not None
    kit = catalogue.load(game)
    state = start(rules, 2, "bots", kit.backs).state
    table, before = SimulationTable(state, FastRng("bots")), state.values
    play_out(Agent(rules, heuristic), table, FastRng("bots"), 8 * 2 * 4 + 1)
    assert table.result is not None
    counters = [name for name in before if name.startswith(("coins", "ferry", "lantern", "tide"))]
    assert [table.values[name] for name in counters] == [before[name] for name in counters]


def test_bots_agree_to_what_others_propose(fair: Played) -> None:
    _, heuristic = catalogue.load_bot_parts("lantern_fair")
    fair.do(0, "propose")
    assert heuristic.answer(fair.state, fair.ask(1), FastRng(1)).verb == "agree"


@pytest.mark.parametrize("game", GAMES)
def test_everything_in_its_folder_has_a_translation(game: str) -> None:
    known = translation_check.translated_texts(FOLDER / game, "ja")
    assert [
        text for text in translation_check.texts_in_folder(FOLDER / game) if text not in known
    ] == []


# A file that is wrong

SMALL = """\
[zone.deck]
kind = "deck"
label = "the deck"
starts = "all"
deal = { hand = 3 }
[zone.hand]
kind = "hand"
label = "{seat}'s hand"
[counter.gold]
label = "{seat}'s gold"
[dice.fate]
label = "the dice"
[[score]]
text = "Gold"
counter = "gold"
"""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('kind = "deck"', 'kind = "dekc"', 'line 2: "dekc" is not known; did you mean "deck"?'),
        ("starts =", "startz =", 'line 4: "startz" is not known; did you mean "starts"?'),
        ("hand = 3", "hnad = 3", 'line 5: "hnad" is not known; did you mean "hand"?'),
        ('"all"', "{ pints = 2 }", 'line 4: "pints" is not known; did you mean "points"?'),
        ('"all"', "{ x = 2 }", 'line 4: "x" is not known: no card has it; there are: name, points'),
        (
            'counter = "gold"',
            'counter = "glod"',
            'line 15: "glod" is not known; did you mean "gold"?',
        ),
        ('counter = "gold"', "", 'line 13: a score needs a "counter" or a "zone"'),
        (
            'counter = "gold"',
            'zone = "deck"',
            'line 15: "deck" belongs to nobody, so it is nobody\'s score',
        ),
        (
            '"all"\n',
            '"all"\ntake = "owner"\n',
            'line 5: "deck" belongs to nobody, so "take" cannot be "owner"',
        ),
        (
            '"all"\n',
            '"all"\nshow = "anybody"\n',
            'line 5: "anybody" is not known; did you mean "nobody"?',
        ),
        (
            "[dice.fate]",
            "[dice.fate]\nsides = 1",
            'line 12: "sides" must be a number from 2 to 1000',
        ),
        (
            "[counter.gold]",
            "[counter.gold]\nstart = -1",
            'line 9: "start" must be a number from "least" to "most"',
        ),
        (
            "[zone.hand]",
            "[turns]\nrounds = 0\n[zone.hand]",
            'line 7: "rounds" must be 1 or more: a game has to end',
        ),
        (
            "[zone.hand]",
            '[end]\nempty = "dekc"\n[zone.hand]',
            'line 7: "dekc" is not known; did you mean "deck"?',
        ),
        (
            "[zone.hand]",
            '[zone.cup]\nkind = "row"\nlabel = "the cup"\ndice = 2\n[zone.hand]',
            "line 9: the box has 2 dice too few: say [[dice]] in cards.toml",
        ),
        (
            "[zone.hand]",
            '[zone.cup]\nkind = "pile"\nlabel = "the cup"\ndice = 2\n[zone.hand]',
            'line 9: only a "row" has dice',
        ),
        ("[dice.fate]", "[dice.gold]", 'line 11: "gold" names two things'),
        ("[dice.fate]", "[dice.turn]", 'line 11: "turn" cannot be a name here: take another'),
    ],
)
def test_a_wrong_file_is_one_sentence_with_its_line(old: str, new: str, told: str) -> None:
    file = TomlFile("free.toml", SMALL.replace(old, new, 1))
    with pytest.raises(BrokenFile) as broken:
        read_free_table(file, {"name", "points"})
    assert str(broken.value) == f"free.toml {told}"


def test_whatever_is_left_out_is_filled_in() -> None:
    table = read_free_table(TomlFile("free.toml", SMALL), {"name", "points"})
    deck, hand = table.zone["deck"], table.zone["hand"]
    assert (deck.face, deck.take, deck.put, deck.shuffle) == ("down", "turn", "nobody", "turn")
    assert (hand.owner, hand.face, hand.take, hand.show) == (
        "seat",
        "owner",
        "owner in turn",
        "owner",
    )
    gold: CounterEntry = table.counter["gold"]
    assert (gold.owner, gold.change, gold.caption) == ("seat", "owner", "{seat}'s gold")


def test_the_example_of_the_manual_is_a_game() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "free-table.md").read_text("utf-8")
    example, tokens = re.findall(r"^```toml\n(.*?)^```", manual, re.DOTALL | re.MULTILINE)
    hand = '[zone.hand]\nkind = "hand"\nlabel = "{seat}\'s hand"\n'
    table = read_free_table(TomlFile("free.toml", hand + tokens), {"name", "back"})
    assert set(table.zone) == {"hand", "deck", "supply"}
    kit = catalogue.load("shell_beach")
    file, none = TomlFile("free.toml", example), TomlFile("table.toml", "")
    dice = next(card for card in range(len(kit.deck)) if kit.is_die(card))
    rules, words, _, layouts = read_game(file, Wording(), GameSemantics(), none, kit.deck, dice, 3)
    for seats in (2, 4):
        state = start(rules, seats, "manual", kit.backs).state
        assert sum(bool(state.cards[zone]) for zone in state.cards if "pond" in zone) == 0
        unnamed = [z for z in state.zones if not any(map(partial(fits, z), words.zones))]
        assert unnamed == []
        assert playout(rules, SimulationTable(state, FastRng(seats))) > 0
    assert {place.zone for place in layouts[0].place} >= {"deck", "hand/{me}", "dice"}


@pytest.mark.parametrize(
    ("things", "question"),
    [
        ("", "Move cards, or choose a pile"),
        ('[counter.coins]\nlabel = "coins"', "Move cards, or choose a pile or a counter"),
        ('[dice.die]\nlabel = "the die"', "Move cards, or choose a pile or dice"),
    ],
)
def test_a_turn_asks_for_nothing_that_is_not_there(things: str, question: str) -> None:
    cards, _ = SMALL.split("[counter.gold]")
    file, none = TomlFile("free.toml", cards + things), TomlFile("table.toml", "")
    _, words, _, _ = read_game(file, Wording(), GameSemantics(), none, [], 0, 2)
    assert words.asks["turn"].prompt == question


def test_a_card_is_drawn_to_the_own_hand_first() -> None:
    places = [draw.choices for draw in Played("night_ferry").offers(0, "draw")]
    places += [draw.choices for draw in Played("lantern_fair").offers(0, "draw")]
    places += [draw.choices for draw in Played("shell_beach").offers(0, "draw")]
    several = [choices for choices in places if any(each.endswith("/1") for each in choices)]
    assert several
    assert all(choices[0].endswith("/0") for choices in several)


@pytest.fixture
def reef() -> Played:
    return Played("reef_market", 3)


def test_several_cards_are_drawn_at_once(reef: Played) -> None:
    top = reef.zone("deck")[-3:]
    assert [offer.choices for offer in reef.offers(0, "draw_several")] == [("hand/0",)]
    assert not reef.offers(1, "draw_several")
    reef.do(0, "draw_several", target="deck", choice="hand/0")
    assert sorted(reef.zone("hand/0")) == sorted(top)
    assert set(top) <= set(mask(reef.state, 0).cards["hand/0"])
    assert not any(map(is_face, mask(reef.state, 1).cards["hand/0"]))


def test_a_market_is_taken_whole_and_refilled(reef: Played) -> None:
    lots, below = reef.zone("market"), reef.zone("deck")[-4:]
    reef.do(0, "take_all", target="market", choice="stall/0")
    assert reef.zone("stall/0") == lots
    assert reef.zone("market") == tuple(reversed(below))
    reef.do(0, "move", reef.zone("market")[0], "hand/0")
    assert len(reef.zone("market")) == 4
    for _ in range(4):
        reef.do(0, "take_all", target="market", choice="used")
    assert (len(reef.zone("market")), len(reef.zone("deck"))) == (3, 0)


def test_a_pile_is_dealt_to_all_and_gathered_again(reef: Played) -> None:
    reef.do(0, "take_all", target="market", choice="used")
    reef.do(0, "take_all", target="market", choice="used")
    reef.do(0, "deal", target="used")
    assert [len(reef.zone(f"hand/{seat}")) for seat in range(3)] == [2, 2, 2]
    assert len(reef.zone("used")) == 2
    reef.do(0, "gather", target="deck")
    shells = sum(len(reef.zone(zone)) for zone in ("deck", "market"))
    assert shells == 24  # all of them, and the market was refilled
    assert [len(reef.zone(f"coins/{seat}")) for seat in range(3)] == [4, 4, 4]


def test_bids_are_turned_up_once_all_have_bid(reef: Played) -> None:
    bids = [reef.zone(f"coins/{seat}")[0] for seat in range(3)]
    for seat in range(3):
        for other in range(seat):
            assert bids[other] not in mask(reef.state, (other + 1) % 3).cards[f"bid/{other}"]
        while reef.state.values["turn"] != seat:
            reef.do(int(reef.state.values["turn"]), "done")
        reef.do(seat, "move", bids[seat], f"bid/{seat}")
    for viewer in range(3):
        view = mask(reef.state, viewer)
        assert [view.cards[f"bid/{seat}"] for seat in range(3)] == [(bid,) for bid in bids]
    reef.do(2, "done")
    reef.do(0, "draw", target="deck", choice="hand/0")
    assert bids[0] in mask(reef.state, 1).cards["bid/0"]  # open until they are moved


def test_bids_are_turned_up_when_all_are_done_with_the_round() -> None:
    folder = FOLDER / "reef_market"
    text = (folder / "free.toml").read_text("utf-8").replace("rounds = 4", 'order = "together"')
    kit = catalogue.load("reef_market")
    table = read_free_table(TomlFile("free.toml", text, 4), {"name", "points"}, 0, 4)
    reef = Played("reef_market", 2, Rules(kit.deck, table, len(kit.deck)))
    for seat in (0, 1):
        for coin in reef.zone(f"coins/{seat}")[:2]:
            reef.do(seat, "move", coin, f"bid/{seat}")
    reef.do(0, "done")
    assert not any(map(is_face, mask(reef.state, 1).cards["bid/0"]))
    reef.do(1, "done")
    assert all(map(is_face, mask(reef.state, 1).cards["bid/0"]))
    assert all(map(is_face, mask(reef.state, 0).cards["bid/1"]))


def test_a_card_lies_sideways_until_it_leaves(reef: Played) -> None:
    reef.do(0, "take_all", target="market", choice="stall/0")
    card = reef.zone("stall/0")[0]
    reef.do(0, "tap", card)
    assert reef.state.values[f"tapped/card/{card}"] == 90
    reef.do(0, "tap", card)
    assert reef.state.values[f"tapped/card/{card}"] == 0
    reef.do(0, "tap", card)
    reef.do(0, "move", card, "used")
    assert reef.state.values[f"tapped/card/{card}"] == 0
    assert card not in reef.offers(0, "tap")[0].cards


def test_a_random_card_of_a_hand_is_known_to_nobody_before(reef: Played) -> None:
    taken = set()
    for seed in range(12):
        reef = Played("reef_market", 3)
        reef.do(0, "draw_several", target="deck", choice="hand/0")
        reef.do(0, "done")
        hand = set(reef.zone("hand/0"))
        move = Move(reef.ask(1).id, "take_random", (), "hand/0", "hand/1")
        after = submit(reef.rules, reef.state, 1, move, str(seed)).state
        (card,) = after.cards["hand/1"]
        assert hand == {card, *after.cards["hand/0"]}
        assert not after.cards["box/mixed"]
        assert not any(map(is_face, mask(after, 2).cards["hand/0"]))
        taken.add(card)
    assert len(taken) > 1


def test_the_top_cards_are_looked_at_together(reef: Played) -> None:
    top = reef.zone("deck")[-3:]
    reef.do(0, "look", target="deck")
    assert mask(reef.state, 0).cards["deck"][-3:] == top
    assert not any(map(is_face, mask(reef.state, 1).cards["deck"]))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("draws = { hand = 3 }", "draws = { hnad = 3 }", '"hnad" is not known'),
        ("draws = { hand = 3 }", "draws = { hand = 1 }", "from 2 up"),
        ('refill = "deck"', 'refill = "hand"', "refilled from another place"),
        ("limit = 4\n", "", '"refill" needs "limit"'),
        ("looks = 3", "looks = 0", '"looks" must be 1 or more'),
        ("scale = 0.8", "scale = 9.0", '"scale" must be from'),
        ('put = "turn"\n\n[zone.used]', 'gather = "turn"\n\n[zone.used]', "are gathered only in"),
        ('face = "owner"\nlabel = "{seat}\'s bid"', 'face = "up"\nlabel = "b"', '"together" needs'),
        ('kind = "pile"\n', 'kind = "pile"\nhexes = true\n', 'only a "grid" has hexes'),
        ('owner = "seat 1"', 'owner = "seat 9"', "at most 4 players"),
        ('put = "seat 1"', 'put = "seat 5"', "at most 4 players"),
    ],
)
def test_wrong_entries_about_several_cards_are_named(old: str, new: str, problem: str) -> None:
    text = (FOLDER / "reef_market" / "free.toml").read_text("utf-8")
    assert old in text
    file = TomlFile("free.toml", text.replace(old, new, 1), 4)
    with pytest.raises(BrokenFile, match=re.escape(problem)):
        read_free_table(file, {"name", "points", "value"}, 0, 4)


def test_a_place_and_a_right_of_one_seat(reef: Played) -> None:
    card = reef.zone("market")[0]
    reef.do(0, "move", card, "tray")
    assert mask(reef.state, 0).cards["tray"] == (card,)
    assert not any(map(is_face, mask(reef.state, 1).cards["tray"]))
    reef.do(0, "done")
    lot = reef.zone("market")[0]
    assert not any("tray" in offer.targets for offer in reef.offers(1))
    assert reef.why_not(1, lot, "tray") == "Only {seat} can do that."
    own = reef.zone("coins/0")[0]
    assert reef.why_not(0, lot, "tray") == "Wait for your turn to do that."
    assert reef.why_not(0, own, "tray") == "Wait for your turn to do that."


def test_a_place_of_a_missing_player_is_not_on_the_table() -> None:
    text = (FOLDER / "reef_market" / "free.toml").read_text("utf-8").replace('"seat 1"', '"seat 3"')
    text += '\n[end]\nempty = "tray"\n'
    kit = catalogue.load("reef_market")
    table = read_free_table(TomlFile("free.toml", text, 3), {"name", "points"}, 0, 3)
    rules = Rules(kit.deck, table, len(kit.deck))
    two, three = (Played("reef_market", seats, rules) for seats in (2, 3))
    assert "tray" not in two.state.zones
    assert three.state.zones["tray"].owner == 2
    two.do(0, "done")
    assert two.state.result is None
    three.do(0, "done")
    assert three.state.result is not None
