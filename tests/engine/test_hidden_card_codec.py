"""Hidden cards are like nothing else in the program, and outside it what they have always been."""

import msgspec
import pytest

from tabletop.engine.events import Event, Moved, Placed, Said, Shown, Shuffled, Thrown
from tabletop.engine.model import (
    AUDIENCE,
    NO_CARD,
    Move,
    Offer,
    Sight,
    State,
    Zone,
    back_of,
    everyone,
    hidden_card,
    is_face,
)
from tabletop.match.match import Reset, Update
from tabletop.protocol.codec import decode_host_message, encode
from tabletop.protocol.field_types import MAX_SEATS
from tabletop.protocol.messages import TableNews
from tabletop.storage.record_lines import event_lists_from, events_from_lists

BACKS = range(100)
HAND = Zone("hand", Sight.OWNER, 0, loose=True)


def test_a_hole_is_never_a_viewer_nor_no_card_nor_a_face() -> None:
    hidden_cards = {hidden_card(back) for back in BACKS}
    assert len(hidden_cards) == len(BACKS)
    assert AUDIENCE != NO_CARD
    assert hidden_cards.isdisjoint({NO_CARD, *everyone(MAX_SEATS)})
    assert not any(is_face(number) for number in (*hidden_cards, NO_CARD, AUDIENCE))
    assert all(is_face(card) for card in BACKS)
    assert [back_of(hidden_card(back)) for back in BACKS] == list(BACKS)


def test_a_hole_is_no_empty_spot_of_a_move_that_is_begun() -> None:
    offer = Offer("form", (0, 1), least=2, most=2, spots=("first", "second"))
    assert offer.begins(Move(0, "form", (0, NO_CARD)))
    assert not offer.begins(Move(0, "form", (0, hidden_card(0))))
    assert not offer.begins(Move(0, "form", (0, AUDIENCE)))


EVENTS: list[tuple[Event, str]] = [
    (
        Placed(HAND, (hidden_card(1), hidden_card(0), 7)),
        '["placed",{"name":"hand","sight":"owner","owner":0,"loose":true},[-2,-1,7]]',
    ),
    (Moved(hidden_card(0), "pile", "hand", 3, -1), '["moved",-1,"pile","hand",3,-1]'),
    (Moved(hidden_card(2), "pile", "hand", 3, -1), '["moved",-3,"pile","hand",3,-1]'),
    (Moved(5, "pile", "row", 3, 0), '["moved",5,"pile","row",3,0]'),
    (Shuffled("pile", (hidden_card(0), hidden_card(1))), '["shuffled","pile",[-1,-2]]'),
    (Shown("pile", hidden_card(1), 0, (AUDIENCE, 0)), '["shown","pile",-2,0,[-1,0]]'),
    (
        Thrown("cup", "box", (hidden_card(4), 9), (hidden_card(4), 8)),
        '["thrown","cup","box",[-5,9],[-5,8]]',
    ),
    (Said("{cards}", (4, hidden_card(0))), '["said","{cards}",[4,-1]]'),
]


@pytest.mark.parametrize(("event", "written"), EVENTS)
def test_a_file_numbers_holes_as_files_always_did(event: Event, written: str) -> None:
    (line,) = event_lists_from([event], answers=True)
    assert msgspec.json.encode(line).decode() == written
    assert events_from_lists((msgspec.json.decode(written),)) == (event,)


def test_the_wire_numbers_holes_as_protocol_1_does() -> None:
    """Byte for byte what a host of version 1 sends."""
    view = State(
        1, (0, 1), viewer=AUDIENCE, zones={"hand": HAND}, cards={"hand": (hidden_card(1), 0)}
    )
    told = TableNews(
        3,
        {
            AUDIENCE: Reset(view, (Said("{card}", (hidden_card(1),)),)),
            0: Update(2, (Moved(hidden_card(0), "pile", "hand", 0, -1),)),
        },
    )
    sent = (
        '{"type":"told","at":3,"what":{"-1":{"type":"reset","view":{"seats":1,"backs":[0,1],'
        '"options":{},"viewer":-1,"zones":{"hand":{"name":"hand","sight":"owner","owner":0,'
        '"loose":true}},"cards":{"hand":[-2,0]},"shown":{},"values":{},"asks":[],"answers":{},'
        '"agenda":[],"asked":0,"ply":0,"result":null},"log":[{"type":"said","text":"{card}",'
        '"cards":[-2],"args":{},"tag":""}],"offers":{},"undoable":false},"0":{"type":"update","ply":2,'
        '"events":[{"type":"moved","card":-1,"source":"pile","target":"hand","at":0,"to":-1}],'
        '"offers":{},"undoable":false}}}'
    )
    assert encode(told).decode() == sent
    assert decode_host_message(sent) == told
