"""Goldfish Night, the template of a game: its rulebook, paragraph by paragraph."""

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.events import Moved, Rolled, Said
from tabletop.engine.mask import mask, masked
from tabletop.engine.model import AUDIENCE, Move, Rng, State, hidden_card
from tabletop.engine.play import Illegal, start
from tabletop.engine.table import Table
from tabletop.studio.translation.translation_check import texts_in_folder, translated_texts
from tabletop.text.phrases import GAP
from tests.games.game_driver import answer, asked, first, of_kind, offered, sentences

KIT = catalogue.load("_blank")
GAME = KIT.rules
THIN, THICK = first(KIT, strength=1)[0], first(KIT, strength=3)[0]
SPLASHES = first(KIT, 5, strength=0)
LIGHT, HEAVY = first(KIT, weight=1)[0], first(KIT, weight=6)[0]


def begin(seats: int = 3, seed: str = "test", **options: str) -> State:
    return start(GAME, seats, seed, KIT.backs, catalogue.options(KIT, options)).state


def dealt(state: State, **lie: tuple[int, ...]) -> State:
    """The same table where these cards lie elsewhere: `hand_0=(3,)`; a pile's last card is on top.

    The cards they replace go to the bottom of the stall or the pond, so that nothing is lost.
    """
    zones = {name.replace("_", "/"): cards for name, cards in lie.items()}
    placed = [card for cards in zones.values() for card in cards]
    cards = {z: tuple(c for c in held if c not in placed) for z, held in state.cards.items()}
    for zone, wanted in zones.items():
        kept = cards[zone] if zone in ("pond", "stall") else ()
        if not kept:
            cards["stall"] = cards[zone] + cards["stall"]
        cards[zone] = (*kept, *wanted)
    return replace(state, cards={z: tuple(c) for z, c in cards.items()}, shown={})


def after_gifts(seats: int = 3, **lie: tuple[int, ...]) -> State:
    """The first player's turn, with these cards lying as given."""
    state = begin(seats)
    for seat in range(seats):
        gift = offered(GAME, state, seat)[0].cards[0]
        state = answer(GAME, state, seat, Move(0, "gift", (gift,))).state
    return dealt(state, **lie)


def scoop(state: State, net: int, *reactions: Move, seed: str = "test") -> Table:
    """The first player scoops; the others react in their order."""
    table = answer(GAME, state, 0, Move(0, "scoop", (net,)), seed)
    for seat, move in enumerate(reactions, start=1):
        table = answer(GAME, table.state, seat, move, seed)
    return table


def test_1_the_box() -> None:
    weights = [card.get("weight") for card in KIT.deck]
    strengths = [card.get("strength") for card in KIT.deck]
    assert [weights.count(n) for n in range(1, 7)] == [4] * 6
    assert [strengths.count(n) for n in range(4)] == [5, 6, 5, 4]
    assert {KIT.back_names[back] for back in KIT.backs} == {"fish", "tool"}
    assert KIT.box.hidden


@pytest.mark.parametrize(("size", "each"), [("large", 5), ("small", 3)])
@pytest.mark.parametrize("seats", KIT.box.seats)
def test_2_preparation(seats: int, size: str, each: int) -> None:
    state = begin(seats, pond=size)
    assert len(state.cards["pond"]) == each * seats
    assert len(state.cards["river"]) == 24 - each * seats
    assert [len(state.cards[f"hand/{seat}"]) for seat in range(seats)] == [3] * seats
    assert all(KIT.deck[card]["back"] == "tool" for card in state.cards["hand/0"])


def test_3_gifts_go_round_together() -> None:
    state = begin(2)
    gifts = [state.cards["hand/0"][0], state.cards["hand/1"][2]]
    table = answer(GAME, state, 0, Move(0, "gift", (gifts[0],)))
    assert not of_kind(table, Moved), "nobody moves before all have chosen"
    hidden = mask(table.state, 1).answers
    assert list(hidden.values()) == [None]
    table = answer(GAME, table.state, 1, Move(0, "gift", (gifts[1],)))
    assert gifts[0] in table.state.cards["hand/1"]
    assert gifts[1] in table.state.cards["hand/0"]
    assert asked(table.state, 0).what == "turn"


def test_41_only_the_player_sees_the_fish() -> None:
    state = begin(3)
    for seat in range(3):
        state = answer(GAME, state, seat, offered(GAME, state, seat)[0].sample(0, _Lowest())).state
    top = state.cards["pond"][-1]
    assert mask(state, 0).cards["pond"][-1] == top
    assert mask(state, 1).cards["pond"][-1] < 0
    assert mask(state, AUDIENCE).cards["pond"][-1] < 0


def test_42_letting_go_draws_a_tool() -> None:
    state = after_gifts()
    top, tool = state.cards["pond"][-1], state.cards["stall"][-1]
    table = answer(GAME, state, 0, Move(0, "leave"))
    assert table.state.cards["river"][-1] == top
    assert tool in table.state.cards["hand/0"]
    assert asked(table.state, 1).what == "turn"
    heard = masked(state, table.events, 2)
    said = next(e for e in heard if isinstance(e, Said) and "lets the fish go" in e.text)
    assert said.cards == (hidden_card(1),), "others learn that a tool was drawn, not which"


