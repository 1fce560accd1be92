"""A Japanese name is typed by fcitx and mozc, where no ibus is installed."""

import os
import shutil
from pathlib import Path

import pytest

from tests.ui.desktops.desktop_display import NEEDED, WANTED, on_display
from tests.ui.desktops.desktop_player import WELL

pytestmark = pytest.mark.skipif(
    not WANTED
    or not all(map(shutil.which, ("fcitx5", "openbox", "dbus-run-session", "unshare", *NEEDED)))
    or not Path("/usr/lib/mozc/mozc_server").exists(),
    reason="fcitx with mozc, or keys for it, are missing",
)
PROFILE = """[Groups/0]
Name=Default
Default Layout=us
DefaultIM=mozc
[Groups/0/Items/0]
Name=keyboard-us
Layout=
[Groups/0/Items/1]
Name=mozc
Layout=
[GroupOrder]
0=Default
"""
SILENT = "kimpanel,notifications,notificationitem,classicui,wayland,cloudpinyin"
"""Parts of fcitx that ask for more of a desktop, and wait for it."""
DESKTOP = f"""
fcitx5 --disable={SILENT} >"$HOME/fcitx.log" 2>&1 &
until grep -q "Loaded addon mozc" "$HOME/fcitx.log"; do sleep 0.1; done
openbox &
QT_QPA_PLATFORM=xcb QT_IM_MODULE=fcitx "$@"
ended=$?
kill %1 %2
exit $ended
"""


def test_a_name_is_typed_and_counts_while_it_is_composed(tmp_path: Path) -> None:
    profile = tmp_path / ".config" / "fcitx5" / "profile"
    profile.parent.mkdir(parents=True)
    profile.write_text(PROFILE, encoding="utf-8")
    # mozc serves nobody who is root
    user = ("unshare", "--user", "--map-user=1000", "--map-group=1000") if os.geteuid() == 0 else ()
    out, err = on_display(tmp_path, DESKTOP, "name", *user, "dbus-run-session", "--")
    assert out.splitlines()[-1:] == [WELL], err
