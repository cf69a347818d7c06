"""The steps that all peers take, and the table they start from."""
import json
import sqlite3


def steps(path):
    """The changes of each step, as ComparedHistory.swift writes them."""
    with open(path) as file:
        return json.load(file)


def columns(store):
    """The name and the declared type of each column of ZNOTE but its key."""
    rows = sqlite3.connect(store).execute("PRAGMA table_info(ZNOTE)")
    return [(row[1], row[2]) for row in rows if not row[5]]


def indexes(store):
    """The name and the columns of each index on ZNOTE."""
    database = sqlite3.connect(store)
    names = [row[1] for row in database.execute("PRAGMA index_list(ZNOTE)")]
    return [(name, [row[2] for row in database.execute(f"PRAGMA index_info({name})")])
            for name in names]
