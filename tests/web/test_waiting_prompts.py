"""What a phone shows of a wish to undo, and while the table waits for somebody."""

from msgspec.structs import replace

from tabletop.language.table_status import TableStatus
from tabletop.web import prompt
from tests.language.waiting_tables import HERE, PHONE, changed

WISH = replace(HERE, undo_of=1, asked_to_undo=(0,))
PAUSE = replace(HERE, missed=(1,), left=42)


def labels(status: TableStatus) -> list[str]:
    return [button.text for button in prompt.first_prompt(status)[1]]


def test_only_who_is_asked_answers_a_wish_to_undo() -> None:
    assert labels(changed(PHONE, people=WISH)) == ["Agree", "No"]
    assert labels(changed(PHONE, people=replace(WISH, undo_of=0, asked_to_undo=(1,)))) == []


def test_a_pause_counts_its_seconds_down() -> None:
    shown, buttons = prompt.first_prompt(changed(PHONE, people=PAUSE))
    assert (shown.seconds, buttons) == (42, ())
    assert labels(changed(PHONE, people=replace(PAUSE, missed=(0,)))) == ["I am back"]
    decides = ["Wait on", "Let a bot play", "End the match"]
    assert labels(changed(PHONE, people=replace(PAUSE, decides=True))) == decides
