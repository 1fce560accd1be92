"""The papers name only existing things, and both READMEs say the same."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.bench import topics

HOME = Path(__file__).parents[1]
PAPERS = sorted([*HOME.glob("*.md"), *HOME.glob("docs/**/*.md"), *HOME.glob("docs/**/*.svg")])
FOLDERS = "assets|docs|packaging|tabletop|tests|ui"
NAMED = re.compile(rf"(?<![\w./-])(?:{FOLDERS})/[\w./-]*\w(?!\w|\*|<\w)")
"""A file or folder of the project; of `tabletop/games/<name>/` what is before the gap."""
COPIED = re.compile(r"^cp -r \S+ (\S+)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s]+)\)")
RUN = re.compile(r"python3 -m (tests\.\w+(?:\.\w+)*)(?: ([a-z]\w*))?")
FENCED = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


def name(paper: Path) -> str:
    return str(paper.relative_to(HOME))


def anchors(text: str) -> set[str]:
    """The anchors of a text: its headings, as hosts of Markdown spell them."""
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def missing(text: str) -> list[str]:
    """The files and folders that a text names, and that are not there; but for those that a reader
    has just made."""
    made = tuple(COPIED.findall(text))
    named = [path for path in NAMED.findall(text) if not (made and path.startswith(made))]
    return [path for path in named if not (HOME / path).exists()]


def broken(paper: Path, text: str) -> list[str]:
    """The links of a paper that lead nowhere."""
    found = []
    for link in LINK.findall(text):
        if "://" in link:
            continue
        target, _, anchor = link.partition("#")
        file = (paper.parent / target).resolve() if target else paper
        if not file.exists() or (anchor and anchor not in anchors(file.read_text("utf-8"))):
            found.append(link)
    return found


@pytest.mark.parametrize("paper", PAPERS, ids=name)
def test_named_is_there(paper: Path) -> None:
    text = paper.read_text("utf-8")
    if paper.name != "CHANGELOG.md":  # it mentions former files
        assert not missing(text)
    assert not broken(paper, text)
    for module, topic in RUN.findall(text):
        assert find_spec(module), module
        if module == "tests.bench" and topic:
            assert topic in topics(), topic


def test_what_is_not_there_is_found() -> None:
    assert missing("see `ui/nowhere.py` and `tabletop/games/<name>/rules.py`") == ["ui/nowhere.py"]
    assert broken(HOME / "README.md", "[a](docs/nowhere.md) [b](README.md#nowhere)") == [
        "docs/nowhere.md",
        "README.md#nowhere",
    ]


def glossary() -> list[tuple[str, list[str]]]:
    """Each word of the glossary, and what the last column names."""
    lines = (HOME / "docs/glossary.md").read_text("utf-8").splitlines()
    cells = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    return [(word, re.findall("`([^`]+)`", where)) for word, _, where in cells if "`" in where]


@pytest.mark.parametrize(("word", "named"), glossary(), ids=[word for word, _ in glossary()])
def test_glossary_tells_where_a_word_lives(word: str, named: list[str]) -> None:
    files = [HOME / part for part in named if "/" in part]
    assert files
    assert all(file.is_file() for file in files), word
    source = "".join(file.read_text("utf-8") for file in files)
    for part in named:
        if "/" not in part:
            defined = rf"^(?:class|def) {part}\b|^{part}\b[^=\n]*="
            assert re.search(defined, source, re.MULTILINE), f"{word}: {part}"


def test_words_of_the_glossary_mean_one_thing() -> None:
    words = [word for cell, _ in glossary() for word in cell.split(", ")]
    assert len(words) == len(set(words)) > 20


def test_every_page_is_found_from_contributing() -> None:
    start = HOME / "CONTRIBUTING.md"
    found, ways = {start}, [start]
    while ways:
        paper = ways.pop()
        for link in LINK.findall(paper.read_text("utf-8")):
            file = (paper.parent / link.partition("#")[0]).resolve()
            if file.suffix == ".md" and file.is_file() and file not in found:
                found.add(file)
                ways.append(file)
    assert not set(HOME.glob("docs/**/*.md")) - found


def commands(text: str) -> list[str]:
    """The commands of a paper, without its comments."""
    lines = "".join(FENCED.findall(text)).splitlines()
    return [line.partition(" #")[0].rstrip() for line in lines]


def test_both_readmes_tell_the_same() -> None:
    english, japanese = ((HOME / f).read_text("utf-8") for f in ("README.md", "README.ja.md"))
    assert commands(english) == commands(japanese) != []
    shape = re.compile(r"^(#+) |^\| ?[-:]|^- |!\[[^]]*\](\([^)]*\))", re.MULTILINE)
    japanese = japanese.replace("(assets/readme/ja/", "(assets/readme/")  # where it has its own
    assert [m.groups() for m in shape.finditer(english)] == [
        m.groups() for m in shape.finditer(japanese)
    ]


def test_readme_sets_up_as_the_checks_do() -> None:
    """Its lines set up the same as `.ci/run`."""
    typed = commands((HOME / "README.md").read_text("utf-8"))
    run = (HOME / ".ci/run").read_text("utf-8")
    assert "python3 -m pip install -e '.[dev]' && python3 -m tabletop" in typed
    assert "python3 -m pip install -e '.[dev]' && python3 -m pytest" in typed
    assert "step python3 -m pip install -q -e '.[dev]'\nstep python3 -m pytest\n" in run
    wanted = set(re.search(r'^libraries="([^"]*)"', run, re.MULTILINE)[1].split())
    wanted -= {"xvfb", "xauth", "dbus", "at-spi2-core"}  # tests alone need these
    assert set(next(line for line in typed if "apt install libegl1" in line).split()[3:]) == wanted
