"""The names of players."""

import pytest

from ui.shell.player_names import LONGEST, clean_name, reads_same, unused_name

LONG = "Wolfgang Amadeus of Salzburg"


@pytest.mark.parametrize("wish", ["Hinata", LONG, LONG[:LONGEST], LONG[: LONGEST - 1], "名" * 30])
def test_a_taken_name_gets_a_number_however_long(wish: str) -> None:
    taken: list[str] = []
    for number in range(1, 12):
        name = unused_name(wish, taken)
        assert not any(reads_same(name, other) for other in taken)
        assert name == wish if number == 1 else name.endswith(f" {number}")
        taken.append(clean_name(name))
