"""Is every module of ours in the bundle, in the form it is to have, and all it needs of Qt?

    python3 modules.py BUNDLE COMPILED

Modules that can be imported where this runs must be there too, from their library if there is one
in COMPILED, a folder that may be missing. The bundle runs no script, but it runs games: one is
started there, and its rules import them all.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory

PACKAGES = ("tabletop", "ui")
PROGRAM = "tabletop-console" if sys.platform == "win32" else "tabletop"

RULES = """
from importlib import import_module as _import_module
from importlib.machinery import ExtensionFileLoader as _Library
from json import dumps as _dumps
from ui.style.qt_requirements import find_missing as _find_lacking

print(_dumps({{
    "forms": {{
        name: isinstance(_import_module(name).__loader__, _Library) for name in {names}
    }},
    "lacking": _find_lacking(load=True),
}}))
"""
"""At the end of a game's rules, so that they are rules as before."""


def importable() -> Iterator[str]:
    """The modules of ours that can be imported here; some want a library that only a few have."""
    for name in PACKAGES:
        yield name
        for module in walk_packages(import_module(name).__path__, f"{name}."):
            try:
                import_module(module.name)
            except ModuleNotFoundError as error:
                if (error.name or "").partition(".")[0] in PACKAGES:
                    raise
            else:
                yield module.name


def libraries(compiled: Path) -> set[str]:
    """The modules of ours that there is a library of."""
    suffix = EXTENSION_SUFFIXES[0]
    return {
        ".".join(file.relative_to(compiled).parts).removesuffix(suffix)
        for name in PACKAGES
        for file in (compiled / name).rglob(f"*{suffix}")
    }


def compiled_forms(bundle: Path, names: list[str]) -> dict[str, bool]:
    """Of each module whether the bundle takes it from a library, as it says itself.

    Raises:
        SystemExit: it lacks one, or something of Qt; the last line says what.
    """
    with TemporaryDirectory() as place:
        game = Path(place) / "modules"
        program = str(bundle.resolve() / PROGRAM)
        begin = [program, "new", "Modules", "--template", "dice", "--folder", str(game)]
        subprocess.run(begin, check=True, stdout=subprocess.DEVNULL)
        with (game / "rules.py").open("a", encoding="utf-8") as rules:
            rules.write(RULES.format(names=names))
        played = subprocess.run(
            [program, "simulate", str(game), "--games", "5"], capture_output=True, text=True
        )
    if played.returncode:
        raise SystemExit(f"a module is missing in the bundle:\n{played.stderr or played.stdout}")
    said = json.loads(played.stdout.partition("\n")[0])
    if said["lacking"]:
        raise SystemExit("\n".join(said["lacking"]))
    forms: dict[str, bool] = said["forms"]
    return forms


def main(bundle: Path, compiled: Path) -> int:
    names, wanted = list(importable()), libraries(compiled)
    forms = compiled_forms(bundle, names)
    wrong = sorted({name for name, library in forms.items() if library} ^ wanted)
    for name in wrong:
        print(f"{name}: not in the form that it was made in", file=sys.stderr)
    print(f"{len(forms)} modules, {len(wanted)} of them compiled")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
