"""Django: an app whose model is the table ZNOTE, and a migration for each step.

usage: django_peer.py prepare FOLDER STORE STEPS
       django_peer.py fake    FOLDER STORE
       django_peer.py migrate FOLDER STORE COUNT
"""
import pathlib
import sys

import history

FIELDS = '''
from django.db import models


class Column(models.Field):
    """A field of a column that Core Data declared."""

    def __init__(self, declared, **options):
        self.declared = declared
        super().__init__(**options)

    def deconstruct(self):
        name, path, arguments, options = super().deconstruct()
        return name, path, [self.declared, *arguments], options

    def db_type(self, connection):
        return self.declared
'''

MIGRATION = """
from django.db import migrations, models
from notes.fields import Column


class Migration(migrations.Migration):
    initial = {initial}
    dependencies = {dependencies}
    operations = [
        {operations}
    ]
"""


def field(column, declared, default=None):
    """A field whose name is that of its column, so that both are renamed as one."""
    rest = "null=True" if default is None else f"default={default}"
    return f"Column({declared!r}, db_column={column!r}, {rest})"


def operations(change):
    """The operations of a migration that make a change."""
    kind, column = change["kind"], change["column"]
    declared[change.get("newName", column)] = change.get("type") or declared[column]
    defaults[change.get("newName", column)] = change.get("defaultValue", defaults.get(column))
    name = f"'Note', {column.lower()!r}"
    if kind == "drop":
        return [f"migrations.RemoveField({name})"]
    if kind == "rename":
        new = change["newName"]
        return [f"migrations.RenameField({name}, {new.lower()!r})",
                f"migrations.AlterField('Note', {new.lower()!r}, "
                f"{field(new, declared[new], defaults[new])})"]
    verb = "AddField" if kind == "add" else "AlterField"
    return [f"migrations.{verb}({name}, {field(column, declared[column], defaults[column])})"]


def first(store):
    """The operation that makes the table as the store has it; it is recorded, never run."""
    fields = ["('id', models.IntegerField(primary_key=True, db_column='Z_PK'))"]
    fields += [f"({name.lower()!r}, {field(name, kind)})" for name, kind in declared.items()]
    indexes = [f"models.Index(fields={[name.lower() for name in columns]!r}, name={index!r})"
               for index, columns in history.indexes(store)]
    return (f"migrations.CreateModel('Note', [{', '.join(fields)}], "
            f"{{'db_table': 'ZNOTE', 'indexes': [{', '.join(indexes)}]}})")


def prepare(folder, store, path):
    """Writes the app and its migrations."""
    migrations = pathlib.Path(folder, "notes", "migrations")
    migrations.mkdir(parents=True)
    for place in migrations.parent, migrations:
        pathlib.Path(place, "__init__.py").touch()
    pathlib.Path(migrations.parent, "fields.py").write_text(FIELDS)
    declared.update(history.columns(store))
    steps = [[first(store)]]
    steps += [[line for change in changes for line in operations(change)]
              for changes in history.steps(path)]
    for number, lines in enumerate(steps):
        text = MIGRATION.format(
            initial=number == 0,
            dependencies=[("notes", f"{number - 1:04}_step")] if number else [],
            operations=",\n        ".join(lines))
        pathlib.Path(migrations, f"{number:04}_step.py").write_text(text)


def migrate(folder, store, *arguments):
    """Runs `manage.py migrate`."""
    import django
    from django.conf import settings
    from django.core.management import call_command
    sys.path.insert(0, folder)
    settings.configure(
        INSTALLED_APPS=["notes"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": store}})
    django.setup()
    call_command("migrate", "notes", *arguments, verbosity=0, skip_checks=True)


declared = {}
defaults = {}
verb, folder, store = sys.argv[1:4]
if verb == "prepare":
    prepare(folder, store, sys.argv[4])
elif verb == "fake":
    migrate(folder, store, "0000", "--fake")
else:
    migrate(folder, store, f"{int(sys.argv[4]):04}")
