"""The message tables of docs/network.md are up to date, and tags fit the wire vocabulary."""

import re
from collections import Counter
from itertools import chain

import pytest

from tabletop.protocol.message_tags import WIRE_TAGS, wire_tag
from tabletop.web.wire import FromBrowser
from tests import wire_reference
from tests.wire_reference import SENDERS, MessageType, tag_of

MESSAGES = list(chain.from_iterable(SENDERS.values()))


def test_the_page_is_up_to_date() -> None:
    text = wire_reference.PAGE.read_text("utf-8")
    assert text == wire_reference.updated_page(text), "run python3 -m tests.wire_reference"


def test_the_order_of_messages_names_classes_that_exist() -> None:
    text = wire_reference.PAGE.read_text("utf-8")
    steps = re.findall(r"^ {4}.*\b(?:guest|owner|host) .*", text, re.MULTILINE)
    named = set(re.findall(r"\b[A-Z]\w+", "\n".join(steps)))
    assert named <= {message.__name__ for message in MESSAGES} | {"Reset"}
    assert len(named) > 20


@pytest.mark.parametrize("message", MESSAGES, ids=lambda each: each.__name__)
def test_each_message_has_the_tag_of_its_class(message: MessageType) -> None:
    assert tag_of(message) == wire_tag(message.__name__)


def test_each_sender_uses_a_tag_once() -> None:
    for messages in SENDERS.values():
        assert max(Counter(map(tag_of, messages)).values()) == 1


def test_no_tag_is_left_from_a_former_message() -> None:
    names = [message.__name__ for message in MESSAGES]
    assert len(names) == len(set(names))
    assert set(WIRE_TAGS) <= set(names)


def test_a_new_message_gets_the_name_of_its_class_as_tag() -> None:
    assert wire_tag("ShowTimer") == "ShowTimer"


def test_a_page_names_its_requests_as_guests_do() -> None:
    """A request that a gateway passes on has the name of the guest's message, and `Request`."""
    names = {m.__name__ for m in MESSAGES}
    requests = {m.__name__ for m in wire_reference.leaf_classes(FromBrowser)}
    shared = {name.removesuffix("Request") for name in requests} & names
    assert all(name.endswith("Request") for name in requests)
    assert {"LeaveSeat", "Play", "SetReady", "UndoMove", "Vote", "WriteNote"} <= shared
    assert {"ShowWelcome", "ShowFarewell", "ShowNotice"} <= names
