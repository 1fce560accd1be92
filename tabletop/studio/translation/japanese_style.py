"""Style checker for Japanese texts: sentence form by kind of text, punctuation, and terminology.

The kind of a text (a log line, a prompt, a card) follows from where its English original is
written. The terms, and the words to avoid for each, are in `japanese_terms.toml`.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tabletop.games.typed_toml import TomlFile
from tabletop.text.translations import parse

TERMS_FILE = Path(__file__).with_name("japanese_terms.toml")

JAPANESE = "぀-ヿ一-鿿々"
JAPANESE_CHARACTER = re.compile(f"[{JAPANESE}]")
"""Matches a Japanese character."""
_POLITE = r"(です|ます|ません|ました|でした|ませんでした|ましょう|でしょう|ください|ですか|ますか)"
_QUOTED = re.compile(r"「[^「」]*」|（[^（）]*）")


class SentenceForm(NamedTuple):
    """The required form of the sentences of one kind of text."""

    fits: str
    """A regular expression that every sentence must match, without its full stop."""
    stop: bool | None
    """Whether the text ends in "。"; None if both are allowed."""
    rule: str


_PLAIN = rf"(?!.*{_POLITE}$).*"
LOG = SentenceForm(
    r".*(ました|でした|です|(い|あり|になり)ません)", True, "past and polite (〜ました。〜です。)"
)
REFUSAL = SentenceForm(
    rf".*{_POLITE}？?", None, "polite, a reason and then a remedy (〜です。〜てください。)"
)
SPOKEN = SentenceForm(rf".*{_POLITE}", True, "polite (〜です。〜ます。)")
PROMPT = SentenceForm(
    r".*(ください|ますか？|ですか？|です|ます|ません|ました)",
    False,
    "〜てください or 〜ますか？, no 。",
)
BUTTON = SentenceForm(_PLAIN, False, "a noun or a dictionary form, no です and no 。")
REMARK = SentenceForm(
    rf"(?!.*(ました|でした)$).*{_POLITE}",
    True,
    "polite and of what will be (〜ます。〜です。), not past",
)
LESSON = SentenceForm(rf".*{_POLITE}[？]?", True, "polite (〜です。〜ましょう。)")
CARD = SentenceForm(_PLAIN, True, "plain (する。〜点。), no です and ます")
LEGEND = SentenceForm(_PLAIN, False, "plain, no です and no 。 at the end")
SUMMARY = SentenceForm(_PLAIN, True, "plain (〜する。), no です and ます")
IDLE = SentenceForm(rf".*{_POLITE}", False, "polite, no 。 at the end")

Kinds = Mapping[str, SentenceForm]

FORMS_BY_CALL: Kinds = {
    "say": LOG,
    "Remark": REMARK,
    "tell": SPOKEN,
    **dict.fromkeys(
        ("Reason", "BadFile", "RulesMismatch", "Damaged", "StorageError", "DiskFull"), REFUSAL
    ),
    **dict.fromkeys(("OpenElsewhere", "BadInvitation"), REFUSAL),
}
"""The sentence form of the first argument of a call, by the last part of the function's name."""
_ENDS = tuple(".!?")

WRONG_CHARACTERS: Mapping[str, str] = {
    rf"(?<=[{JAPANESE}）」、。}}])[!?:;](?!/)": "a half-width sign in Japanese: write ！？：；",
    rf"[()](?=[{JAPANESE}])|(?<=[{JAPANESE}])[()]": "half-width brackets: write （ ）",
    r"％": "a full-width ％: write %",
    r"\s%": "a space before %: write 60%",
    r"(?<![A-Za-z0-9}\-.])-(?=\d)": "a hyphen as minus: write −",
    r"～": "a full-width tilde (U+FF5E): write 〜",
    r"[≥≤]": "≥ or ≤: write ≧ or ≦",
    r"\d°|\}°": "°: write 度",
    r"[０-９Ａ-Ｚａ-ｚ]": "full-width digits or letters: write half-width ones",
    rf"(?<=[{JAPANESE}）」]) +(?=[\w{{(])": "a half-width space in Japanese: write none",
    rf"(?<=[\w}}%]) +(?=[{JAPANESE}（「])": "a half-width space in Japanese: write none",
    r"(?<=[。、？！…：；・]) ": "a half-width space after a full-width sign: write none or 　",
    r"？(?=[^？！、。…」』（）)\s])": "nothing after a ？ within a text: write ？　",
    r"·": "a Latin middle dot: write ・",
    r"(?<=\d)–(?=\d)": "a dash between numbers: write 〜",
    rf"(?<=[{JAPANESE}])/(?=[{JAPANESE}])": "a half-width slash: write ・, 、 or ／",
    rf"(?<=[{JAPANESE}）」}}]), ": "a half-width comma: write 、",
}
"""Regular expressions that match wrong characters, each with its message."""
EXEMPT_NAMES = ("Tabletop 卓",)
"""Names that are exempt from `WRONG_CHARACTERS`."""
_CODE = re.compile(r"`[^`]*`|\]\([^()]*\)|<[^<>]*>")
"""Matches the parts of a Markdown document that aren't text."""
_SIGNS = tuple("。、！？：（）「」『』〜＋−")
_HEADING = re.compile(r"^#+ \d+(?:\.\d+)* ")
_PLAIN_END = re.compile(
    r"([くぐつぬぶむる]|(?<!しょ)う|(?<![でま])す|ない|よい|(?<![まで])した|った|んだ|である)$"
)


