"""The difference between two pages, as it goes to a browser that shows the first of them.

`changes(before, after)` names what `before` lacks; the page's script puts both together again
(`assets/web/change.js`).
"""

from typing import Any

from tabletop.web.page_parts import Page, PageChange

_ABSENT = object()


def changes(before: Page, after: Page) -> PageChange:
    """The change that turns the page `before` into `after`."""
    replaced: dict[str, Any] = {}
    entries: dict[str, dict[Any, Any]] = {}
    items: dict[str, tuple[Any, ...]] = {}
    for field in Page.__struct_fields__:
        old, new = getattr(before, field), getattr(after, field)
        if old == new:
            continue
        if isinstance(new, dict):
            entries[field] = _entries(old, new)
        elif isinstance(new, tuple):
            items[field] = _items(old, new)
        else:
            replaced[field] = new
    return PageChange(replaced, entries, items)


def _entries(old: dict[Any, Any], new: dict[Any, Any]) -> dict[Any, Any]:
    """Return the entries that are new or differ; None for those that are gone."""
    changed = {key: value for key, value in new.items() if old.get(key, _ABSENT) != value}
    return {**changed, **{key: None for key in old if key not in new}}


def _items(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the new items, each one that was there before as its old index.

    Lists of a page keep their order, so each search starts after the item found last.
    """
    items, start = [], 0
    for item in new:
        try:
            index = old.index(item, start)
        except ValueError:
            items.append(item)
        else:
            items.append(index)
            start = index + 1
    return tuple(items)
