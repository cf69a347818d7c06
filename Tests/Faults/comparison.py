"""Comparing what plain SQL reads from a store before, and from the result after."""

import sqlite3

from content import connect
from meanings import Twice


def reading(path, function):
    """What a store says by this file's own reading, or why it says nothing."""
    try:
        database = connect(path)
        database.text_factory = bytes
        try:
            return function(database)
        finally:
            database.close()
    except (sqlite3.Error, Twice, KeyError, OverflowError, UnicodeDecodeError) as error:
        return "%s: %s" % (type(error).__name__, error)


def same(one, two):
    """Equal, or equal as numbers: copying applies a column's affinity."""
    if one == two and type(one) is type(two):
        return True
    if isinstance(one, (tuple, list)) and isinstance(two, (tuple, list)):
        return len(one) == len(two) and all(same(a, b) for a, b in zip(one, two))
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(same(one[k], two[k]) for k in one)
    if isinstance(one, (int, float)) and isinstance(two, (int, float)):
        return one == two
    if isinstance(one, bytes) and isinstance(two, (int, float)):
        one, two = two, one
    if isinstance(one, (int, float)) and isinstance(two, bytes):
        try:
            return float(two) == one
        except ValueError:
            return False
    return False


def difference(expected, found):
    for key in expected:
        if key not in found:
            return "%s is missing" % (key,)
        if not same(expected[key], found[key]):
            if isinstance(expected[key], (list, dict)):
                a, b = expected[key], found[key]
                if isinstance(a, list):
                    return "%s: %d against %d; only before %r, only after %r" % (
                        key,
                        len(a),
                        len(b),
                        [x for x in a if x not in b][:3],
                        [x for x in b if x not in a][:3],
                    )
                return "%s: %r" % (
                    key,
                    [(k, a.get(k), b.get(k)) for k in set(a) | set(b) if a.get(k) != b.get(k)][:2],
                )
            return "%s: %s" % (
                key,
                "; ".join(
                    "place %d: %.60r became %.60r" % (i, a, b)
                    for i, (a, b) in enumerate(zip(expected[key], found[key]))
                    if not same(a, b)
                ),
            )
    for key in found:
        if key not in expected:
            return "%s is new" % (key,)
    return None
