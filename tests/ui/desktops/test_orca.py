"""A whole match played by what Debian's screen reader says, and by nothing else.

With TABLETOP_LONG=1 one of each game.
"""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.net.loopback import LONG
from tests.ui.desktops.blind_player import ENDED, ME, TITLES
from tests.ui.desktops.desktop_display import NEEDED, WANTED, on_display

pytestmark = pytest.mark.skipif(
    not WANTED or not all(map(shutil.which, ("orca", "openbox", "dbus-run-session", *NEEDED))),
    reason="Orca, or a desktop for it, is missing",
)
DESKTOP = """
openbox &
QT_QPA_PLATFORM=xcb "$@"
ended=$?
kill %1
exit $ended
"""
PLAYED = re.compile(rf"\b(?:Mugi|{ME}) (?:places|flips|plays) [^.]+\.")


@pytest.mark.parametrize("game", TITLES if LONG else ["sun"])
def test_a_match_is_played_by_what_is_heard(tmp_path: Path, game: str) -> None:
    out, err = on_display(tmp_path, DESKTOP, game, "dbus-run-session", "--", player="blind_player")
    course = out.splitlines()
    assert ENDED.search(course[-1] if course else ""), f"{out}\n{err}"
    # what the others do is heard, and nothing twice before the next key, which may read it again
    assert any(line.startswith("Mugi ") for line in course)
    for said in re.split(r"^\[.*\]$", out, flags=re.MULTILINE):
        played = Counter(PLAYED.findall(said))
        assert not [event for event, times in played.items() if times > 1], said
    # the result is heard whole: nothing stops it before the next key
    result = course.index(course[-1])
    assert "-" not in course[result + 1 : -2], course[result:]
