"""Where the installed program begins."""

import os
import sys
from multiprocessing import freeze_support


def begin() -> int:
    """Open the program, or run the command that was given."""
    from tabletop.__main__ import main

    return main()


def speak_ibus() -> None:
    """Reach fcitx by the protocol of ibus, which fcitx understands too: a plugin of its own fits
    the one release of Qt that it was built with, and so cannot be brought along."""
    if os.environ.get("QT_IM_MODULE", "").startswith("fcitx"):
        os.environ.setdefault("QT_IM_MODULES", f"{os.environ['QT_IM_MODULE']};ibus")


if __name__ == "__main__":
    freeze_support()  # a worker process begins here as well, and goes no further
    speak_ibus()
    sys.exit(begin())
