"""sqlite-utils: each step by `add_column` and `transform`, as its documentation says.

usage: sqlite_utils_peer.py STORE STEPS COUNT
"""
import sys

import history
import sqlite_utils

TYPES = {"VARCHAR": str, "INTEGER": int, "FLOAT": float}

store, path, count = sys.argv[1:]
table = sqlite_utils.Database(store)["ZNOTE"]
for changes in history.steps(path)[:int(count)]:
    options = {}
    for change in changes:
        kind, column = change["kind"], change["column"]
        if kind == "add":
            kind = TYPES[change["type"]]
            table.add_column(column, kind, not_null_default=change.get("defaultValue"))
        elif kind == "rename":
            options["rename"] = {column: change["newName"]}
        elif kind == "drop":
            options["drop"] = {column}
        else:
            options["types"] = {column: TYPES[change["type"]]}
    if options:
        table.transform(**options)
