"""Names on the EX cards of Sister Royale are read in a hand of usual size."""

from itertools import pairwise

import pytest

from tabletop.catalogue import catalogue
from ui.table.layout.slots import make_slots


@pytest.mark.parametrize("count", [2, 3])
def test_no_ex_card_covers_the_name_of_another(count: int) -> None:
    layout = catalogue.load("royale").layout
    (place,) = (place for place in layout.place if place.zone == "hand/{me}")
    for before, after in pairwise(make_slots(place, place.at, count, None)):
        assert after.x - before.x >= before.width
