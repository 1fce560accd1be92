"""Empty entries for the texts of a game that have no translation yet."""

from collections.abc import Iterator
from pathlib import Path

from babel.messages.pofile import escape

from tabletop.files.atomic_write import write_atomically
from tabletop.games import card_sheet, game_info
from tabletop.games.game_kit import file_text
from tabletop.language.languages import languages_in
from tabletop.studio.translation import translation_check
from tabletop.text.translations import parse


def write_stubs(folder: Path) -> Iterator[str]:
    """Add an empty entry to the po file of each language of the game for every text that has none.
    A text of the spreadsheet stays out of it where a column is there for its translation.

    Yields a sentence for each file that was changed, and for each column with empty cells.

    Raises:
        OSError: a file cannot be written.
    """
    sheet = card_sheet.find(folder)
    columns = card_sheet.columns(sheet) if sheet else ()
    own = game_info.language_of(file_text(folder, game_info.FILE))
    for language in (each for each in languages_in(folder) if each != own):
        translated = {each.name for each in columns if each.language == language}
        in_cells = {
            str(row.card[name])
            for row in (card_sheet.read(sheet) if sheet and translated else ())
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
