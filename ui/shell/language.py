"""The language of the user interface: Qt's translations, language names, titles and dates."""

from collections.abc import Sequence
from datetime import datetime
from itertools import chain

from PySide6.QtCore import (
    QCoreApplication,
    QDate,
    QDateTime,
    QLibraryInfo,
    QLocale,
    QTranslator,
)

from tabletop.catalogue import catalogue
from tabletop.games.game_kit import CatalogueEntry
from tabletop.language.languages import LANGUAGES, OWN_NAMES, languages_of
from tabletop.language.texts import texts_of
from tabletop.language.words import Words
from tabletop.match.match import Player
from ui.shell.regional_format import clock_text, long_date_text, number_locale, short_date_text


def system_language() -> str:
    """Return the first of the user's preferred languages that the program supports, else "en".

    As in gettext, LANGUAGE has no effect in the locale C.
    """
    system = QLocale.system()
    listed = () if system.language() is QLocale.Language.C else system.uiLanguages()
    preferred = (each.partition("-")[0] for each in (*listed, system.name().partition("_")[0]))
    return next((each for each in preferred if each in LANGUAGES), "en")


def translate_qt(program: QCoreApplication, translator: QTranslator, language: str) -> None:
    """Show Qt's own texts in `language`, by reloading `translator`, and format its numbers."""
    QLocale.setDefault(number_locale(language))
    program.removeTranslator(translator)
    where = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load(f"qtbase_{language}", where):
        program.installTranslator(translator)


def offered_languages() -> dict[str, str]:
    """Return the native names of all languages of the program and the shelf's games, by code."""
    codes = chain(LANGUAGES, *(languages_of(kit) for kit in catalogue.list_entries().shelf_entries))
    return {code: own_name(code) for code in codes}


def own_name(code: str) -> str:
    """Return the native name of the language `code`."""
    return OWN_NAMES.get(code) or QLocale(code).nativeLanguageName() or code


def game_title(game: CatalogueEntry, language: str) -> str:
    """Return the title of `game` in `language`."""
    return texts_of(game, language)(game.box.title)


def other_language_title(game: CatalogueEntry, language: str) -> str:
    """Return the game's title in the program's other language; "" if the title is the same."""
    other = next(each for each in LANGUAGES if each != language)
    second = game_title(game, other)
    return "" if second == game_title(game, language) else second


def local_time(time: datetime) -> QDateTime:
    """Return `time`, which may be in any time zone, as local time."""
    return QDateTime.fromSecsSinceEpoch(int(time.timestamp()))


def when_text(words: Words, time: datetime) -> str:
    """Return a time as text, such as "today 21:40", "yesterday 21:40" or "18 October"."""
    moment = local_time(time)
    clock = clock_text(moment.time(), words.language)
    days = moment.date().daysTo(QDate.currentDate())
    if days == 0:
        return words("today {time}", time=clock)
    if days == 1:
        return words("yesterday {time}", time=clock)
    return long_date_text(moment.date(), words.language)


def day_text(words: Words, time: datetime) -> str:
    """Return the date of `time` as short text, such as "today", "yesterday" or "10/18/26"."""
    day = local_time(time).date()
    days = day.daysTo(QDate.currentDate())
    if days == 0:
        return words("today")
    if days == 1:
        return words("yesterday")
    return short_date_text(day, words.language)


def players_text(words: Words, players: Sequence[Player]) -> str:
    """Return the names of all players in one line."""
    names = [words.seat(seat) for seat in range(len(players))]
    if len(names) == 2:
        return words("{first} and {second}", first=names[0], second=names[1])
    return words.join_list(names)
