"""Every example of every rulebook, set up and played; what comes out is what both books say."""

from collections import Counter
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.catalogue.illustrations import Example, example_state, read_illustrations
from tabletop.engine.events import Said
from tabletop.engine.model import Ask, State
from tabletop.games.awss.scoring import victory_points
from tabletop.games.awss.steps import Score, ScoreAutumn
from tabletop.games.royale.steps import Phase
from tabletop.games.sisters.deck import EXAMPLE_HOUSE
from tabletop.games.sun.extermination import COLOUR_SIGNS
from tests.games import awss_tables as awss
from tests.games import chains_tables as chains
from tests.games import sisters_tables as sisters
from tests.games import sun_tables as sun
from tests.games.game_driver import of_kind, sentences
from tests.games.royale.tables import ART, DECK, GYM, LIBRARY, NURSE, Stage, battle
from tests.games.rulebook_text import LANGUAGES, Book

MARK = {"en": "**Example.**", "ja": "**例"}
PLAYED: Counter[tuple[str, str]] = Counter()
"""The number of examples played here, by paragraph."""


def example(game: str, paragraph: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """This test plays an example of this paragraph."""

    def note(test: Callable[[], None]) -> Callable[[], None]:
        PLAYED[game, paragraph] += 1
        return test

    return note


def told(game: str, paragraph: str, language: str) -> str:
    """The book's text from its example in this paragraph on."""
    return Book(game).paragraphs(language)[paragraph].partition(MARK[language])[2]


def says(game: str, paragraph: str, *texts: str) -> None:
    """Both books say this in their example."""
    for language in LANGUAGES:
        body = told(game, paragraph, language).replace(" ", "").replace("＋", "+")
        for text in texts:
            assert text.replace(" ", "") in body.replace("＝", "="), (text, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", catalogue.names())
def test_every_example_is_played(game: str, language: str) -> None:
    bodies = Book(game).paragraphs(language).items()
    found = {(game, number): body.count(MARK[language]) for number, body in bodies}
    assert +Counter(found) == Counter({key: n for key, n in PLAYED.items() if key[0] == game})


def example_of(kit: GameKit, paragraph: str) -> Example:
    return next(each for each in read_illustrations(kit).example if each.paragraph == paragraph)


def printed(game: str, paragraph: str) -> State:
    """The table that both rulebooks show with the example of this paragraph."""
    kit = catalogue.load(game)
    return example_state(kit, example_of(kit, paragraph))


def shows(game: str, paragraph: str, state: State) -> None:
    """Check that the rulebooks show the example's table as it is played here."""
    kit = catalogue.load(game)
    shown = printed(game, paragraph)
    zones = [zone for zone in example_of(kit, paragraph).show if zone in state.cards]
    for zone in zones or example_of(kit, paragraph).lies:
        faces = [[kit.deck[card]["name"] for card in of.cards[zone]] for of in (shown, state)]
        assert faces[0] == faces[1], zone


def named(game: str, paragraph: str) -> list[str]:
    """The names of the cards that the rulebooks show in a row in this paragraph."""
    rows = read_illustrations(catalogue.load(game)).cards
    return next(list(row.names) for row in rows if row.paragraph == paragraph)


WITHOUT = {
    ("awss", "7.2"),
    ("chains", "9.2"),
    ("chains", "9.3"),
    *(("sisters", number) for number in ("7.2", "7.3", "7.4", "7.5", "7.6")),
}
"""Examples of figures, which need no table; of most of them the cards are shown in a row."""


@pytest.mark.parametrize("game", [kit.id for kit in catalogue.shelf() if not kit.is_draft])
def test_every_example_with_a_table_shows_it(game: str) -> None:
    drawn = {(game, each.paragraph) for each in read_illustrations(catalogue.load(game)).example}
    assert drawn == {key for key in PLAYED if key[0] == game} - WITHOUT


# AWSSterra


@example("awss", "7.2")
def test_awss_victory_points() -> None:
    state = awss.resumed(awss.declared(9, 2, 17, 0), ScoreAutumn()).state
    assert [state.values[f"victory/autumn/{seat}"] for seat in range(4)] == [0, 0, 15, 0]
    assert victory_points((9, 2, 17, 0), literal=False) == (0, 0, 15, 0)
    says("awss", "7.2", "9", "2", "17 − 2 = **15")


@example("awss", "8.2")
def test_awss_the_score_of_a_card() -> None:
    begun = awss.position("S05 . S03 . S01 . . . .")
    lies = printed("awss", "8.2").cards
    for cell in (0, 2, 4):
        assert lies[f"board/0/{cell}"] == begun.cards[f"board/0/{cell}"]
    assert all(not lies[f"board/0/{cell}"] for cell in (1, 3, 5, 6, 7, 8))
    table = awss.resumed(begun, Score(2))
    scored = {
        said.cards[0]: int(str(said.args["points"]))
        for said in of_kind(table, Said)
        if said.text.startswith("{card} scores")
    }
    by_name = {awss.KIT.deck[number]["name"]: points for number, points in scored.items()}
    assert by_name == {"Horsetail Squirrel": 3, "Meadow Rabbit": 5, "Canola Sheep": 4}
    assert table.state.values["points/spring/0"] == 12
    assert all(name in told("awss", "8.2", "en") for name in by_name)
    says("awss", "8.2", "12", "5", "4")


# Chains


@example("chains", "5.4")
def test_chains_take_the_terminal_card_or_go_on() -> None:
    state = chains.table(chains.Lies(work=[10, 9, 8], slots=[[7]], pile=[7]), chains.Lies())
    shows("chains", "5.4", state)
    assert chains.offered(state) == {"flip": [], "link": [7], "complete": [7]}
    done = chains.do(state, "complete", 7)
    assert done.values["took/0"] == "7"
    assert chains.numbers(done, "done/0") == [10, 9, 8, 7]
    from_slot = chains.do(state, "link", 7)
    flipped = chains.do(state, "flip")
    from_pile = chains.do(flipped, "link", 7)
    for further in (from_slot, from_pile):
        assert chains.numbers(further, "work/0") == [10, 9, 8, 7]
        assert chains.offered(further)["complete"] == [6], "lower"
    says("chains", "5.4", "10-9-8", "7")


@example("chains", "7")
def test_chains_a_chain_that_cannot_get_past_the_3() -> None:
    down_to_4 = range(10, 3, -1)
    lost = chains.Lies(work=down_to_4, slots=[[2]], pile=[10, 9, 8, 7], only=True)
    state = chains.table(chains.Lies(work=down_to_4), lost)
    assert chains.numbers(state, "flushed/1").count(3) == 2, "all that were in the deck's pile"
    seen = printed("chains", "7")
    assert chains.numbers(seen, "work/0") == list(down_to_4)
    assert seen.values["cut/3"] == 1
    after = chains.do(state, "complete", 3)
    assert after.values["cut/3"] == 1
    assert chains.numbers(after, "work/1") == []
    assert chains.numbers(after, "flushed/1")[-7:] == list(down_to_4)
    says("chains", "7", "4", "3")


@example("chains", "9.2")
def test_chains_points() -> None:
    state = chains.finished(chains.Lies(taken=[2]), chains.Lies(taken=[1, 4, 8, 9]))
    assert state.result.scores[1] == 10
    assert named("chains", "9.2") == ["1", "4", "8", "9"]
    says("chains", "9.2", "5 + 3 + 1 + 1 = **10")


@example("chains", "9.3")
def test_chains_a_tie() -> None:
    state = chains.finished(chains.Lies(taken=[1, 4]), chains.Lies(taken=[1, 2]))
    assert state.result.scores == (8, 8)
    assert state.result.sheet[-1].formulas == ("2", "3")
    assert state.result.winners == (1,)
    says("chains", "9.3", "1", "4", "2", "8", "3")


# Sister Royale


@example("royale", "5.3")
def test_royale_a_move_answered_by_moves() -> None:
    """Asako is the first player, Botan the second."""
    hall, library, music, courtyard = GYM, NURSE, LIBRARY, ART  # each beside the next
    stage = Stage(
        Phase(0),
        at=(hall, library),
        hands={0: ["Move"], 1: ["Move", "Move"]},
        lying={library: "Library", music: "Music Room", courtyard: "Courtyard Fountain"},
    )
    shows("royale", "5.3", stage.state)
    stage.do("walk", to=library)
    assert stage.asked == (1, "near")
    stage.do("answer", "Move", to=music)
    assert stage.asked == (0, "near"), "whose movement was answered"
    stage.do("answer", "Move", to=music)
    assert stage.asked == (1, "near")
    stage.do("answer", "Move", to=courtyard)
    assert stage.asked == (0, "action"), "she has no Move left, and the first question is closed"
    assert [what for _, what in stage.questions].count("near") == 3


@example("royale", "6.3")
def test_royale_the_thief_and_the_range() -> None:
    stage = battle("attack", "move", first=1, sisters=("Kohaku", "Minato"))
    assert stage.value("range") == "near"
    shows("royale", "6.3", stage.state)
    assert printed("royale", "6.3").values == stage.state.values
    stage.do("range", choice="far")
    assert stage.asked == (0, "strike")
    assert stage.verbs == ["forgo"], "her own means do not work there"
    assert list(DECK.attack[stage.state.cards["character/0"][0]].perf) == ["near"]
    stage.do("forgo")
    assert stage.value("round") == 2


# Planetary Sisters


@example("sisters", "5.3")
def test_sisters_the_next_parent() -> None:
    lies, ranks = printed("sisters", "5.3").cards, [face["rank"] for face in sisters.KIT.deck]
    pairs = [
        (ranks[lies[f"used/{seat}/1"][0]], ranks[lies[f"gained/{seat}/1"][0]]) for seat in range(4)
    ]
    table = sisters.played(4, 3, pairs, condition="Close")  # 3, 1, 4, 8 apart
    assert table.state.values["parent"] == 1
    says("sisters", "5.3", "30", "31", "3", "4", "8")


HOUSES = ("18", "24", "0", "8", "15", "48")
OF_HOUSE = {"7.2": (0, 1, 2), "7.3": (3,), "7.4": (4,), "7.5": (5,)}
"""Of each example about the house, the categories that it counts."""


def score_lines() -> list[tuple[int, str]]:
    """The lines of the score sheet of the example's player: house, then field."""
    result = sisters.final(
        4,
        {
            "hand/0": EXAMPLE_HOUSE,
            "hand/1": (3, 4, 6, 7, 9, 10, 12, 13),
            "hand/2": (14, 15, 16, 17, 18, 20, 21, 23),
            "hand/3": (24, 25, 26, 29, 32, 33, 34, 35),
        },
        (5, 1, 2, 8),
    )
    return [(line.points[0], line.formulas[0]) for line in result.sheet]


def test_the_house_that_is_shown_is_the_one_that_is_counted() -> None:
    rank = {face["name"]: face["rank"] for face in sisters.KIT.deck}
    assert tuple(rank[name] for name in named("sisters", "7.1")) == EXAMPLE_HOUSE
    assert [rank[name] for name in named("sisters", "7.6")] == [5, 1, 2, 8]


def counts_in_the_house(paragraph: str) -> None:
    lines = score_lines()
    for category in OF_HOUSE[paragraph]:
        points, formula = lines[category]
        assert str(points) == HOUSES[category]
        says("sisters", paragraph, f"{formula} = **{points}**")


@example("sisters", "7.2")
def test_sisters_lovers() -> None:
    counts_in_the_house("7.2")


@example("sisters", "7.3")
def test_sisters_two_passions() -> None:
    counts_in_the_house("7.3")


@example("sisters", "7.4")
def test_sisters_one_passion() -> None:
    counts_in_the_house("7.4")


@example("sisters", "7.5")
def test_sisters_collectors() -> None:
    counts_in_the_house("7.5")
    says("sisters", "7.5", "18 + 24 + 0 + 8 + 15 + 48 = **113**")
    assert sum(points for points, _ in score_lines()[:6]) == 113


@example("sisters", "7.6")
def test_sisters_the_field() -> None:
    lines = score_lines()
    for points, formula in lines[6:]:
        says("sisters", "7.6", f"| {formula} | {points} |")
    assert sum(points for points, _ in lines[6:]) == 54
    assert sum(points for points, _ in lines) == 167
    says("sisters", "7.6", "18 + 12 + 4 + 20 = **54**", "113 + 54 = **167**")


# Children of the Sun


@example("sun", "6.2")
def test_sun_direct_magic() -> None:
    """The ghost on a blue 0, blue on b, yellow laid on c."""
    state = printed("sun", "6.2")
    hand = {"hand/0": sun.cards("y+3"), "hand/1": sun.cards("y-1")}
    rest = tuple(card for card in state.cards["pile"] if card not in sun.cards("y+3 y-1"))
    shield = {"shield": rest[:6], "pile": rest[6:]}
    asked = (Ask(1, 0, "place"),)
    state = replace(state, cards=state.cards | hand | shield, asks=asked, asked=2)
    table = sun.place(state, "y+3", turn="0")
    assert "Direct magic: {word_colour} {count}." in sentences(table)
    said = next(s for s in of_kind(table, Said) if s.text.startswith("Direct magic"))
    assert (said.args["word_colour"], said.args["count"]) == ("blue", 3)
    says("sun", "6.2", "2 + 1 = 3")


def signed(card: int) -> str:
    """A card as a test of this game writes it."""
    face = sun.KIT.deck[card]
    return f"{face['colour'][0]}{face['turn']:+d}"


@example("sun", "7.3")
def test_sun_three_attacks() -> None:
    lies = printed("sun", "7.3").cards
    squads = [card for number in (1, 2, 3) for card in lies[f"squad/0/{number}"]]
    formed = " ".join(map(signed, squads))
    shield = " ".join(map(signed, lies["shield"]))  # open from the middle: ◆■, ◆▲, ▲■
    state = sun.last_turn(formed, "", shield)
    after = sun.squads(state, formed).state
    points = [line.points[0] for line in after.result.sheet[1:]]
    assert points == [2, 5, 10]
    red, _, blue, yellow = COLOUR_SIGNS
    assert after.result.sheet[3].formulas[0] == f"{red}1×2 + {blue}2×2 + {yellow}2×2"
    says("sun", "7.3", "2 + 5 + 10 = ", "17")
