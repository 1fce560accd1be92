"""Sentences that address the reader as "you".

A template names a player in the third person: "{seat} rolls {die}.". If the player is the reader,
English also changes the verb: "You roll {die}.". Other languages only change the name.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from tabletop.text.phrases import GAP, fill_gaps, phrase

YOU = phrase("You")
"""The name of the reader, as at the start of a sentence."""

_READER = re.compile(rf"{YOU}(?:$| and |, )")
"""Matches a list of players that starts with the reader: "You", "You and Mugi"."""

_NAME_GAPS = ("seat", "name", "player", "one", "other", "first", "second", "most", "last")
"""The placeholders for players start with one of these."""

_OWN = re.compile(r"Your ")
"""Matches the name of the reader's zone: "Your hand"."""

_START = r"(?:^|[.:;!?…—] )"
_SENTENCE_START = re.compile(r"(?:[.!?…] |[\"“(])$")
"""Matches the text before a placeholder that starts a sentence or a quotation."""
_CLAUSE = rf"(?:{_START}|, |\b(?:and|because|but|if|or|so|than|that|unless|until|when|while) )"
"""Matches what may precede the subject of a clause."""

_ADVERBS = r"(?:also|already|again|just|never|now|only|still|then) "

_AUXILIARIES = {
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    "isn't": "aren't",
    "wasn't": "weren't",
    "hasn't": "haven't",
    "doesn't": "don't",
}

_ES_ENDINGS = ("sses", "shes", "ches", "xes", "zzes", "oes")
"""The endings of verbs whose third person adds "es"."""

_NO_VERBS = frozenset({"always", "as", "his", "its", "less", "perhaps", "plus", "this", "thus"})
"""Words in "s" that may follow a subject and aren't verbs."""

_SECOND_VERB = re.compile(
    rf"(?P<before>(?:, | )(?:and|but|or|then) (?:{_ADVERBS})?)(?P<verb>[a-z']+s)"
    r"(?= (?:a|all|an|as|at|for|from|in|into|it|its|no|nothing|on|out|the|their|to|up|\{))"
)
"""Matches another verb of the same subject: "lets the fish go and takes {cards}"."""


def fill_sentence(text: str, gaps: Mapping[str, object]) -> str:
    """Return the English `text` with its placeholders replaced, addressing the reader.

    `YOU` becomes "your" before "'s", and "you" inside a sentence. The verb after `YOU` at the start
    of a clause changes its form.
    """
    readers = [
        gap
        for gap, value in gaps.items()
        if gap.startswith(_NAME_GAPS) and _READER.match(str(value))
    ]
    lowered = {gap for gap in gaps if gap.startswith("zone") and _OWN.match(str(gaps[gap]))}
    lowered.update(readers)
    if not lowered:
        return fill_gaps(text, gaps)
    for gap in readers:
        text = _address(text, gap)
    parts = GAP.split(text)
    for at in range(1, len(parts), 2):
        gap, before = parts[at], parts[at - 1]
        value = str(gaps.get(gap, f"{{{gap}}}"))
        starts = at == 1 if not before else _SENTENCE_START.search(before)
        parts[at] = value[0].lower() + value[1:] if gap in lowered and not starts else value
    return "".join(parts)


@lru_cache(maxsize=1024)
def _address(text: str, gap: str) -> str:
    """Return the English template `text` with the player `{gap}` in the second person."""
    subject = rf"\{{{re.escape(gap)}\}}"
    text = re.sub(rf"(^|[.!?…] ){subject}'s\b", r"\1Your", text)
    text = re.sub(rf"{subject}'s\b", "your", text)
    text = re.sub(rf"\bthe (\w+) of {subject}", r"your \1", text)
    if re.search(rf"{subject} (?:and|or) \{{|\}} (?:and|or) {subject}", text):  # a plural subject
        return text
    verb = re.compile(
        rf"(?P<before>{_CLAUSE}{subject} (?:{_ADVERBS})?)(?P<verb>[a-z']+)\b(?P<rest>[^.;!?]*)"
    )
    text = verb.sub(
        lambda at: (
            at["before"]
            + _second_person(at["verb"])
            + _SECOND_VERB.sub(
                lambda more: more["before"] + _second_person(more["verb"]), at["rest"]
            ).replace(" their ", " your ")
        ),
        text,
    )
    return re.sub(
        rf"({subject} )({'|'.join(_AUXILIARIES)})\b", lambda at: at[1] + _AUXILIARIES[at[2]], text
    )


def _second_person(verb: str) -> str:
    """Return the second person of an English verb in the third: "tries" becomes "try"."""
    if verb in _AUXILIARIES:
        return _AUXILIARIES[verb]
    if not verb.endswith("s") or verb.endswith("ss") or verb in _NO_VERBS:
        return verb
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(_ES_ENDINGS) else verb[:-1]
