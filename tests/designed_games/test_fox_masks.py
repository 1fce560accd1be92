"""Fox Masks, paragraph by paragraph: what masks answer is known to those it was announced to."""

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.events import Said
from tabletop.engine.mask import events_by_viewer, mask
from tabletop.engine.model import AUDIENCE, Move, Sight, State, Zone
from tabletop.engine.play import determinized, submit
from tabletop.engine.scratch import FastRng
from tabletop.engine.table import SeededRng, Table

KIT = catalogue.load("fox_masks")
RULES = KIT.rules
RUMOUR, PEEPHOLE, KEEN_EAR, STARE, UMBRELLA, GUST, DANCE, NINE_TAILS = range(1, 9)


def cards_of(*masks: int) -> tuple[int, ...]:
    """A card of each of these masks, no card twice."""
    found: list[int] = []
    for wanted in masks:
        free = (card for card, mask in enumerate(RULES.mask) if mask == wanted)
        found.append(next(card for card in free if card not in found))
    return tuple(found)


def worn(played: int, *masks: int) -> State:
    """Each seat wears a mask, the first one has the `played` one as well, and is asked."""
    seats = len(masks)
    hands, setting = cards_of(played, *masks), Table(State(seats, KIT.backs), SeededRng("fox"))
    rest = tuple(card for card in range(len(KIT.backs)) if card not in hands)
    setting.place(Zone("stall", Sight.NONE), rest[1:])
    setting.place(Zone("aside", Sight.NONE), rest[:1])
    for seat in range(seats):
        own = hands[:2] if seat == 0 else hands[seat + 1 : seat + 2]
        setting.place(Zone(f"hand/{seat}", Sight.OWNER, seat, loose=True), tuple(sorted(own)))
        setting.place(Zone(f"laid/{seat}", Sight.ALL, seat))
        setting.set(f"out/{seat}", 0)
        setting.set(f"safe/{seat}", 0)
    setting.set("turn", 0)
    setting.ask(0, "turn")
    return setting.state


def play_mask(state: State, mask: int, other: int | None = None, choice: str = "") -> Table:
    """The table after the player who is asked has played this mask."""
    (ask,) = state.asks
    (card,) = [c for c in state.cards[f"hand/{ask.seat}"] if RULES.mask[c] == mask][:1]
    offers = RULES.offers(state, ask)
    verb = next(offer.verb for offer in offers if card in offer.cards)
    target = f"laid/{ask.seat}" if other is None else f"hand/{other}"
    return submit(RULES, state, ask.seat, Move(ask.id, verb, (card,), target, choice), "fox")


def guesses(state: State, viewer: int, seat: int) -> set[int]:
    """The masks that a bot at a seat may imagine another one to wear."""
    view = mask(state, viewer)
    worlds = [determinized(RULES, view, FastRng(number)) for number in range(60)]
    return {RULES.mask[card] for world in worlds for card in world.cards[f"hand/{seat}"]}


def said(table: Table, viewer: int) -> list[str]:
    """The sentences of the log as a viewer reads them."""
    events = events_by_viewer(table.befores, table.events, (viewer,))[viewer]
    return [event.text for event in events if isinstance(event, Said)]


def test_a_rumour_that_is_true_puts_a_player_out() -> None:
    state = play_mask(worn(RUMOUR, UMBRELLA, DANCE, STARE), RUMOUR, 1, "7").state
    assert state.values["out/1"] == 1
    assert not state.cards["hand/1"]
    assert state.asks[0].seat == 2


def test_everybody_knows_that_a_rumour_was_false() -> None:
    state = play_mask(worn(RUMOUR, UMBRELLA, DANCE, STARE), RUMOUR, 2, "7").state
    assert state.values["out/2"] == 0
    for viewer in (AUDIENCE, 0, 1):
        assert DANCE not in guesses(state, viewer, 2)


def test_a_keen_ear_alone_hears_the_answer() -> None:
    table = play_mask(worn(KEEN_EAR, UMBRELLA, STARE, RUMOUR), KEEN_EAR, 2)
    assert "{seat}'s mask is 3 or lower." in said(table, 0)
    for viewer in (1, 2, AUDIENCE):
        assert "{seat_listening} alone hears the answer." in said(table, viewer)
        assert not mask(table.state, viewer).facts
    assert max(guesses(table.state, 0, 2)) <= 3
    assert max(guesses(table.state, 1, 2)) > 3


def test_whoever_stares_with_the_lower_mask_is_out() -> None:
    state = play_mask(worn(STARE, GUST, KEEN_EAR, UMBRELLA), STARE, 1).state
    assert [state.values[f"out/{seat}"] for seat in range(3)] == [0, 1, 0]
    assert min(guesses(state, 2, 0)) > 3, "the mask that stays on was higher"


def test_a_tie_tells_everybody_that_both_masks_are_alike() -> None:
    state = play_mask(worn(STARE, GUST, GUST, UMBRELLA), STARE, 1).state
    view = mask(state, 2)
    for number in range(40):
        cards = determinized(RULES, view, FastRng(number)).cards
        masks = [[RULES.mask[card] for card in cards[f"hand/{seat}"]] for seat in (0, 1)]
        assert set(masks[0]) & set(masks[1])


def test_what_is_known_of_masks_dances_along() -> None:
    state = worn(DANCE, UMBRELLA, GUST, STARE)
    table = Table(state, SeededRng("fox"))
    (umbrella,) = [c for c in state.cards["hand/0"] if RULES.mask[c] == UMBRELLA]
    (gust,) = state.cards["hand/1"]
    table.announce("is", (gust,), NINE_TAILS, answer=0)
    after = play_mask(table.state, DANCE, 1).state
    assert [place.zone for fact in after.facts for place in fact.places] == ["hand/0"]
    assert umbrella in mask(after, 0).cards["hand/1"], "both know what they gave"
    assert gust in mask(after, 1).cards["hand/0"]


def test_an_umbrella_keeps_others_from_choosing() -> None:
    state = play_mask(worn(UMBRELLA, GUST, STARE, RUMOUR), UMBRELLA).state
    targets = {target for offer in RULES.offers(state, state.asks[0]) for target in offer.targets}
    assert "hand/0" not in targets


@pytest.mark.parametrize(("mask_lost", "out"), [(NINE_TAILS, 1), (DANCE, 0)])
def test_a_gust_takes_a_mask_away(mask_lost: int, out: int) -> None:
    state = play_mask(worn(GUST, STARE, RUMOUR, mask_lost), GUST, 2).state
    assert RULES.mask[state.cards["laid/2"][0]] == mask_lost
    assert state.values["out/2"] == out
    assert len(state.cards["hand/2"]) == 1 - out
