"""The bounded cache."""

from tabletop.caches.lru_cache import LruCache


def test_the_longest_unused_is_dropped() -> None:
    cache: LruCache[str, str] = LruCache(3)
    for letter in "abc":
        cache.put(letter, letter)
    assert cache.get("a") == "a"
    cache.put("d", "d")
    cache.put("a", "A")
    assert [cache.get(key) for key in "abcd"] == ["A", None, "c", "d"]
    assert cache.size == len(cache) == 3


def test_sizes_count_and_a_value_beyond_the_limit_is_not_kept() -> None:
    cache: LruCache[str, str] = LruCache(10)
    cache.put("small", "x", 4)
    cache.put("large", "y", 7)
    assert (cache.get("small"), cache.get("large"), cache.size) == (None, "y", 7)
    cache.put("large", "z", 11)
    assert (cache.get("large"), len(cache), cache.size) == (None, 0, 0)


def test_a_dropped_value_makes_room() -> None:
    cache: LruCache[str, str] = LruCache(1)
    cache.put("a", "a")
    cache.drop("a")
    cache.drop("a")
    assert (cache.get("a"), cache.size) == (None, 0)
