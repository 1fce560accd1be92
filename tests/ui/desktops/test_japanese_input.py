"""A Japanese name is typed by fcitx and mozc, where no ibus is installed."""

import shutil
from pathlib import Path

import pytest

from tests.ui.desktops.desktop_display import NEEDED, WANTED, on_display
from tests.ui.desktops.desktop_player import WELL
from tests.ui.desktops.japanese_input import BEGIN, THERE, words_before

pytestmark = pytest.mark.skipif(
    not (WANTED and THERE) or not all(map(shutil.which, ("openbox", *NEEDED))),
    reason="fcitx with mozc, or keys for it, are missing",
)
DESKTOP = f"""
{BEGIN}
openbox &
until xdotool get_num_desktops >/dev/null 2>&1; do sleep 0.1; done
QT_QPA_PLATFORM=xcb QT_IM_MODULE=fcitx "$@"
ended=$?
kill %1 %2
exit $ended
"""


def test_a_name_is_typed_and_counts_while_it_is_composed(tmp_path: Path) -> None:
    out, err = on_display(tmp_path, DESKTOP, "name", *words_before(tmp_path))
    assert out.splitlines()[-1:] == [WELL], err
