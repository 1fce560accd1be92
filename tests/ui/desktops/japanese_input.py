"""An input method for Japanese on a desktop of tests: fcitx with mozc."""

import os
import pwd
import shutil
from pathlib import Path

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
BEGIN = f"""
fcitx5 --disable={SILENT} >"$HOME/fcitx.log" 2>&1 &
until grep -q "Loaded addon mozc" "$HOME/fcitx.log"; do sleep 0.1; done
"""
"""The lines of a desktop's script that begin it."""
THERE = (
    all(map(shutil.which, ("fcitx5", "dbus-run-session", "unshare")))
    and Path("/usr/lib/mozc/mozc_server").exists()
)


def words_before(home: Path) -> tuple[str, ...]:
    """Choose mozc in this home; gives the words before the command of a desktop that has it."""
    profile = home / ".config" / "fcitx5" / "profile"
    profile.parent.mkdir(parents=True)
    profile.write_text(PROFILE, encoding="utf-8")
    return (*without_root(), "dbus-run-session", "--")


def without_root() -> tuple[str, ...]:
    """The words that make root somebody else: mozc does not serve root. The bus wants a user whom
    the system knows."""
    if os.geteuid():
        return ()
    user = pwd.getpwnam("nobody")
    return ("unshare", "--user", f"--map-user={user.pw_uid}", f"--map-group={user.pw_gid}")