class Term(NamedTuple):
    """A term: the word to use, and the words to avoid."""

    say: str
    never: re.Pattern[str]
    only: tuple[str, ...]
    spared: tuple[str, ...]
    but: tuple[str, ...]

    def holds_in(self, file: str) -> bool:
        """Return whether the term applies to `file`."""
        held = not self.only or any(file.startswith(each) for each in self.only)
        return held and not any(file.startswith(each) for each in self.spared)


@cache
def load_terms() -> tuple[Term, ...]:
    """Return the terms of `japanese_terms.toml`."""
    rows = tomllib.loads(TERMS_FILE.read_text("utf-8"))["term"]
    return tuple(
        Term(
            row["say"],
            re.compile(row["never"]),
            *(tuple(row.get(key, ())) for key in ("only", "except", "but")),
        )
        for row in rows
    )


def find_faults(text: str, file: str = "", form: SentenceForm | None = None) -> Iterator[str]:
    """Yield a message for each fault in the Japanese text `text` of `file`."""
    if not JAPANESE_CHARACTER.search(text):
        return
    plain = text
    for name in EXEMPT_NAMES:
        plain = plain.replace(name, "")
    for sign, advice in WRONG_CHARACTERS.items():
        if found := re.search(sign, plain):
            yield f'{advice}, at "{_excerpt(plain, *found.span())}"'
    for term in load_terms():
        found = term.never.search(plain) if term.holds_in(file) else None
        if found and not any(each in text for each in term.but):
            yield f'"{found[0]}": one name a thing, write {term.say}'
    sentences = _sentences(text)
    plain_ends = [each for each in sentences if _PLAIN_END.search(each)]
    if plain_ends and any(re.search(f"{_POLITE}$", each) for each in sentences):
        yield f'"{plain_ends[0]}": polite and plain in one text'
    if form is not None:
        yield from _faults_of_form(text, sentences, form)


def _sentences(text: str) -> list[str]:
    """Return the sentences of `text` without quotations and parentheses."""
    while _QUOTED.search(text):
        text = _QUOTED.sub("", text)
    return [each.strip() for each in re.split(r"。|(?<=？)　", text) if each.strip()]


def _faults_of_form(text: str, sentences: list[str], form: SentenceForm) -> Iterator[str]:
    if form.stop is not None and form.stop != text.endswith("。"):
        stop = "ends in 。" if form.stop else "ends without 。"
        yield f"such a text {stop}: {form.rule}"
    for sentence in sentences:
        if not re.fullmatch(form.fits, sentence):
            yield f'"{sentence}": such a text is {form.rule}'


def check_folder(folder: Path, named: str) -> Iterator[str]:
    """Yield a line for each fault in the Japanese catalogue and rulebook of `folder`. `named`: what
    messages call the folder.
    """
    catalogue, book = folder / "ja.po", folder / "rulebook.ja.md"
    if catalogue.is_file():
        yield from _of_catalogue(catalogue, f"{named}/{catalogue.name}", forms(folder))
    if book.is_file():
        yield from check_document(book, f"{named}/{book.name}")


def _of_catalogue(file: Path, short: str, known: Mapping[str, SentenceForm]) -> Iterator[str]:
    for message in parse(file.read_bytes()):
        if isinstance(message.id, str) and message.id and isinstance(message.string, str):
            for fault in find_faults(message.string, short, known.get(message.id)):
                yield f'{short}:{message.lineno}: "{_shorten(message.string)}": {fault}'


