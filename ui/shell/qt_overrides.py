"""Catches exceptions in methods that Qt calls.

With Python 3.11, PySide6 6.11 crashes if an exception leaves an override during a call from Python,
because it handles the exception before Python has created it. With any Python version, the
exception would be raised in the caller, which asked Qt for something else
(docs/decisions/qt-overrides.md).
"""

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from types import FunctionType
from typing import Any

from shiboken6 import Object


def contain_errors() -> None:
    """Make overrides in all subclasses of Qt classes report exceptions, not raise them."""
    setattr(Object, "__init_subclass__", classmethod(_contain))  # noqa: B010


def _contain(made: type[Object], /, **named: Any) -> None:
    super(Object, made).__init_subclass__(**named)
    for name, method in list(_methods_qt_calls(made)):
        setattr(made, name, contain_method(method))


def _methods_qt_calls(made: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the name and function of each method of the class `made` that overrides one of Qt's."""
    bases = [base for base in made.__mro__ if base.__module__.startswith("PySide6.")]
    for name, method in vars(made).items():
        inherited = not name.startswith("__") and any(name in vars(base) for base in bases)
        if inherited and isinstance(method, FunctionType):
            yield name, method


def contain_method(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return `method` wrapped so that an exception is reported as uncaught and None is returned."""

    @wraps(method)
    def call(*given: Any, **named: Any) -> Any:
        try:
            return method(*given, **named)
        except Exception:  # Qt can't handle any exception
            sys.excepthook(*sys.exc_info())
            return None

    return call
