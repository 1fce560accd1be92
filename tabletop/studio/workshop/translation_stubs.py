"""Adds empty PO entries for texts without a translation."""

from collections.abc import Iterator
from pathlib import Path

from babel.messages.pofile import escape

from tabletop.files.atomic_write import write_atomically
from tabletop.games import card_sheet, game_info
from tabletop.games.game_kit import read_text_file
from tabletop.language.languages import languages_in
from tabletop.studio.translation import translation_check
from tabletop.text.translations import parse


def write_stubs(folder: Path) -> Iterator[str]:
    """Add an empty entry for each untranslated text to the PO file of each language of the game.

    Texts of the card sheet that have a translation column are omitted. Yield a message for each
    changed file, and for each language with empty translation cells.

    Raises:
        OSError: A file can't be written.
    """
    sheet = card_sheet.find_sheet(folder)
    columns = card_sheet.sheet_columns(sheet) if sheet else ()
    own = game_info.read_language(read_text_file(folder, game_info.CARDS_TOML))
    for language in (each for each in languages_in(folder) if each != own):
        translated = {each.name for each in columns if each.language == language}
        in_cells = {
            str(row.card[name])
            for row in (card_sheet.read_cards(sheet) if sheet and translated else ())
            for name in translated
            if name in row.card
        }
        file = folder / f"{language}.po"
        content = file.read_bytes() if file.is_file() else b""
        missing = translation_check.untranslated_texts(folder, language)
        known = {message.id for message in parse(content)}
        texts = [text for text in missing if text not in known and text not in in_cells]
        if empty := [text for text in missing if text in in_cells]:
            assert sheet is not None
            yield f"{sheet.file}: {len(empty)} empty cells in the columns of {language}"
        if not texts:
            continue
        end = b"" if not content or content.endswith(b"\n") else b"\n"
        added = "".join(f'\nmsgid {escape(text)}\nmsgstr ""\n' for text in texts)
        write_atomically(file, content + end + added.encode())
        yield f"{file.name}: {len(texts)} empty entries added"
