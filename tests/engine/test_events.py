"""Every kind of event is in every table by kinds of events."""

from typing import get_args

from tabletop.engine import events


def test_every_event_changes_a_table_in_one_way() -> None:
    assert set(events._FOLDED) == set(get_args(events.Event))
