"""Edits models of an app, one kind of edit at a time, and looks at what `check` answers."""

import os
import re

DECLARATION = re.compile(r"^\s*(?:(?:public|internal|final|private|fileprivate|open|indirect)\s+)*"
                         r"(enum|struct|class|extension|actor)\s+([\w.]+)")
PROPERTY = re.compile(r"^(\s*)((?:@\w+(?:\((?:[^()]|\([^()]*\))*\))?\s+)*)"
                      r"((?:public |internal |private |fileprivate |private\(set\) |public\(set\) )*)"
                      r"var (\w+)\s*:\s*(\[?[\w.]+\]?\??)(\s*=\s*([^{/]+?))?\s*(//.*)?$")
OTHER_TYPE = {"Int": "Double", "Double": "Int", "Float": "Int", "Bool": "Int", "String": "Data", "Date": "Double",
              "Data": "String", "UUID": "String", "Int64": "Int32", "Int32": "Int64", "Int16": "Int64",
              "TimeInterval": "Int", "URL": "String", "Decimal": "Int"}
OTHER_VALUE = {"Int": ("7", "8"), "Double": ("7.5", "8.5"), "Float": ("7.5", "8.5"), "Bool": ("true", "false"),
               "String": ('"other"', '"another"'), "TimeInterval": ("7", "8")}


class Property:
    """A stored property of a model, at its line."""

    def __init__(self, line, match, before):
        self.line = line
        self.has_attributes = "@" in match.group(2) or before.startswith("@")
        self.indent, self.attributes, self.access, self.name, self.type = match.groups()[:5]
        self.default = match.group(7)

    @property
    def base(self):
        return self.type.strip("[]?").split(".")[-1]

    def written(self, name=None, type=None, default=..., attributes=None):
        default = self.default if default is ... else default
        return (f"{self.indent}{self.attributes if attributes is None else attributes}{self.access}"
                f"var {name or self.name}: {type or self.type}" + (f" = {default}" if default else ""))


class Model:
    """A class with `@Model` in a file, its namespace, and the stored properties that are easily edited."""

    def __init__(self, file, scope, name, line):
        self.file, self.scope, self.name, self.line = file, scope, name, line
        self.last = line
        self.properties = []


