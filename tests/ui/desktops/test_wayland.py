"""The program under Wayland, by a real pointer and real keys: a game is begun, a menu opened, a
card dragged, a Japanese name typed."""

import shutil
from pathlib import Path

import pytest

from tests.ui.desktops.desktop_display import NEEDED, WANTED, on_display
from tests.ui.desktops.desktop_player import WELL
from tests.ui.desktops.japanese_input import BEGIN, THERE, words_before

pytestmark = pytest.mark.skipif(
    not (WANTED and THERE) or not all(map(shutil.which, ("weston", *NEEDED))),
    reason="a Wayland desktop with fcitx and mozc, or a pointer for it, is missing",
)
DESKTOP = f"""
{BEGIN}
weston --backend=x11-backend.so --use-pixman --width=1280 --height=800 --no-config --idle-time=0 \\
    --socket=wayland-test --log="$XDG_RUNTIME_DIR/weston.log" &
until [ -S "$XDG_RUNTIME_DIR/wayland-test" ]; do sleep 0.1; done
export QT_QPA_PLATFORM=wayland WAYLAND_DISPLAY=wayland-test QT_IM_MODULE=fcitx
for task in ${{!#}}; do
    TABLETOP_HOME="$HOME/$task" "${{@:1:$#-1}}" "$task" || break
done
kill %1 %2
"""
"""A compositor in a window that fills a display, and a program in it for each task. Without a
display the compositor has neither pointer nor keys."""


def test_a_game_is_begun_and_played(tmp_path: Path) -> None:
    tasks = "name menu drag"
    out, err = on_display(tmp_path, DESKTOP, tasks, *words_before(tmp_path))
    assert out.splitlines().count(WELL) == len(tasks.split()), err
