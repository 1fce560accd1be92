"""The input method of a Linux desktop, by which Japanese is typed."""

import os

MODULE, MODULES = "QT_IM_MODULE", "QT_IM_MODULES"
PORTAL = "IBUS_USE_PORTAL"


def reach_fcitx() -> None:
    """Reach fcitx by the protocol of ibus, which fcitx understands too: its own plugin fits the one
    release of Qt that it was built with, and comes neither with Qt from pip nor with a package.
    Call it before the QApplication is made."""
    wanted = (os.environ.get(MODULES) or os.environ.get(MODULE, "")).split(";")
    if any(name.startswith("fcitx") for name in wanted) and "ibus" not in wanted:
        os.environ[MODULES] = ";".join([*wanted, "ibus"])
        # otherwise Qt skips ibus where no ibus-daemon is installed; fcitx answers to both names
        os.environ.setdefault(PORTAL, "1")
