"""Mutation testing of one module: `python3 -m tests.mutants MODULE [TEST ...]`

Changes the module in many small ways and runs the tests, by default those of its package, on each
change. Prints the changes that no test finds. Needs the extra `mutation`.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
RESULT = re.compile(r"^\s*(\S+__mutmut_\d+): (.+)$", re.MULTILINE)
"""A line of `mutmut results`: the name of a mutant, and what became of it."""
FOUND = {"killed", "timeout", "segfault", "caught by type check"}


def copy_tree(target: Path) -> None:
    """Copy the files of the working tree that belong to the project."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name, follow_symlinks=False)


def configure(tree: Path, module: str, tests: Sequence[str]) -> None:
    """Append the settings of mutmut for one module to the tree's pyproject.toml."""
    source = module.partition("/")[0]
    others = [each.name for each in tree.iterdir() if each.name not in (source, "tests")]
    settings: dict[str, object] = {
        "source_paths": [source],
        "only_mutate": [module],
        "also_copy": sorted(others),
        "pytest_add_cli_args": ["-n", "0", "-p", "no:cacheprovider"],
        "pytest_add_cli_args_test_selection": list(tests),
    }
    lines = (f"{key} = {json.dumps(value)}" for key, value in settings.items())
    with (tree / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("\n".join(["", "[tool.mutmut]", *lines, ""]))


def run(tree: Path, *words: str, quiet: bool = False) -> str:
    command = [sys.executable, "-m", "mutmut", *words]
    done = subprocess.run(command, cwd=tree, text=True, stdout=subprocess.PIPE if quiet else None)
    return done.stdout or ""


def default_tests(module: str) -> str:
    """Return the folder of tests of the module's package."""
    folder = Path(module).parent
    parts = folder.parts[1:] if folder.parts[0] == "tabletop" else folder.parts
    return Path("tests", *parts).as_posix()


def main(words: Sequence[str]) -> int:
    if not words or not (ROOT / words[0]).is_file():
        print(__doc__, file=sys.stderr)
        return 2
    module, *tests = words
    with tempfile.TemporaryDirectory(prefix="tabletop-mutants-") as folder:
        tree = Path(folder)
        copy_tree(tree)
        configure(tree, module, tests or [default_tests(module)])
        run(tree, "run")
        mutants = dict(RESULT.findall(run(tree, "results", "--all", "true", quiet=True)))
        missed = [name for name, result in mutants.items() if result not in FOUND]
        for name in missed:
            print(f"\n{name}: {mutants[name]}\n{run(tree, 'show', name, quiet=True)}")
        counts = ", ".join(f"{count} {each}" for each, count in Counter(mutants.values()).items())
        print(f"\n{module}: {len(mutants)} mutants: {counts}")
    return 0 if mutants else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
