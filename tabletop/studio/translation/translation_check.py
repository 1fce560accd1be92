"""Checker of translations: collects all English texts and finds those missing in a ja.po file.

The texts of a Python file are the first argument of calls in `TEXT_FUNCTIONS`, and both sentences
of `whisper`. All other texts are marked with `phrase`. `translatable_texts.py` finds the texts in a
game's other files. Folders whose name starts with "_" are skipped.
"""

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tabletop.games import card_sheet
from tabletop.games.typed_toml import TomlFile
from tabletop.language.languages import LANGUAGES
from tabletop.studio.translation import japanese_style
from tabletop.studio.translation.translatable_texts import CARD_KEYS, TEXT_FINDERS
from tabletop.text import phrases
from tabletop.text.phrases import GAP
from tabletop.text.translations import compile_catalogues, parse

TEXT_FUNCTIONS = (
    *("say", "phrase", "Reason", "Remark", "ScoreLine"),
    *("BadFile", "RulesMismatch", "Damaged", "StorageError", "DiskFull"),
    *("OpenElsewhere", "BadInvitation"),
    *("t", "tr", "words", "_words", "self"),  # `Words` is called by these names
)
"""Functions whose first argument is a text, by the last part of their names."""
TEXT_ARGUMENTS = {**dict.fromkeys(TEXT_FUNCTIONS, (0,)), "whisper": (1, 2)}
"""Positions of the arguments that are texts, by the last part of the function's name."""

Places = dict[str, str]
"""The file and line of the first occurrence of each text, by text."""


def catalogue_folders() -> tuple[Path, ...]:
    """Return the folders that have their own catalogue:
    games, templates, the program and its screens.
    """
    folders = (phrases.PROGRAM_FOLDER / "games", phrases.PROGRAM_FOLDER / "studio" / "templates")
    games = (each for folder in folders for each in folder.glob("*"))
    shelf = sorted(game for game in games if game.is_dir() and not game.name.startswith("_"))
    return (*shelf, phrases.PROGRAM_FOLDER, *phrases.ui_folders())


def untranslated_texts(folder: Path, language: str) -> Places:
    """Return the texts of `folder` without a translation into `language`. `folder` can be
    anywhere."""
    known = {
        **_in_columns(folder, language),
        **translated_texts(folder, language),
        **translated_texts(phrases.PROGRAM_FOLDER, language),
    }
    return {text: place for text, place in texts_in_folder(folder).items() if text not in known}


def has_translations(folder: Path, language: str) -> bool:
    """Return whether `folder` has at least one translation into `language`."""
    return bool(_in_columns(folder, language) or translated_texts(folder, language))


def _in_columns(folder: Path, language: str) -> Mapping[str, str]:
    """Return the translations in the columns of the card sheet, by English text."""
    sheet = card_sheet.find_sheet(folder)
    return (
        card_sheet.collect_translations(card_sheet.read_cards(sheet)).get(language, {})
        if sheet
        else {}
    )


def translated_texts(folder: Path, language: str) -> Mapping[str, str]:
    """Return the translations in the catalogue of `folder`, by English text.

    Raises:
        ValueError: The PO file can't be parsed.
    """
    file = folder / f"{language}.po"
    return {
        message.id: message.string
        for message in (parse(file.read_bytes()) if file.is_file() else ())
        if isinstance(message.id, str)
        and message.id
        and isinstance(message.string, str)
        and message.string
        and not message.fuzzy
    }


def check_translations(language: str) -> Iterator[str]:
    """Yield a line for each missing, unused or inconsistent translation into `language`."""
    everywhere: set[str] = set()
    program = translated_texts(phrases.PROGRAM_FOLDER, language)
    for part in (
        *(each for each in catalogue_folders() if each != phrases.PROGRAM_FOLDER),
        phrases.PROGRAM_FOLDER,
    ):
        places = texts_in_folder(part)
        everywhere.update(places)
        used = everywhere if part == phrases.PROGRAM_FOLDER else places.keys()
        catalogue = _short_path(part / f"{language}.po")
        known = translated_texts(part, language)
        for text, place in places.items():
            if text not in known and text not in program:
                yield f'{place}: no translation in {catalogue} of "{text}"'
        for text, translation in known.items():
            if text not in used:
                yield f'{catalogue}: nothing says "{text}" any more'
            elif part in phrases.ui_folders() and text in program:
                yield f'{catalogue}: "{text}" is never read, as the program itself has it'
            elif set(GAP.findall(text)) != set(GAP.findall(translation)):
                yield f'{catalogue}: other gaps than in "{text}"'
        yield from (
            f"{_short_path(file)}:{line}: "
            "a translated text cannot be an f-string; give its gaps names"
            for file in _python_files(part)
            for line in _f_strings(file)
        )