def check_document(file: Path, short: str) -> Iterator[str]:
    """Yield a line for each fault in a Japanese rulebook or other Markdown document, outside its
    code blocks. `short`: what messages call the file.
    """
    code = False
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        code ^= line.startswith("```")
        if code:
            continue
        bare = re.sub(r"^\s*(#+|-|\d+\.|>) |\*\*", "", line.strip("| "))
        found = [*find_faults(_CODE.sub("", bare), short)]
        if _HEADING.match(line):
            found.append("a half-width space after a heading's number: write 　")
        if re.search(r"(?<!\*)\*(?!\*)[^*]+\*(?!\*)", line):
            found.append("italics: Japanese has none, write ** ** or 「」")
        if _broken_bold(line):
            found.append(
                "** ** beside a sign, which Markdown prints: write 「」 or leave the sign out"
            )
        if line.endswith("。") and not line.startswith("|"):
            ends = filter(None, map(_PLAIN_END.search, _sentences(bare)))
            found += [f'a rulebook is polite, not "{end[0]}。"' for end in ends]
        yield from (f'{short}:{number}: "{_shorten(line)}": {each}' for each in found)


def _broken_bold(line: str) -> bool:
    """Return whether `**` in `line` isn't recognised as markup, because it is between punctuation
    and a letter.
    """
    parts = line.split("**")
    around = zip(parts[::2], parts[1::2], parts[2::2], strict=False)
    return any(
        (inner[-1:] in _SIGNS and after[:1].isalnum())
        or (inner[:1] in _SIGNS and before[-1:].isalnum())
        for before, inner, after in around
        if inner
    )


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"


def _excerpt(text: str, start: int, end: int) -> str:
    return text[max(0, start - 6) : end + 6]


# Kinds of texts


def forms(folder: Path) -> Mapping[str, SentenceForm]:
    """Return the required form of each English text in `folder`, by text. Texts of unknown kinds
    are omitted.
    """
    found: dict[str, SentenceForm] = {}
    for file in sorted(folder.rglob("*.py")):
        for text, form in _texts_by_form(ast.parse(file.read_text("utf-8"))):
            found.setdefault(text, form)
    for name, texts_of in FORM_FINDERS.items():
        file = folder / name
        if file.is_file():
            written = TomlFile(name, file.read_text("utf-8"), 0).table
            for text, form in texts_of(written):
                found.setdefault(text, form)
    return found


def _texts_by_form(tree: ast.AST) -> Iterator[tuple[str, SentenceForm]]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, *_]) if (
                name in FORMS_BY_CALL
            ):
                yield from (
                    (text, FORMS_BY_CALL[name]) for text in _texts_of(first) if text[-1:] in _ENDS
                )


def _texts_of(node: ast.expr) -> Iterator[str]:
    """Yield the string constants of an argument, including those in a conditional
    expression or in `phrase`.
    """
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from _texts_of(body)
            yield from _texts_of(other)
        case ast.Call(func=ast.Name(id="phrase"), args=[marked]):
            yield from _texts_of(marked)


def _of_words(written: Mapping[str, Any]) -> Iterator[tuple[str, SentenceForm]]:
    for ask in written.get("asks", {}).values():
        for text in (ask["prompt"], *_strings(ask.get("prompts", {}))):
            yield text, PROMPT
    for verb in written.get("verbs", {}).values():
        yield verb["sentence"], BUTTON
        if "choose" in verb:
            yield verb["choose"], PROMPT
    for text in written.get("told", {}).values():
        yield text, SPOKEN
    for text in written.get("choices", {}).values():
        yield text, BUTTON
    for text in written.get("turn", ()):
        yield text, SUMMARY
    for key in ("goal", "aim"):
        if key in written:
            yield written[key], LESSON


def _of_cards(written: Mapping[str, Any]) -> Iterator[tuple[str, SentenceForm]]:
    for card in written.get("card", ()):
        if "text" in card:
            yield card["text"], CARD
    for option in written.get("box", {}).get("options", ()):
        yield option["label"], BUTTON
        yield from ((choice["label"], BUTTON) for choice in option["choices"])


def _of_lessons(written: Mapping[str, Any]) -> Iterator[tuple[str, SentenceForm]]:
    yield from ((row["text"], LESSON) for row in written.get("lesson", ()))


def _of_symbols(written: Mapping[str, Any]) -> Iterator[tuple[str, SentenceForm]]:
    yield from ((row["text"], LEGEND) for row in written.get("symbol", ()))


def _of_meaning(written: Mapping[str, Any]) -> Iterator[tuple[str, SentenceForm]]:
    yield from ((row["text"], IDLE) for row in written.get("idle", ()))
    win = written.get("win", {})
    yield from ((win[key], LEGEND) for key in ("text", "alone") if key in win)


def _strings(node: object) -> Iterator[str]:
    match node:
        case str():
            yield node
        case dict() | list():
            for part in node.values() if isinstance(node, dict) else node:
                yield from _strings(part)


FORM_FINDERS = {
    "words.toml": _of_words,
    "cards.toml": _of_cards,
    "first.toml": _of_lessons,
    "illustrations.toml": _of_symbols,
    "meaning.toml": _of_meaning,
}
"""Functions that yield each text in a game's data file with its form, by file name."""
