"""What a designer reads about mistakes in a game with rules: file, line, what to write."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.studio.workshop.checked_rules import check_kit, check_open_questions
from tabletop.studio.workshop.law_check import find_broken_laws
from tabletop.studio.workshop.mistake import describe_mistake
from tabletop.studio.workshop.position import replay_record
from tests.game_folders import change

CARDS = """name,copies,points,kind,text
Pier,2,3,lot,A lot
Tower,2,5,lot,A lot
Coin,8,0,coin,One
Purse,4,0,coin,Two
"""
BOX = """back = ["back"]

[box]
id = "coins"
title = "Coins"
seats = [2, 3]
minutes = 10
feel = "Bid in secret."
credit = "Test"
rules = 1
"""
WORDS = """heading = "{lots} lots left"
goal = "Buy lots. Count points. Most points win."
turn = ["Bid coins in secret."]

[asks]
bid = { prompt = "Bid coins", paragraph = "3" }

[verbs]
pay = { sentence = "Bid {cards}" }
pass = { sentence = "Bid nothing" }

[zones]
"lots" = "Lots"
"open" = "The lot"
"bank" = "Bank"
"purse/{seat}" = "{seat}'s purse"
"won/{seat}" = "{seat}'s lots"
"bid/{seat}" = "{seat}'s bid"
"""
RULES = """
from tabletop.engine.model import Number, Offer, Result, Sight, Step, Zone

SCORE = Number("score/{seat}")
LOTS = Number("lots")


class Settle(Step, frozen=True):
    lot: int


class Rules:
    steps = (Settle,)

    def __init__(self, deck):
        self.deck = deck
        self.lots = tuple(i for i, c in enumerate(deck) if c["kind"] == "lot")
        self.coins = tuple(i for i, c in enumerate(deck) if c["kind"] == "coin")

    def setup(self, table):
        table.place(Zone("lots", Sight.NONE), self.lots)
        table.place(Zone("open"))
        table.place(Zone("bank", Sight.NONE), self.coins)
        table.shuffle("lots")
        for seat in range(table.state.seats):
            table.place(Zone(f"purse/{seat}", Sight.OWNER, seat, loose=True))
            table.place(Zone(f"won/{seat}", Sight.ALL, seat))
            table.place(Zone(f"bid/{seat}", Sight.ALL, seat))
            table.draw("bank", f"purse/{seat}", 3)
            SCORE.set(table, seat, 0)
        self._next(table)

    def _next(self, table):
        table.draw("lots", "open")
        LOTS.set(table, len(table.state.cards["lots"]))
        for seat in range(table.state.seats):
            table.ask(seat, "bid", sealed=True)

    def offers(self, state, ask):
        purse = state.cards[f"purse/{ask.seat}"]
        return (Offer("pay", purse, (), (), 0, len(purse)), Offer("pass"))

    def play(self, table, seat, move):
        for card in move.cards:
            table.move(card, f"purse/{seat}", f"bid/{seat}")
        if not table.state.agenda:
            table.then(Settle(table.state.cards["open"][0]))

    def resume(self, table, step):
        bids = [len(table.state.cards[f"bid/{s}"]) for s in range(table.state.seats)]
        winner = bids.index(max(bids))
        table.say("{seat} wins {card}.", step.lot, seat=winner)
        table.move(step.lot, "open", f"won/{winner}")
        SCORE.add(table, winner, self.deck[step.lot]["points"])
        if table.state.cards["lots"]:
            self._next(table)
        else:
            scores = tuple(SCORE.all(table.state))
            table.end(Result((scores.index(max(scores)),), scores))

    def why(self, state, ask, card, to):
        return None

    def preview(self, state, ask, move):
        return None
