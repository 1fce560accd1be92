"""Japanese can be typed by fcitx, whose plugin comes neither with pip's Qt nor with a package."""

from types import SimpleNamespace

import pytest

from ui import program
from ui.shell.input_method import MODULE_VARIABLE, MODULES_VARIABLE, PORTAL_VARIABLE, reach_fcitx


@pytest.mark.parametrize(
    ("module", "modules", "reached"),
    [
        ("fcitx", "", "fcitx;ibus"),
        ("fcitx5", "", "fcitx5;ibus"),
        ("", "wayland;fcitx", "wayland;fcitx;ibus"),
        ("fcitx", "wayland;fcitx;ibus", "wayland;fcitx;ibus"),
        ("ibus", "", ""),
        ("", "", ""),
    ],
)
def test_fcitx_is_reached_as_ibus_is(
    monkeypatch: pytest.MonkeyPatch, module: str, modules: str, reached: str
) -> None:
    environment = {MODULE_VARIABLE: module, MODULES_VARIABLE: modules}
    monkeypatch.setattr("os.environ", environment)
    reach_fcitx()
    assert environment[MODULES_VARIABLE] == reached
    reaches = reached.endswith(";ibus") and "ibus" not in modules
    assert environment.get(PORTAL_VARIABLE, "") == ("1" if reaches else ""), "also where no ibus is"


def test_the_program_reaches_it_before_qt_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also without a package: the cure is part of the program's start."""

    class Reached(Exception):
        pass

    def reach() -> None:
        raise Reached

    def no_qt() -> None:
        raise AssertionError("Qt has begun")

    monkeypatch.setattr(program, "reach_fcitx", reach)
    monkeypatch.setattr(program, "QApplication", SimpleNamespace(instance=no_qt))
    with pytest.raises(Reached):
        program.run()
