"""The page's floor: Safari 14, Chrome 87 and Firefox 88 run its scripts, and its style has nothing
essential that they lack."""

import re

import pytest

from ui.style.asset_folder import PHONE_PAGE_FOLDER

STARTS = PHONE_PAGE_FOLDER / "start.js"
"""What tells a browser below the floor; in the language of the oldest."""
SCRIPTS = sorted(path for path in PHONE_PAGE_FOLDER.glob("*.js") if path != STARTS)
STYLE = (PHONE_PAGE_FOLDER / "style.css").read_text("utf-8")

YOUNGER_SCRIPT = {
    r"\.at\(": "Array.at: Safari 15.4, Chrome 92",
    r"\.(findLast|findLastIndex)\(": "Safari 15.4, Chrome 97",
    r"\.(toSorted|toReversed|toSpliced|with)\(": "Safari 16, Chrome 110",
    r"\bObject\.(hasOwn|groupBy)\b": "Safari 15.4, Chrome 93",
    r"\bstructuredClone\b": "Safari 15.4, Chrome 98",
    r"\brandomUUID\b": "only where the page is encrypted",
    r"\bAbortSignal\.(timeout|any)\b": "Safari 16, Chrome 103",
    r"\bPromise\.(withResolvers|try)\b": "Safari 17.4, Chrome 119",
    r"\bcreateImageBitmap\b": "Safari 15",
    r"\(\?<[=!]": "looking behind in a pattern: Safari 16.4",
    r"/[dgimsuy]*v[dgimsuy]*\.test": "the flag v: Safari 17",
    r"^\s*static\s*\{": "static blocks: Safari 16.4, Chrome 94",
    r"[\s(]#\w+\s*[=(;]": "private members: Safari 15, Firefox 90",
    r"^(const .*= )?await ": "await outside a function: Safari 15, Chrome 89",
    r"\bcause:": "Error.cause: Safari 15",
    r"\.replaceChildren\(": "it came with Safari 14, but Chrome 86: write it down before it's used",
    r"\b(requestIdleCallback|scheduler|ViewTransition)\b": "Safari has none",
}
YOUNGER_STYLE = {
    r"\binset\s*:": "Safari 14.1",
    r"\baspect-ratio\s*:": "Safari 15, Chrome 88, Firefox 89",
    r":(has|is|where)\(": "Safari 15.4, Chrome 105",
    r"@(layer|container|scope|property)\b": "Safari 15.4, Chrome 99",
    r"\b(color-mix|oklch|lab|light-dark)\(": "Safari 16.2, Chrome 111",
    r"\((width|height)\s*[<>]": "ranges in media queries: Safari 16.4, Chrome 104",
    r"^\s*&": "nested rules: Safari 16.5, Chrome 112",
    r"\b\d*\.?\d+[dsl]v[hw]\b": "such units: Safari 15.4, Chrome 108; --high has a fallback",
    r"\boverflow\s*:\s*clip\b": "Safari 16",
    r"\bscrollbar-gutter\b": "Safari 18.2",
}
WITH_FALLBACK = "@supports (height: 1dvh) { :root { --high: 1dvh } }"


@pytest.mark.parametrize("pattern", YOUNGER_SCRIPT)
def test_no_script_is_younger_than_the_floor(pattern: str) -> None:
    for path in SCRIPTS:
        found = re.search(pattern, path.read_text("utf-8"), re.MULTILINE)
        assert not found, f"{path.name} has {found[0]!r}: {YOUNGER_SCRIPT[pattern]}"


@pytest.mark.parametrize("pattern", YOUNGER_STYLE)
def test_no_style_is_younger_than_the_floor(pattern: str) -> None:
    assert WITH_FALLBACK in STYLE
    found = re.search(pattern, STYLE.replace(WITH_FALLBACK, ""), re.MULTILINE)
    assert not found, f"style.css has {found[0]!r}: {YOUNGER_STYLE[pattern]}"


def test_focus_is_no_selector_beside_others() -> None:
    """Safari up to 15.3 doesn't know it, and drops a whole rule with it."""
    for rule in re.findall(r"([^{}]+)\{", STYLE):
        selectors = [each.strip() for each in rule.split("}")[-1].split("*/")[-1].split(",")]
        unknown = [":focus-visible" in each for each in selectors]
        assert all(unknown) or not any(unknown), rule


def test_a_dialog_opens_where_it_is_no_dialog() -> None:
    script = (PHONE_PAGE_FOLDER / "app.js").read_text("utf-8")
    for method in ("showModal", "close"):
        called = script.count(f"dialog.{method}()")
        assert called == script.count(f"if (dialog.{method}) dialog.{method}()") == 1


def test_what_tells_old_browsers_is_in_their_language() -> None:
    script = STARTS.read_text("utf-8")
    for younger in ("=>", "`", "const ", "let ", "?.", "??", "class ", "import", "...", "async"):
        assert younger not in re.sub(r"//.*", "", script).replace("classList", "")
    assert script.isascii() is False, "it speaks Japanese too"
    page = (PHONE_PAGE_FOLDER / "index.html").read_text("utf-8")
    assert page.index("/start.js") < page.index('type="module"')
