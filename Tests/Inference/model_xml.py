"""Models as Xcode writes them."""

import os
from xml.sax.saxutils import quoteattr


def element(name, attributes, children=()):
    text = "".join(f" {key}={quoteattr(value)}" for key, value in attributes if value is not None)
    return [f"<{name}{text}>", *children, f"</{name}>"]


def xml(model):
    lines, composites = [], []
    for entity, one in model.items():
        children = []
        for name, item in one["properties"].items():
            flags = [("name", name), ("elementID", item.get("id"))]
            flags.append(("optional", "YES" if item["optional"] else None))
            if "to" in item:
                flags += [
                    ("toMany", "YES" if item["many"] else None),
                    ("maxCount", None if item["many"] else "1"),
                    ("minCount", None if item["optional"] or item["many"] else "1"),
                    ("ordered", "YES" if item["many"] and item.get("ordered") else None),
                    ("deletionRule", "Nullify"), ("destinationEntity", item["to"]),
                    ("inverseName", item["inverse"]), ("inverseEntity", item["to"])]
                children += element("relationship", flags)
                continue
            flags += [("attributeType", item["type"]), ("defaultValueString", item.get("default"))]
            flags.append(("transient", "YES" if item.get("transient") else None))
            if item.get("derived"):
                flags += [("derived", "YES"), ("derivationExpression", item["derived"])]
            if item.get("parts"):
                flags.append(("composite", f"Of_{name}"))
                parts = [line for part, kind in item["parts"] for line in element(
                    "attribute", [("name", part), ("optional", "YES"), ("attributeType", kind)])]
                composites += element("composite", [("name", f"Of_{name}")], parts)
            children += element("attribute", flags)
        lines += element("entity", [
            ("name", entity), ("elementID", one.get("id")), ("parentEntity", one["parent"]),
            ("isAbstract", "YES" if one["abstract"] else None), ("syncable", "YES")], children)
    kind = "com.apple.IDECoreDataModeler.DataModel"
    return "\n".join(element("model", [("type", kind), ("documentVersion", "1.0")], lines + composites))


def write(pair, folder, name):
    """Writes both versions as a model of this name."""
    for version, model in ("v1", pair.source), ("v2", pair.destination):
        path = os.path.join(folder, f"{name}.xcdatamodeld", f"{version}.xcdatamodel")
        os.makedirs(path)
        with open(os.path.join(path, "contents"), "w", encoding="utf-8") as file:
            file.write('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + xml(model))
