"""Alembic: a folder of revisions with batch operations, which `upgrade` brings a store through.

usage: alembic_peer.py prepare FOLDER STORE STEPS
       alembic_peer.py upgrade FOLDER STORE COUNT
"""
import pathlib
import sys

import history

ENVIRONMENT = """
from alembic import context
from sqlalchemy import create_engine

with create_engine(context.config.get_main_option("sqlalchemy.url")).connect() as connection:
    context.configure(connection=connection, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
"""

REVISION = """
import sqlalchemy as sa
from alembic import op

revision = "{number}"
down_revision = {before!r}


def upgrade():
    with op.batch_alter_table("ZNOTE") as batch:
        {operations}
"""

TYPES = {"VARCHAR": "sa.String()", "INTEGER": "sa.Integer()", "FLOAT": "sa.Float()"}


def operation(change):
    """The line of a revision that makes a change."""
    kind, column = change["kind"], change["column"]
    if kind == "add":
        default = change.get("defaultValue")
        required = "" if default is None else f", nullable=False, server_default='{default}'"
        return f"batch.add_column(sa.Column({column!r}, {TYPES[change['type']]}{required}))"
    if kind == "rename":
        return f"batch.alter_column({column!r}, new_column_name={change['newName']!r})"
    if kind == "drop":
        return f"batch.drop_column({column!r})"
    return f"batch.alter_column({column!r}, type_={TYPES[change['type']]})"


def prepare(folder, path):
    """Writes the revisions."""
    versions = pathlib.Path(folder, "versions")
    versions.mkdir(parents=True)
    pathlib.Path(folder, "env.py").write_text(ENVIRONMENT)
    for number, changes in enumerate(history.steps(path), 1):
        text = REVISION.format(
            number=number,
            before=str(number - 1) if number > 1 else None,
            operations="\n        ".join(operation(change) for change in changes))
        pathlib.Path(versions, f"{number:03}.py").write_text(text)


def upgrade(folder, store, count):
    """Runs the first revisions, as `alembic upgrade` does."""
    from alembic import command, config
    settings = config.Config()
    settings.set_main_option("script_location", folder)
    settings.set_main_option("sqlalchemy.url", f"sqlite:///{store}")
    command.upgrade(settings, count)


if sys.argv[1] == "prepare":
    prepare(sys.argv[2], sys.argv[4])
else:
    upgrade(*sys.argv[2:])
