"""Random pairs of model versions, the later made of the earlier by one to three changes."""

import copy
import random

TYPES = ["Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Decimal", "Boolean", "String",
         "Date", "Binary", "UUID", "URI", "Transformable"]
NUMBERS = TYPES[:7]
DEFAULTS = dict.fromkeys(NUMBERS, "1") | {"Boolean": "YES", "String": "none"}


class Pair:
    """A model and what some changes make of it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.source = {}
        self.base()
        self.destination = copy.deepcopy(self.source)
        self.changes = []
        wanted = self.random.choice([1, 1, 1, 2, 3])
        # The first change is each in turn, so that none depends on luck alone.
        queue = [CHANGES[seed % len(CHANGES)]] + [self.random.choice(CHANGES) for _ in range(40)]
        for change in queue:
            if len(self.changes) == wanted:
                break
            if change(self):
                self.changes.append(change.__name__)

    # MARK: The model

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def base(self):
        chance = self.random.random
        for _ in range(self.random.randint(3, 4)):
            self.source[self.name("Root")] = self.entity()
        parent = self.random.choice(list(self.source))
        self.source[parent]["abstract"] = chance() < 0.5
        for _ in range(self.random.randint(1, 2)):
            self.source[self.name("Child")] = self.entity(parent)
        for _ in range(self.random.randint(2, 4)):
            self.relate(self.source, *self.random.choices(list(self.source), k=2))
        for entity in self.source.values():
            if chance() < 0.2:
                # What was renamed before: the identifier is the first of its names.
                self.random.choice(list(entity["properties"].values()))["id"] = self.name("first")

    def entity(self, parent=None):
        count = self.random.randint(1, 3)
        properties = {self.name("value"): self.attribute() for _ in range(count)}
        return {"abstract": False, "parent": parent, "id": None, "properties": properties}

    def attribute(self, kind=None, optional=None):
        kind = kind or self.random.choice(TYPES)
        optional = self.random.random() < 0.6 if optional is None else optional
        default = DEFAULTS.get(kind) if self.random.random() < 0.5 else None
        return {"type": kind, "optional": optional, "default": default}

    def relate(self, model, first, second, **wanted):
        names = self.name("link"), self.name("back")
        ends = (first, second), (second, first)
        for (owner, other), name, inverse in zip(ends, names, reversed(names)):
            many = self.random.random() < 0.5
            model[owner]["properties"][name] = {
                "to": other, "many": many, "ordered": many and self.random.random() < 0.3,
                "optional": self.random.random() < 0.8, "inverse": inverse}
        model[first]["properties"][names[0]].update(wanted)
        model[second]["properties"][names[1]]["optional"] = True

    # MARK: What changes pick

    def pick(self, condition):
        """A property of the later version that fulfils a condition, and that no change has touched."""
        found = [
            (entity, name, item)
            for entity, one in self.destination.items() if entity in self.source
            for name, item in one["properties"].items()
            if item == self.source[entity]["properties"].get(name) and condition(item)
        ]
        return self.random.choice(found) if found else None

    def pick_attribute(self, condition=lambda item: True):
        return self.pick(lambda item: "to" not in item and condition(item))

    def pick_link(self, condition=lambda item: True):
        return self.pick(lambda item: "to" in item and condition(item))

    def pick_entity(self, condition=lambda name, item: True):
        found = [
            name for name, item in self.destination.items()
            if name in self.source and condition(name, item)
        ]
        return self.random.choice(found) if found else None

    def children(self, name):
        return [other for other, item in self.destination.items() if item["parent"] == name]

    def rename_entity(self, old, new):
        model = self.destination
        model[new] = model.pop(old)
        model[new]["id"] = model[new]["id"] or old
        for item in model.values():
            if item["parent"] == old:
                item["parent"] = new
            for one in item["properties"].values():
                if one.get("to") == old:
                    one["to"] = new

    def drop_link(self, entity, name):
        item = self.destination[entity]["properties"].pop(name)
        self.destination[item["to"]]["properties"].pop(item["inverse"], None)

    def drop_entity(self, entity):
        for owner, item in list(self.destination.items()):
            for name, one in list(item["properties"].items()):
                if one.get("to") == entity and name in item["properties"]:
                    self.drop_link(owner, name)
        del self.destination[entity]


# MARK: Changes: each returns whether it could be made.

def change(key, value, condition, pick=Pair.pick_attribute):
    """A change of one trait of a property."""
    def make(pair):
        found = pick(pair, condition)
        if found:
            found[2][key] = value(pair, found[2]) if callable(value) else value
        return bool(found)
    return make


def named(name, make):
    make.__name__ = name
    return make


def plain(item):
    return not item.get("derived") and not item.get("transient") and item["type"] != "Composite"


def add_attribute(pair):
    entity = pair.pick_entity()
    pair.destination[entity]["properties"][pair.name("new")] = pair.attribute()
    return True


def add_composite(pair):
    entity = pair.pick_entity()
    pair.destination[entity]["properties"][pair.name("new")] = {
        "type": "Composite", "optional": True, "default": None, "parts": (("x", "Double"),)}
    return True


def add_derived(pair):
    found = pair.pick_attribute(lambda item: item["type"] == "String" and plain(item))
    if found:
        pair.destination[found[0]]["properties"][pair.name("new")] = {
            "type": "String", "optional": True, "default": None,
            "derived": f"canonical:({found[1]})"}
    return bool(found)


def remove_attribute(pair):
    found = pair.pick_attribute()
    if found:
        del pair.destination[found[0]]["properties"][found[1]]
    return bool(found)


def rename_property(pair):
    found = pair.pick(lambda item: True)
    if not found:
        return False
    entity, old, item = found
    new = pair.name("renamed")
    pair.destination[entity]["properties"][new] = pair.destination[entity]["properties"].pop(old)
    item["id"] = item.get("id") or old
    if "to" in item:
        pair.destination[item["to"]]["properties"][item["inverse"]]["inverse"] = new
    return True


def break_identifier(pair):
    found = pair.pick_attribute(lambda item: not item.get("id"))
    if not found:
        return False
    found[2]["id"] = pair.name("other")
    # No hash sees an identifier, and an entity of the same hash is copied as it is.
    pair.destination[found[0]]["properties"][pair.name("new")] = pair.attribute(optional=True)
    return True


def name_the_old_name(pair):
    found = pair.pick_attribute(lambda item: item.get("id"))
    if not found:
        return False
    entity, old, item = found
    pair.destination[entity]["properties"][pair.name("renamed")] = item
    del pair.destination[entity]["properties"][old]
    item["id"] = old
    return True


def add_link(pair):
    ends = pair.pick_entity(), pair.pick_entity()
    pair.relate(pair.destination, *ends, optional=True)
    return True


def add_required_to_many(pair):
    ends = pair.pick_entity(), pair.pick_entity()
    pair.relate(pair.destination, *ends, optional=False, many=True, ordered=False)
    return True


def add_required_to_one(pair):
    ends = pair.pick_entity(lambda _, item: not item["abstract"]), pair.pick_entity()
    pair.relate(pair.destination, *ends, optional=False, many=False, ordered=False)
    return True


def remove_link(pair):
    found = pair.pick_link()
    if found:
        pair.drop_link(found[0], found[1])
    return bool(found)


def redirect(pair):
    found = pair.pick_link()
    if not found:
        return False
    entity, name, item = found
    other = pair.pick_entity(lambda name, _: name != item["to"])
    back = pair.destination[item["to"]]["properties"].pop(item["inverse"])
    pair.destination[other]["properties"][item["inverse"]] = back
    item["to"] = other
    return True


def become_the_other_kind(pair):
    found = pair.pick_attribute(lambda item: not item.get("transient"))
    if not found:
        return False
    entity, name, item = found
    other, back = pair.pick_entity(), pair.name("back")
    link = {"to": other, "many": False, "ordered": False, "optional": True, "inverse": back}
    pair.destination[entity]["properties"][name] = link | {"id": item.get("id")}
    pair.destination[other]["properties"][back] = link | {"to": entity, "inverse": name}
    return True


def add_entity(pair):
    parent = pair.pick_entity() if pair.random.random() < 0.3 else None
    pair.destination[pair.name("New")] = pair.entity(parent)
    return True


def remove_entity(pair):
    entity = pair.pick_entity(lambda name, _: not pair.children(name))
    if not entity or len(pair.destination) < 3:
        return False
    pair.drop_entity(entity)
    return True


def replace_destination(pair):
    found = pair.pick_link(lambda item: not pair.children(item["to"]))
    if not found or found[0] == found[2]["to"]:
        return False
    item, other = found[2], pair.name("New")
    pair.destination[other] = pair.entity()
    back = pair.destination[item["to"]]["properties"].pop(item["inverse"])
    pair.destination[other]["properties"][item["inverse"]] = back
    old, item["to"] = item["to"], other
    pair.drop_entity(old)
    return True


def rename_entity(pair):
    pair.rename_entity(pair.pick_entity(), pair.name("Renamed"))
    return True


def insert_parent(pair):
    entity, parent = pair.pick_entity(), pair.name("Parent")
    pair.destination[parent] = pair.entity(pair.destination[entity]["parent"])
    pair.destination[parent]["abstract"] = pair.random.random() < 0.5
    pair.destination[entity]["parent"] = parent
    return True


def merge_hierarchies(pair):
    roots = [name for name, item in pair.destination.items() if not item["parent"]]
    if len(roots) < 2:
        return False
    first, second = pair.random.sample(roots, 2)
    if pair.random.random() < 0.5:
        pair.destination[first]["parent"] = second
        return True
    parent = pair.name("Parent")
    pair.destination[parent] = pair.entity() | {"abstract": True}
    pair.destination[first]["parent"] = pair.destination[second]["parent"] = parent
    return True


def leave_hierarchy(pair):
    entity = pair.pick_entity(lambda _, item: item["parent"])
    if entity:
        pair.destination[entity]["parent"] = None
    return bool(entity)


def move_up(pair):
    found = [
        (name, key) for name, item in pair.destination.items()
        if item["parent"] for key, one in item["properties"].items() if "to" not in one
    ]
    if not found:
        return False
    entity, name = pair.random.choice(found)
    properties = pair.destination[entity]["properties"]
    pair.destination[pair.destination[entity]["parent"]]["properties"][name] = properties.pop(name)
    return True


def turn_abstract(pair):
    def can(name, item):
        # An abstract entity without entities below it keeps nothing.
        return item["abstract"] or bool(pair.children(name)) or pair.random.random() < 0.3
    entity = pair.pick_entity(can)
    if entity:
        pair.destination[entity]["abstract"] = not pair.destination[entity]["abstract"]
    return bool(entity)


def other_number(pair, item):
    return pair.random.choice([kind for kind in NUMBERS if kind != item["type"]])


def other_type(pair, item):
    is_number = item["type"] in NUMBERS
    kinds = [kind for kind in TYPES if kind != item["type"] and not (is_number and kind in NUMBERS)]
    return pair.random.choice(kinds)


def retype(name, value, condition):
    def make(pair):
        found = pair.pick_attribute(lambda item: plain(item) and condition(item))
        if found:
            found[2]["type"] = value(pair, found[2])
            found[2]["default"] = DEFAULTS.get(found[2]["type"]) if found[2]["default"] else None
        return bool(found)
    return named(name, make)


def before(name, earlier, later):
    """A change whose earlier version has to be made, too."""
    def make(pair):
        entity, key = pair.pick_entity(), pair.name("value")
        pair.source[entity]["properties"][key] = dict(earlier)
        pair.destination[entity]["properties"][key] = dict(later)
        return True
    return named(name, make)


TEXT = {"type": "String", "optional": True, "default": None}
POINT = {"type": "Composite", "optional": True, "default": None, "parts": (("x", "Double"),)}

CHANGES = [
    add_attribute, add_attribute, add_composite, add_derived, remove_attribute, rename_property,
    rename_property, break_identifier, name_the_old_name, add_link, add_required_to_many,
    add_required_to_one, remove_link, redirect, replace_destination,
    become_the_other_kind, add_entity, remove_entity,
    rename_entity, insert_parent, merge_hierarchies, leave_hierarchy, move_up, turn_abstract,
    named("become_optional", change("optional", True, lambda item: not item["optional"])),
    named("become_required", change("optional", False, lambda item: item["optional"] and plain(item))),
    named("become_to_many", change("many", True, lambda item: not item["many"], Pair.pick_link)),
    named("become_to_one", change("many", False, lambda item: item["many"] and not item["ordered"],
                                  Pair.pick_link)),
    named("change_order", change("ordered", lambda _, item: not item["ordered"],
                                 lambda item: item["many"], Pair.pick_link)),
    named("require_one", change("optional", False, lambda item: item["optional"] and not item["many"],
                                Pair.pick_link)),
    retype("convert_number", other_number, lambda item: item["type"] in NUMBERS),
    retype("convert_type", other_type, lambda item: True),
    before("become_stored", TEXT | {"transient": True}, TEXT),
    before("become_transient", TEXT, TEXT | {"transient": True}),
    before("become_derived", TEXT, TEXT | {"derived": "now()", "type": "Date"}),
    before("become_underived", TEXT | {"derived": "now()", "type": "Date"}, TEXT | {"type": "Date"}),
    before("change_parts", POINT, POINT | {"parts": (("x", "Double"), ("y", "Double"))}),
]
