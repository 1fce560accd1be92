"""What pyproject.toml cannot say: with TABLETOP_COMPILED=1 in the environment a wheel carries what
bots run thousands of times a second as machine code, made of the same source by mypyc. Without it
nothing is compiled, and no compiler is needed.

A module that is compiled holds no class of msgspec's and no protocol: mypyc would take away what
their metaclasses do. docs/decisions/compiling.md tells more.
"""

import os
import sys

from setuptools import setup

GAMES = {
    "awss": "rules board places draft jury marks scoring "
    "bot/boards bot/draft_forecast bot/fast_score bot/instinct bot/passing",
    "chains": "rules places openings bot",
    "royale": "rules areas attack battle dice intermission items phase places retirement turn "
    "windows bot/instinct bot/tells",
    "sisters": "rules bot",
    "sun": "rules places extermination bot",
}
MODULES = [
    *(f"tabletop/engine/{module}.py" for module in ("mask", "play", "scratch", "table")),
    *(f"tabletop/bots/{module}.py" for module in ("hard", "mind", "normal", "plain_instinct")),
    *(f"tabletop/games/{game}/{m}.py" for game, modules in GAMES.items() for m in modules.split()),
]
NEEDED = ["mypy[mypyc]>=1.18,<3", "msgspec>=0.21,<1"]
"""Besides a C compiler; the second for its types."""

wanted = os.environ.get("TABLETOP_COMPILED") == "1"
extensions = []
if wanted and not {"egg_info", "dist_info"} & set(sys.argv):  # they come before what is needed
    from mypyc.build import mypycify

    extensions = mypycify(MODULES, multi_file=True, debug_level="0", group_name="tabletop")

setup(ext_modules=extensions, setup_requires=NEEDED if wanted else [])
