"""What is to be done in a lobby, in each language."""

import pytest

from tabletop.language.lobby_text import next_step_text
from tabletop.language.table_status import TablePeople
from tabletop.language.words import Words


@pytest.mark.parametrize(("language", "spaced"), [("ja", False), ("en", True)])
def test_two_sentences_follow_as_the_language_has_it(language: str, spaced: bool) -> None:
    told = next_step_text(TablePeople(phase="gathering", own=(0,), ready=False), Words(language))
    between = ". " if spaced else "。"
    assert told.count(between) >= 1
    assert ("。 " in told, " " in told) == (False, spaced)
