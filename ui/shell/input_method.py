"""Support for the Japanese input method fcitx on Linux desktops."""

import os

MODULE_VARIABLE, MODULES_VARIABLE = "QT_IM_MODULE", "QT_IM_MODULES"
PORTAL_VARIABLE = "IBUS_USE_PORTAL"


def reach_fcitx() -> None:
    """Make Qt use the ibus protocol, which fcitx understands.

    fcitx's own plugin works only with the Qt release it was built for, and neither PyPI's Qt nor
    our packages include it. Must be called before the QApplication is created.
    """
    modules = (os.environ.get(MODULES_VARIABLE) or os.environ.get(MODULE_VARIABLE, "")).split(";")
    if any(name.startswith("fcitx") for name in modules) and "ibus" not in modules:
        os.environ[MODULES_VARIABLE] = ";".join([*modules, "ibus"])
        # otherwise Qt skips ibus where no ibus-daemon is installed; fcitx answers to both names
        os.environ.setdefault(PORTAL_VARIABLE, "1")