def check_japanese() -> Iterator[str]:
    """Yield a line for each style fault in the Japanese texts and rulebooks."""
    for part in (*catalogue_folders(), phrases.PROGRAM_FOLDER / "games" / "_blank"):
        yield from japanese_style.check_folder(part, _short_path(part))


def texts_in_folder(part: Path) -> Places:
    """Return all texts in the folder `part`, except those in subfolders
    with their own catalogue.
    """
    places: Places = {}
    for file in _python_files(part):
        for line, text in sorted(texts_in_source(file.read_bytes())):
            places.setdefault(text, f"{_short_path(file)}:{line}")
    seats = 0
    for name, texts_of in TEXT_FINDERS.items():
        file = part / name
        if file.is_file():
            written = TomlFile(name, file.read_text("utf-8"), seats).table
            seats = max(written.get("box", {}).get("seats", [seats]))
            lines = file.read_text("utf-8").splitlines()
            for text in texts_of(written):
                places.setdefault(text, f"{_short_path(file)}:{_line_of(text, lines)}")
    sheet = card_sheet.find_sheet(part)
    at = _short_path(part / sheet.file) if sheet else ""
    for row in card_sheet.read_cards(sheet) if sheet else ():
        for key in CARD_KEYS:
            place = f"{at}:{row.number}"
            places.setdefault(str(row.card.get(key, "")), place)
    return {text: at for text, at in places.items() if _says_something(text)}


def _says_something(text: str) -> bool:
    """Return whether `text` needs translation: it contains a letter, or punctuation between
    placeholders as in "{label}: {text}".
    """
    bare = GAP.sub("", text)
    return any(map(str.isalpha, bare)) or (bare != text and bare != "")


def texts_in_source(source: bytes) -> Iterator[tuple[int, str]]:
    """Yield the line number and content of each text in a Python file.

    Yield nothing if the file can't be parsed. Loading the game reports that error.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=arguments):
                for at in TEXT_ARGUMENTS.get(name, ()):
                    match arguments[at : at + 1]:
                        case [ast.Constant(value=str() as text)]:
                            yield node.lineno, text
            case _:
                pass


def _python_files(part: Path) -> list[Path]:
    """Return the Python files in the folder `part`, except those in skipped folders and in
    subfolders with their own catalogue.
    """
    inside = [other for other in catalogue_folders() if part in other.parents]
    return sorted(
        file
        for file in part.rglob("*.py")
        if not any(name.startswith("_") for name in file.relative_to(part).parts[:-1])
        and not any(other in file.parents for other in inside)
    )


def _f_strings(file: Path) -> Iterator[int]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        match node:
            case ast.Call(
                func=ast.Name(id=name) | ast.Attribute(attr=name),
                args=[ast.JoinedStr(lineno=line), *_],
            ) if name in TEXT_FUNCTIONS:
                yield line


def _line_of(text: str, lines: Sequence[str]) -> int:
    """Return the number of the first of `lines` that contains `text`, or its first line if `text`
    has several. Defaults to 1.
    """
    part = text.removesuffix(": {value}").strip().partition("\n")[0]
    return next((number for number, line in enumerate(lines, 1) if part in line), 1)


def _short_path(file: Path) -> str:
    places = (phrases.PROGRAM_FOLDER, *phrases.ui_folders())
    root = next((place.parent for place in places if place in (file, *file.parents)), None)
    return file.relative_to(root).as_posix() if root else str(file)


def main(folders: Sequence[str] = ()) -> int:
    """Print the translation faults of the program or of the game `folders`, and compile the
    program's catalogues. Return the exit status.
    """
    lines = (
        [
            f'{place}: no translation of "{text}"'
            for folder in folders
            for language in LANGUAGES[1:]
            for text, place in untranslated_texts(Path(folder), language).items()
        ]
        if folders
        else [
            *(line for language in LANGUAGES[1:] for line in check_translations(language)),
            *check_japanese(),
        ]
    )
    for line in lines:
        print(line)
    for part in () if folders else (phrases.PROGRAM_FOLDER, *phrases.ui_folders()):
        compile_catalogues(part)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
