"""Playing a game of deduction in the program's window: a whispered answer is read by one alone."""

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE
from tabletop.match.match import Match, Player
from tabletop.storage import record, saved_matches
from tabletop.storage.verification import verify_record
from tests.ui.window_driver import Open, PatientBot, drag, look, offers_now, settle

KIT = catalogue.load("fox_masks")
PEOPLE = (Player("Ann", "sun"), Player("Ben", "moon"))
KEEN_EAR = 3


def with_a_keen_ear() -> tuple[Match, int]:
    """A match whose first player holds that mask, and its card."""
    for seed in map(str, range(100)):
        match = saved_matches.begin(KIT, PEOPLE, seed=f"ear {seed}")
        held = match.state.cards["hand/0"]
        ears = [card for card in held if KIT.rules.mask[card] == KEEN_EAR]
        if ears:
            return match, ears[0]
        match.concede(0)
    raise AssertionError("nobody is dealt one")


def test_an_answer_is_shown_to_the_seat_that_it_was_whispered_to(
    opened: Open, qtbot: PatientBot
) -> None:
    match, ear = with_a_keen_ear()
    window = opened()
    window.matches.show_match(match)
    screen = window.table
    look(qtbot, screen)
    assert any(ear in offer.cards for offer in offers_now(screen))
    drag(screen, ear, "hand/1")
    qtbot.waitUntil(lambda: match.state.ply == 1)
    settle()
    answers = ("Ben's mask is 4 or higher.", "Ben's mask is 3 or lower.")
    alone = "Ann alone hears the answer."
    own = " ".join(screen.words.log_line(said) for said in match.log(0))
    assert sum(answer in own for answer in answers) == 1
    assert not match.can_undo(0)
    look(qtbot, screen)  # the curtain falls, and Ben takes the mouse
    for viewer in (1, AUDIENCE):
        theirs = " ".join(screen.words.log_line(said) for said in match.log(viewer))
        assert alone in theirs
        assert not any(answer in theirs for answer in answers)
    seen = " ".join(screen.words.log_line(said) for said in screen.switch.shown_seat.log)
    assert alone in seen
    assert not any(answer in seen for answer in answers)
    file = screen.seated.record.file
    assert file is not None
    kept = record.replay(record.read(file))
    assert [kept.view(seat).facts for seat in (0, 1)] == [match.view(s).facts for s in (0, 1)]
    assert kept.log(0) == match.log(0)
    assert kept.log(1) == match.log(1)
    assert verify_record(record.read(file))
