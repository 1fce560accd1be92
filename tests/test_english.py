"""A change adds no mechanical signs of unclear English; the report finds the planted ones."""

import json

import pytest

from tests import english

PLANTED = {
    "no imperative": 'def f():\n    """Whether it is there."""',
    "opens with Let or Have": 'def f():\n    """Let others play."""',
    "; whether": 'def f():\n    """Write the file; whether it worked."""',
    "this or these without a noun": 'def f():\n    """Return what this is for."""',
    "negative pronoun": 'class C:\n    """Waits for nobody."""',
    "; between sentences": '"""Write the file; notify its readers."""',
    "Raises with a pronoun": (
        'def f():\n    """Read.\n\n    Raises:\n        BadFile: it is none.\n    """'
    ),
    "vague constant": "PATIENCE = 5",
    "one-word signal": "class C:\n    over = Signal()",
}
CLEAR = '''
MAX_ROWS = 5
"""Rows of the table at most."""

class Writer:
    """Writes settings in the background."""

    write_failed = Signal(str)

    @property
    def pending(self):
        """Whether a write is pending."""

    def flush(self):
        """Write all pending settings.

        Raises:
            OSError: The disk refuses the file.
        """
'''


@pytest.mark.parametrize("sign", PLANTED)
def test_a_planted_sign_is_found(sign: str) -> None:
    assert sign in [each.sign for each in english.check(PLANTED[sign])]


def test_clear_english_has_no_findings() -> None:
    assert list(english.check(CLEAR)) == []


def test_more_findings_are_named_by_module() -> None:
    recorded = {"vague constant": {"a.py": 2, "b.py": 1}}
    moved = {"vague constant": {"a.py": 1, "c.py": 2}}
    added = {"vague constant": {"a.py": 2, "b.py": 2}, "one-word signal": {"d.py": 1}}
    assert english.increases(recorded, moved) == {}
    assert english.increases(recorded, added) == {
        "vague constant": ["b.py"],
        "one-word signal": ["d.py"],
    }


def test_the_tree_has_no_more_findings_than_recorded() -> None:
    recorded = json.loads(english.RECORDED.read_text("utf-8"))
    more = english.increases(recorded, english.count(english.findings()))
    assert not more, "reword, or see python3 -m tests.english"
