"""Steps of the build that pyproject.toml cannot express.

TABLETOP_HOMEPAGE is the web address of the project, where its files are below blob/ and raw/. PyPI
shows README.md with links and pictures there; without an address it shows neither.

Pictures, and a .mo of each .po, are put into the built package. With TABLETOP_COMPILED=1 in the
environment a wheel carries what bots run thousands of times a second as machine code too, made of
the same source by mypyc; without it nothing is compiled, and no compiler is needed.

A module that is compiled holds no class of msgspec's and no protocol: mypyc would take away what
their metaclasses do. See docs/decisions/compiling.md.
"""

import json
import os
import re
import shutil
import sys
from importlib.metadata import distribution
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))
from tabletop import __version__
from tabletop.text.translations import compile_catalogues

GAMES = {
    "awss": "rules board deck places draft judging marks scoring "
    "bot/boards bot/draft_forecast bot/draft_play bot/fast_score bot/hidden_cards bot/heuristic",
    "chains": "rules places openings bot",
    "royale": "rules areas attack battle dice intermission items phase places reaction_windows "
    "retirement turn bot/default_answers bot/evaluation bot/expected_damage bot/fighters "
    "bot/heuristic bot/pass_inference",
    "sisters": "rules rows lookahead bot",
    "sun": "rules places extermination bot",
}
ENGINE = (
    "chance dry_run heuristic mask model pen play scratch sequential_halving table teams values"
)
MODULES = [
    *(f"tabletop/engine/{module}.py" for module in ENGINE.split()),
    *(f"tabletop/bots/{module}.py" for module in ("agent", "hard", "normal", "plain_heuristic")),
    *(f"tabletop/games/{game}/{m}.py" for game, modules in GAMES.items() for m in modules.split()),
]
NEEDED = ["mypy[mypyc]>=1.18,<3", "msgspec>=0.21,<1"]
"""Besides a C compiler: mypyc, and what the compiled modules and those that they import take from
elsewhere, for its types."""


class WithMadeFiles(build_py):
    """`assets/` is beside the code, where drawing code looks for it, and is installed in `ui/`,
    because the top level of an installed Python belongs to everybody. A .mo is beside its .po."""

    def run(self) -> None:
        super().run()
        for package in ("tabletop", "ui"):
            compile_catalogues(Path("" if self.editable_mode else self.build_lib) / package)
        if not self.editable_mode:
            target = Path(self.build_lib) / "ui" / "assets"
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree("assets", target, ignore=shutil.ignore_patterns("readme"))
            if extensions:
                licences = Path(self.build_lib) / "ui" / "licences.json"
                licences.write_text(json.dumps([licence_of_runtime()]), encoding="utf-8")


def licence_of_runtime() -> dict[str, str]:
    """Machine code holds mypyc's own runtime, whose licence the About box shows therefore
    (`ui/settings/licences.py`)."""
    maker = distribution("mypy")
    (text,) = (file for file in maker.files or () if file.match("licenses/LICENSE"))
    return {
        "name": "mypyc",
        "version": maker.version,
        "kind": "MIT and PSF-2.0",
        "text": text.read_text(),
    }


HOMEPAGE = os.environ.get("TABLETOP_HOMEPAGE", "").rstrip("/")
PLACES = {"Changelog": "CHANGELOG.md", "Documentation": "docs/install.md"}
LINK = re.compile(r"(!?)\[([^]]*)\]\((?!https?:)([^)]+)\)")


def address(path: str, kind: str = "blob") -> str:
    """The web address of a file of this version."""
    return f"{HOMEPAGE}/{kind}/v{__version__}/{path}"


def readme() -> str:
    """README.md for a page elsewhere."""

    def link(found: re.Match[str]) -> str:
        picture, text, path = found.groups()
        if not HOMEPAGE:
            return "" if picture else text
        return f"{picture}[{text}]({address(path, 'raw' if picture else 'blob')})"

    return LINK.sub(link, Path("README.md").read_text("utf-8"))


wanted = os.environ.get("TABLETOP_COMPILED") == "1"
extensions = []
if wanted and not {"egg_info", "dist_info"} & set(sys.argv):  # they come before what is needed
    from mypyc.build import mypycify

    extensions = mypycify(MODULES, multi_file=True, debug_level="0", group_name="tabletop")

setup(
    long_description=readme(),
    long_description_content_type="text/markdown",
    project_urls={"Homepage": HOMEPAGE} | {name: address(path) for name, path in PLACES.items()}
    if HOMEPAGE
    else {},
    cmdclass={"build_py": WithMadeFiles},
    ext_modules=extensions,
    setup_requires=NEEDED if wanted else [],
)