def test_42_an_empty_stall_gives_nothing() -> None:
    state = after_gifts()
    spent = replace(state, cards=state.cards | {"stall": (), "torn": state.cards["stall"]})
    table = answer(GAME, spent, 0, Move(0, "leave"))
    assert table.state.cards["hand/0"] == state.cards["hand/0"]


def test_43_everybody_else_is_asked_whatever_they_hold() -> None:
    state = after_gifts(hand_0=(THIN,), hand_1=SPLASHES[:2], hand_2=(THICK,))
    table = answer(GAME, state, 0, Move(0, "scoop", (THIN,)))
    assert [ask.seat for ask in table.state.asks if ask.what == "splash"] == [1, 2]
    assert [offer.verb for offer in offered(GAME, table.state, 2)] == ["pass"]
    assert [offer.verb for offer in offered(GAME, table.state, 1)] == ["splash", "pass"]


def test_43_one_splash_is_enough_and_all_are_used_up() -> None:
    state = after_gifts(hand_0=(THIN,), hand_1=SPLASHES[:1], hand_2=SPLASHES[1:2], pond=(LIGHT,))
    table = scoop(state, THIN, Move(0, "splash", SPLASHES[:1]), Move(0, "splash", SPLASHES[1:2]))
    assert table.state.cards["river"][-1] == LIGHT
    assert {THIN, *SPLASHES[:2]} <= set(table.state.cards["torn"])
    assert not of_kind(table, Rolled)
    assert LIGHT not in mask(table.state, 1).cards["river"], "it flees unseen"
    assert table.state.values["splashed"] == 0


def test_44_the_die_decides_when_nobody_splashed() -> None:
    state = after_gifts(hand_0=(THIN,), pond=(HEAVY,))
    caught = set()
    for seed in "abcdefghijkl":
        table = scoop(state, THIN, Move(0, "pass"), Move(0, "pass"), seed=seed)
        (roll,) = of_kind(table, Rolled)
        holds = 1 + roll.faces[0] > 6
        assert (table.state.cards["bowl/0"] == (HEAVY,)) is holds
        assert (table.state.values["score/0"] == 6) is holds
        assert (HEAVY in table.state.cards["river"]) is not holds
        caught.add(holds)
    assert caught == {True, False}


def test_44_a_sure_catch() -> None:
    state = after_gifts(hand_0=(THICK,), pond=(LIGHT,))
    table = scoop(state, THICK, Move(0, "pass"), Move(0, "pass"))
    assert table.state.cards["bowl/0"] == (LIGHT,)
    assert "{die}: {seat} catches {card}." in sentences(table)


@pytest.mark.parametrize(
    ("bowls", "winners", "decided"),
    [
        ({"bowl_0": (HEAVY,), "bowl_1": (LIGHT,)}, (0,), ""),
        ({"bowl_0": (4,), "bowl_1": (0, 1)}, (1,), "Equal weight: more fish decide."),
        ({"bowl_0": (0,), "bowl_1": (1,)}, (0, 1), ""),
    ],
)
def test_5_the_heaviest_bowl_wins(
    bowls: dict[str, tuple[int, ...]], winners: tuple[int, ...], decided: str
) -> None:
    state = dealt(after_gifts(2), **bowls)
    last = state.cards["pond"][-1:]
    rest = state.cards["river"] + state.cards["pond"][:-1]
    state = replace(state, cards=state.cards | {"pond": last, "river": rest})
    result = answer(GAME, state, 0, Move(0, "leave")).state.result
    assert result.winners == winners
    assert result.decided == decided


def test_why_and_preview() -> None:
    state = after_gifts(hand_0=(THIN, SPLASHES[0]), pond=(HEAVY,))
    ask = asked(state, 0)
    view = replace(state, viewer=0)
    assert GAME.why(view, ask, SPLASHES[0], "").paragraph == "4.3"
    assert GAME.why(view, ask, THICK, "").paragraph == "4.2"
    assert GAME.why(view, ask, THIN, "") is None
    (note,) = GAME.preview(view, ask, Move(ask.id, "scoop", (THIN,))).notes
    assert note.args == {"need": 6}
    light = dealt(state, pond=(LIGHT,))
    (note,) = GAME.preview(light, ask, Move(ask.id, "scoop", (THIN,))).notes
    assert note.text == "This net is sure to hold."
    assert GAME.preview(view, ask, Move(ask.id, "leave")) is None
    with pytest.raises(Illegal, match="can only splash"):
        answer(GAME, state, 0, Move(0, "scoop", SPLASHES[:1]))
    table = answer(GAME, state, 0, Move(0, "scoop", (THIN,)))
    net = first(KIT, strength=2)[0]
    reacting = dealt(table.state, hand_1=(net,))
    with pytest.raises(Illegal, match="Only a splash"):
        answer(GAME, reacting, 1, Move(0, "splash", (net,)))


def test_it_speaks_japanese() -> None:
    said = texts_in_folder(KIT.folder)
    known = translated_texts(KIT.folder, "ja")
    assert set(said) == set(known)
    assert all(set(GAP.findall(t)) == set(GAP.findall(known[t])) for t in said)


class _Lowest(Rng):
    """Chance that always draws the first."""

    def below(self, limit: int) -> int:
        return 0

    def shuffled(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        return cards