"""
MOVE = 'table.move(card, f"purse/{seat}", f"bid/{seat}")'
OFFER = 'Offer("pay", purse, (), (), 0, len(purse))'
PLACE = 'Zone("bank", Sight.NONE), self.coins'
LOTS = 'LOTS.set(table, len(table.state.cards["lots"]))'
MISTAKES = [
    ('c["kind"] == "lot"', 'c["lot"]', 'the card "Pier" has no "lot": .*card.get\\("lot", ""\\)'),
    ('c["kind"] == "lot"', "c.lot", '"lot" is read with a dot: write card\\["lot"\\]'),
    ('draw("lots", "open")', 'draw("lot", "open")', 'there is no zone "lot": .* one of "lots", '),
    ('cards["lots"]))', 'cards["lot"]))', 'there is no zone "lot": .* one of "lots", '),
    (MOVE, MOVE.replace("purse", "won"), 'card \\d+ isn\'t in "won/\\d": it is in "purse/\\d"'),
    (MOVE, MOVE.replace("bid", "bids"), 'there is no zone "bids/\\d": '),
    (OFFER, 'Offer("pay", purse, 1)', 'the offer "pay": targets must be a tuple of texts, '),
    (OFFER, 'Offer("pay", list(purse))', 'the offer "pay": cards must be a tuple of cards, '),
    (f'({OFFER}, Offer("pass"))', 'Offer("pass")', "offers returns an object of the class Offer "),
    (f'({OFFER}, Offer("pass"))', "()", 'offers returns nothing for the question "bid": '),
    ("    steps = (Settle,)\n", "", "the step Settle isn't among .*: add steps = \\(Settle,\\)"),
    (
        LOTS,
        'table.set("lots", None)',
        'table.set: "lots" must be a whole number or a text, not None',
    ),
    (LOTS, 'table.set("lots", table.state.values["lots"])', 'the value "lots" isn\'t set yet'),
    ('ask(seat, "bid"', 'ask("bid", seat', 'table.ask: seat must be a seat, not the text "bid"'),
    ('ask(seat, "bid"', 'ask(seat + 1, "bid"', "there is no seat 2: 2 players have the seats"),
    ("    def offers(", "    def offer(", 'class Rules has no method "offers": write def offers'),
    ("    def preview(", "    def foresee(", 'class Rules has no method "preview": write def prev'),
    ("def play(self, table, seat, move)", "def play(self, table, move)", '"play" is called with'),
    ("class Rules:", "class Rule:", 'there is no class "Rules": write class Rules: '),
    ('purse/{seat}", Sight.OWNER, seat', 'purse/{seat}", Sight.OWNER', "the zone .* and no owner"),
    (PLACE, PLACE + " + self.coins", 'card \\d+ is in "bank" already: place each card once'),
    (PLACE, '"bank", self.coins', 'table.place: zone must be a Zone\\("name"\\), not the text'),
    ("seat=winner)", "who=winner)", "the sentence .* has the placeholder {seat}: pass seat= to"),
    ("Result((scores.index(max(scores)),)", "Result([0]", "Result: winners must be a tuple of"),
    ("self._next(table)\n\n", "self._nxt(table)\n\n", '"_nxt" is not known; did you mean "_next"'),
    (
        "import Number, Offer",
        "import Number, Ofer, Offer",
        '"Ofer" is not known; did you mean "Offer',
    ),
    ("Result, Sight", "Sight", '"Result" is not imported: write from tabletop.engine.model import'),
    ("    def why(self, state, ask, card, to):\n        return None", "", 'no method "why"'),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game of sealed bids in which nothing is wrong."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    folder = tmp_path / "coins"
    folder.mkdir()
    for name, text in (("cards.csv", CARDS), ("cards.toml", BOX), ("words.toml", WORDS)):
        (folder / name).write_text(text, "utf-8")
    (folder / "rules.py").write_text(RULES, "utf-8")
    agreements.add_own_folder(folder)
    game_folders.add(folder)
    catalogue.reread("coins")
    yield folder
    game_folders.clear_cache()


def mistake_in(folder: Path) -> str:
    """What the workshop says about a game, or else what the laws of `tabletop check` say."""
    try:
        kit = catalogue.load("coins")
        checked = check_kit(kit)
        position = replay_record(checked, [Player("Ann"), Player("Ben")], "1", [])
        check_open_questions(checked, position.match.state)
    except Exception as error:  # the game's rules may raise anything
        return describe_mistake(error, folder)
    fault = next((each.fault for each in find_broken_laws(kit)), "")
    return fault.removeprefix("The rules fail: ")


def test_a_game_without_mistakes_passes(folder: Path) -> None:
    assert mistake_in(folder) == ""


@pytest.mark.parametrize(("right", "wrong", "told"), MISTAKES)
def test_a_mistake_is_told_with_its_line_and_what_to_write(
    folder: Path, right: str, wrong: str, told: str
) -> None:
    change(folder / "rules.py", right, wrong)
    catalogue.reread("coins")
    mistake = mistake_in(folder)
    assert re.match(rf"rules\.py line \d+: .*{told}", mistake), mistake
    translated = Words("ja").fault(mistake, detailed=True)
    assert re.match(r"rules\.pyの\d+行目：.*[ぁ-ん]", translated)
    assert "must be" not in translated
    assert Words("en").fault(mistake, detailed=True) == mistake


@pytest.mark.parametrize(
    ("right", "wrong", "told", "japanese"),
    [
        (
            'paragraph = "3"',
            "paragraph = 3",
            'words.toml line 6: "paragraph" must be a text in quotes, such as "pond", not a whole '
            "number",
            'words.tomlの6行目：「paragraph」は、整数ではなく「"pond"」のような引用符で囲んだ'
            "文字列にしてください",
        ),
        (
            'turn = ["Bid coins in secret."]',
            'turn = "Bid"',
            'words.toml line 3: "turn" must be a list in brackets, such as [2, 3], not a text',
            "words.tomlの3行目：「turn」は、文字列ではなく「[2, 3]」のような"
            "角括弧のリストにしてください",
        ),
        (
            "sentence",
            "sentense",
            'words.toml line 9: "sentense" is not known; did you mean "sentence"?',
            "words.tomlの9行目：「sentense」はありません。「sentence」ではありませんか",
        ),
    ],
)
def test_a_value_of_another_type_is_told_in_both_languages(
    folder: Path, right: str, wrong: str, told: str, japanese: str
) -> None:
    change(folder / "words.toml", right, wrong)
    catalogue.reread("coins")
    assert mistake_in(folder) == told
    assert Words("ja").fault(told, detailed=True) == japanese