def uncommented(text):
    """Returns the text with comments and strings blanked, line by line."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*/', blank, text)


def models(folder):
    """Returns the models of a folder of sources."""
    found = []
    for file in sorted(folder.rglob("*.swift")):
        if re.search(r"Test|Preview|Mock", str(file.relative_to(folder))) or not file.is_file():
            continue
        text = file.read_text(errors="replace")
        if "@Model" in text:
            found += models_of(file, text)
    return found


def models_of(file, text):
    found, scopes, depth, model_ahead, open_model = [], [], 0, False, None
    lines = text.split("\n")
    for number, code in enumerate(uncommented(text).split("\n")):
        if re.search(r"@Model\b", code):
            model_ahead = True
        declared = DECLARATION.match(re.sub(r"@\w+(\([^)]*\))?\s*", "", code))
        if declared and declared.group(1) == "class" and model_ahead and open_model is None:
            scope = ".".join(name for _, name in scopes)
            open_model = Model(file, scope, declared.group(2), number)
            found.append(open_model)
            model_ahead = False
            open_depth = depth
        elif open_model is not None and depth == open_depth + 1:
            match = PROPERTY.match(lines[number])
            before = lines[number - 1].strip()
            if match and "@Transient" not in match.group(2) + before and not before.endswith((",", "(")) \
                    and "static" not in code:
                open_model.properties.append(Property(number, match, before))
        if declared and "{" in code:
            scopes.append((depth, declared.group(2)))
        depth += code.count("{") - code.count("}")
        while scopes and depth <= scopes[-1][0]:
            scopes.pop()
        if open_model is not None and depth <= open_depth and number > open_model.line:
            open_model.last, open_model = number, None
    return found


def edits_of(model, entities):
    """Returns edits: a kind, the property named, and what lines become."""
    plain = [p for p in model.properties if p.base in OTHER_TYPE and not p.type.startswith("[")]
    links = [p for p in model.properties if p.base in entities]
    answer = []
    if plain:
        p = next((p for p in plain if not p.has_attributes), plain[0])
        q = OTHER_TYPE[p.base]
        optional = "?" if p.type.endswith("?") else ""
        value = OTHER_VALUE[q][0] if p.default and p.default != "nil" and q in OTHER_VALUE else None
        answer.append(("type", p.name, {p.line: p.written(type=q + optional, default=value)}))
        other = (p.written(type=p.base, default=None) if optional else p.written(type=p.type + "?"))
        answer.append(("optionality", p.name, {p.line: other}))
        answer.append(("name", p.name, {p.line: p.written(name=p.name + "Edited")}))
        if not p.has_attributes:
            answer.append(("originalName", p.name, {p.line: p.written(
                name=p.name + "Edited", attributes=f'@Attribute(originalName: "{p.name}") ')}))
        answer.append(("removed", p.name, {p.line: ""}))
        answer.append(("added", "editedProperty", {p.line: p.written() + f"\n{p.indent}var editedProperty: Int?"}))
    kept = [p for p in plain if p.base in OTHER_VALUE]
    if kept:
        p = next((p for p in kept if p.default), kept[0])
        first, second = OTHER_VALUE[p.base]
        answer.append(("default", p.name, {p.line: p.written(default=second if p.default == first else first)}))
    if links:
        p = links[0]
        to_one = p.base + "?"
        type = to_one if p.type.startswith("[") else f"[{p.base}]"
        answer.append(("relationship", p.name, {p.line: p.written(
            type=type, attributes="", default=None if type == to_one else "[]")}))
    ruled = next((p for p in links if ".cascade" in p.attributes), None)
    if ruled:
        attributes = ruled.attributes.replace(".cascade", ".nullify")
        answer.append(("delete rule", ruled.name, {ruled.line: ruled.written(attributes=attributes)}))
    if model.properties:
        p = model.properties[-1]
        new = f"\n{p.indent}var editedLink: EditedModel?"
        answer.append(("new class", "EditedModel", {
            p.line: None, model.last: None, "insert": (p.line, new, model.last)}))
    return answer


def applied(text, edit):
    lines = text.split("\n")
    if "insert" in edit:
        line, new, last = edit["insert"]
        lines[line] += new
        lines[last] += "\n@Model final class EditedModel { var name: String = \"\" }"
    else:
        for number, line in edit.items():
            lines[number] = line
    return "\n".join(lines)


def fault(before, after, model, named, lines):
    """Returns what is wrong with an answer of `check` to an edit, or nothing."""
    seen = {key(finding) for finding in before.value.get("findings", [])}
    new = [finding for finding in after.value.get("findings", []) if key(finding) not in seen]
    if after.status != 1 or not any(finding["severity"] == "error" for finding in new):
        return f"not found: exit {after.status}, {len(new)} new: {' '.join(sorted({f['code'] for f in new}))}"
    errors = [finding for finding in new if finding["severity"] == "error"]
    # A property with another name is one that is gone, and another one at its line.
    words = re.compile(rf"\b{re.escape(named)}(Edited)?\b")
    naming = [f for f in errors if named == f["property"] or named == f["entity"] or words.search(f["message"])]
    if not naming:
        return f"not named: {errors[0]['message'] if errors else new[0]['message'] if new else ''}"
    if not any(f["file"] and str(model.file).endswith(os.path.normpath(f["file"])) and f["line"] in lines for f in naming):
        f = naming[0]
        return f"not at its line {min(lines)}: {f['code']} {f['file']}:{f['line']}"
    return None


def key(finding):
    """A finding without its line, which an edit above moves."""
    return (finding["code"], finding["severity"], finding["file"], finding["entity"], finding["property"],
            finding["version"], finding["message"])


def is_read(app, answer, model):
    """Returns whether the command reads a class that several files declare: a new property is in its hash."""
    text, p = model.file.read_text(errors="replace"), model.properties[0]
    before = answer(app.folder, "versions", "--format", "json").value.get("versions", [])
    added = {p.line: text.split("\n")[p.line] + f"\n{p.indent}var editedProperty: Int?"}
    model.file.write_text(applied(text, added))
    after = answer(app.folder, "versions", "--format", "json").value.get("versions", [])
    model.file.write_text(text)
    return [v["hashes"] for v in before] != [v["hashes"] for v in after]


def tried(app, answer, versions):
    """Tries all kinds of edits on models of an app; prints those that are missed, and returns their count."""
    entities = {name for version in versions for name in version["hashes"]}
    names = [version["name"] for version in versions]
    found = [model for model in models(app.folder) if model.name in entities and model.properties]
    last = names[-1] if names else ""
    nested = [m for m in found if m.scope.split(".")[-1] in names]
    frozen = [m for m in nested if m.scope.split(".")[-1] != last]
    live = [m for m in found if m not in frozen]
    twins = {m.name for m in live if sum(o.name == m.name for o in live) > 1}
    live = [m for m in live if m.name not in twins or is_read(app, answer, m)]
    chosen = [max(group, key=lambda m: len(edits_of(m, entities))) for group in (live, frozen) if group]
    locked = answer(app.folder, "lock", "--all")
    before = answer(app.folder, "check", "--format", "json")
    missed = count = 0
    if not chosen or locked.status > 1 or before.status > 1:
        print(f"  no edit tried: {len(found)} models, lock {locked.status}, check {before.status}")
        return 1
    for model in chosen:
        text = model.file.read_text(errors="replace")
        for kind, named, edit in edits_of(model, entities):
            model.file.write_text(applied(text, edit))
            lines = {number + 1 for number in edit if isinstance(number, int)}
            lines |= {number + 1 for number in lines} | ({model.line + 1} if kind == "removed" else set())
            after = answer(app.folder, "check", "--format", "json")
            model.file.write_text(text)
            wrong = fault(before, after, model, named, lines)
            count += 1
            if wrong:
                missed += 1
                print(f"  {kind:12}  {model.scope}.{model.name}.{named}: {wrong}", flush=True)
    undone = answer(app.folder, "check", "--format", "json")
    if (undone.status, undone.output) != (before.status, before.output):
        missed += 1
        print("  undone, and not as before")
    print(f"  {count} edits of {', '.join((m.scope + '.' if m.scope else '') + m.name for m in chosen)}; "
          f"{missed} missed; check before: exit {before.status}", flush=True)
    return missed
