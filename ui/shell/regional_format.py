"""Formats of times, dates and numbers: the system's region decides them, not the chosen language.

Words in a date, such as the names of months, stay in the chosen language.
"""

import re

from PySide6.QtCore import QDate, QLocale, QTime

SHORT, LONG = QLocale.FormatType.ShortFormat, QLocale.FormatType.LongFormat
DAY_FIRST_VARIANTS = {"en": "en_GB"}
"""The variants of languages whose long date begins with the day, not with the month."""
TWELVE_HOUR_FORMATS = {"ja": "APh:mm"}
"""The 12-hour clock of languages that usually write 24 hours, in Qt's notation."""


def clock_text(time: QTime, language: str) -> str:
    """Return `time` by the region's clock, such as "5:33 PM" or "17:33"."""
    locale = QLocale(language)
    own, regional = locale.timeFormat(SHORT), QLocale.system().timeFormat(SHORT)
    if not _is_region_known():
        chosen = own
    elif "a" not in regional.lower():
        chosen = "HH:mm" if "'" in regional else regional
    elif "a" in own.lower():
        chosen = own
    else:
        chosen = TWELVE_HOUR_FORMATS.get(language, regional)
    return locale.toString(time, chosen)


def short_date_text(date: QDate, language: str) -> str:
    """Return `date` in digits in the region's order, such as "28.11.26"."""
    locale = QLocale(language)
    regional = re.sub(r"\s*'[^']*'\.?", "", QLocale.system().dateFormat(SHORT))  # "28.11.26 г."
    own = "MMM" in regional or not _is_region_known()
    return locale.toString(date, locale.dateFormat(SHORT) if own else regional)


def long_date_text(date: QDate, language: str) -> str:
    """Return `date` in the words of `language`, in the region's order if `language` has it."""
    variant = DAY_FIRST_VARIANTS.get(language, language) if _is_day_first() else language
    return QLocale(variant).toString(date, LONG)


def number_locale(language: str) -> QLocale:
    """Return the locale for numbers: the region's if its decimal point differs.

    Regions with digits other than 0 to 9 write numbers like `language`.
    """
    own, region = QLocale(language), QLocale.system()
    differs = region.zeroDigit() == "0" and region.decimalPoint() != own.decimalPoint()
    return region if differs else own


def _is_region_known() -> bool:
    """Return whether the system has a region, unlike in the locale C."""
    return QLocale.system().dateFormat(SHORT) != QLocale.c().dateFormat(SHORT)


def _is_day_first() -> bool:
    return _is_region_known() and QLocale.system().dateFormat(SHORT).startswith("d")
