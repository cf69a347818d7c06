"""What Apple's documents say of two versions of a model: whether Core Data infers a mapping between them.

This is a statement of the rules for itself, which knows nothing of how Waystone infers. Each change that
is found is said to be ALLOWED, REFUSED or SILENT, with the rule that says so.
"""

ALLOWED, REFUSED, SILENT = "allowed", "refused", "silent"

# The sources, by the letters that the rules name them with.
SOURCES = {
    "M": "Migrating your data model automatically, developer.apple.com/documentation/coredata/"
    "migrating-your-data-model-automatically (before: Lightweight Migration, in the Core Data Model "
    "Versioning and Data Migration Programming Guide)",
    "I": "inferredMappingModel(forSourceModel:destinationModel:), developer.apple.com/documentation/"
    "coredata/nsmappingmodel: 'removing or renaming an attribute, adding an optional attribute or "
    "relationship, or adding renaming or deleting an entity'",
    "R": "renamingIdentifier of NSEntityDescription and NSPropertyDescription: 'If you do not set this "
    "value, the identifier will return the entity's name'",
    "S": "Staged migrations, developer.apple.com/documentation/coredata/staged-migrations",
    "W10": "WWDC 2010, session 118, Mastering Core Data: 'Inferable Changes'",
    "W22": "WWDC 2022, session 10120, Evolve your Core Data schema",
}

# What each rule says, and where it is from.
RULES = {
    "attribute added": (ALLOWED, "M", "'Addition of an attribute'; I: 'adding an optional attribute'"),
    "attribute removed": (ALLOWED, "M", "'Removal of an attribute'"),
    "becomes optional": (ALLOWED, "M", "'A nonoptional attribute becoming optional'"),
    "becomes required with default": (
        ALLOWED, "M", "'An optional attribute becoming non-optional, and defining a default value'"),
    "property renamed": (ALLOWED, "M", "'Renaming an entity or property', by the identifier (R)"),
    "number converted": (
        ALLOWED, "W10", "'Attributes: numerical type conversion'; wordpress-mobile/WordPress-iOS#4481"),
    "relationship added": (
        ALLOWED, "M", "'You can add a new relationship'; I: 'an optional ... relationship'"),
    "required to-many added": (
        ALLOWED, "M", "'You can add a new relationship'; AltStore, wire and Trailer ship it"),
    "relationship removed": (ALLOWED, "M", "'or delete an existing relationship'"),
    "becomes to-many": (ALLOWED, "M", "'change a relationship from a to-one to a to-many'"),
    "order changed": (ALLOWED, "M", "'a nonordered to-many to ordered (and vice versa)'"),
    "entity added": (ALLOWED, "M", "'You can add, remove, and rename entities'"),
    "entity removed": (ALLOWED, "M", "the same"),
    "entity renamed": (ALLOWED, "M", "the same, by the identifier (R)"),
    "parent changed": (
        ALLOWED, "M", "'create a new parent or child entity', 'move entities into or out of a hierarchy'"),
    "property moved": (ALLOWED, "M", "'move properties up and down the entity hierarchy'"),
    "becomes stored": (
        ALLOWED, "M", "'analyzes the schema changes to persistent entities and properties': an addition"),
    "becomes transient": (ALLOWED, "M", "the same: a removal; WordPress and wire ship both"),
    "destination replaced": (
        ALLOWED, "M", "'add, remove ... entities': the old destination is removed with its links; "
        "WordPress 38 and WooCommerce 32 ship it"),
    "hierarchies merged": (
        REFUSED, "M", "'if two existing entities don't share a common parent in the source, they can't "
        "share a common parent in the destination'; Core Data's error: 'Cannot merge multiple root "
        "entity source tables into one destination entity root table'"),
    "becomes required without default": (
        REFUSED, "S", "'if you change an optional attribute to be nonoptional, there's no way for a "
        "lightweight migration to infer the default value'"),
    "required attribute added": (
        REFUSED, "I", "'an optional attribute'; Core Data's error: 'Validation error missing attribute "
        "values on mandatory destination attribute' (3lvis/DATAStack#61, paulw11/Seam3#28)"),
    "type converted": (
        REFUSED, "W22", "'a data type change that isn't supported'; of types W10 has numbers alone"),
    # Nothing that anybody documents, or reports that contradict each other.
    "becomes to-one": (SILENT, "M", "'and vice versa' stands behind the order alone"),
    "kind changed": (SILENT, "M", "an attribute and a relationship of one identifier"),
    "abstractness changed": (SILENT, "M", "concrete to abstract and back"),
    "destination changed": (SILENT, "M", "a destination that is not what the old one became"),
    "derivation changed": (SILENT, "M", "stored to derived and back, or by another expression"),
    "composite changed": (SILENT, "M", "a composite attribute of other parts"),
    "required to-one added": (
        SILENT, "I", "'an optional ... relationship'; reported to be refused ('missing attribute values "
        "on mandatory destination relationship', openradar 12153321), and shipped by Trailer 17"),
    "to-one becomes required": (SILENT, "S", "which speaks of attributes"),
    "identifier broken": (
        SILENT, "M", "'set the renaming identifier to the name of the property in the source model (unless "
        "that property already has a renaming identifier)'; what follows else is not said"),
}

NUMBERS = {"Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Decimal", "Boolean"}


def verdict(source, destination):
    """What the documents say of a step, and the rules that it comes from."""
    rules = Comparison(source, destination).rules
    kinds = {RULES[rule][0] for rule in rules}
    return next((kind for kind in (REFUSED, SILENT) if kind in kinds), ALLOWED), sorted(rules)


def identifier(item, name):
    return item.get("id") or name


def ancestors(model, name):
    """An entity and all above it."""
    found = []
    while name:
        found.append(name)
        name = model[name].get("parent")
    return found


def descendants(model, name):
    return {other for other in model if name in ancestors(model, other)}


def properties(model, entity):
    """The properties of an entity with those that it inherits, and who declares each."""
    found = {}
    for owner in reversed(ancestors(model, entity)):
        for name, one in model[owner]["properties"].items():
            found[name] = (owner, one)
    return found


def match(source, destination):
    """The names of the destination with those of the source of the same identifier (R)."""
    by_identifier = {identifier(item, name): name for name, item in source.items()}
    found = {}
    for name, item in destination.items():
        other = by_identifier.get(identifier(item, name))
        if other is not None:
            found[name] = other
    return found


def broken(source, destination, pairs):
    """Names of the destination with those of the source that stay, or that an identifier names, although
    the identifiers are not the same: what becomes of these nobody says."""
    taken = set(pairs.values())
    return {
        name: other
        for name, item in destination.items()
        for other in (item.get("id"), name)
        if name not in pairs and other in source and other not in taken
    }


class Comparison:
    def __init__(self, source, destination):
        self.source, self.destination = source, destination
        self.rules = set()
        self.pairs = match(source, destination)
        self.became = {old: new for new, old in self.pairs.items()}
        self.entities()
        for new, old in self.pairs.items():
            # An abstract entity has no rows; what it declares is judged where it is inherited.
            if not source[old]["abstract"]:
                self.compare(old, new)

    def entities(self):
        if len(self.pairs) < len(self.destination):
            self.rules.add("entity added")
        if len(self.pairs) < len(self.source):
            self.rules.add("entity removed")
        if broken(self.source, self.destination, self.pairs):
            self.rules.add("identifier broken")
        roots = {}
        for new, old in self.pairs.items():
            before, after = self.source[old], self.destination[new]
            if old != new:
                self.rules.add("entity renamed")
            if before["abstract"] != after["abstract"]:
                self.rules.add("abstractness changed")
            if self.became.get(before.get("parent")) != after.get("parent"):
                self.rules.add("parent changed")
            root = ancestors(self.destination, new)[-1]
            roots.setdefault(root, set()).add(ancestors(self.source, old)[-1])
        if any(len(old) > 1 for old in roots.values()):
            self.rules.add("hierarchies merged")

    def compare(self, old, new):
        before, after = properties(self.source, old), properties(self.destination, new)
        items = [{name: item for name, (_, item) in all.items()} for all in (before, after)]
        pairs = match(*items)
        doubtful = broken(*items, pairs)
        if doubtful:
            self.rules.add("identifier broken")
        for name in before.keys() - {*pairs.values(), *doubtful.values()}:
            self.removed(before[name][1])
        for name, (owner, item) in after.items():
            if name in doubtful:
                continue
            if name not in pairs:
                self.added(item)
                continue
            other, was = before[pairs[name]]
            if name != pairs[name]:
                self.rules.add("property renamed")
            if self.became.get(other) != owner:
                self.rules.add("property moved")
            self.changed(was, item)

    def removed(self, item):
        if not item.get("transient"):
            self.rules.add("relationship removed" if "to" in item else "attribute removed")

    def added(self, item):
        if item.get("transient"):
            return
        if "to" not in item:
            needs = not item["optional"] and item.get("default") is None and not item.get("derived")
            self.rules.add("required attribute added" if needs else "attribute added")
        elif item["optional"]:
            self.rules.add("relationship added")
        else:
            self.rules.add("required to-many added" if item["many"] else "required to-one added")

    def changed(self, was, item):
        if was.get("transient") or item.get("transient"):
            if not item.get("transient"):
                self.rules.add("becomes stored")
                self.added(item)
            elif not was.get("transient"):
                self.rules.add("becomes transient")
        elif ("to" in was) != ("to" in item):
            self.rules.add("kind changed")
        elif "to" in item:
            self.relationship(was, item)
        else:
            self.attribute(was, item)

    def attribute(self, was, item):
        if was.get("derived") or item.get("derived"):
            if was.get("derived") != item.get("derived"):
                self.rules.add("derivation changed")
            return
        types = {was["type"], item["type"]}
        if was.get("parts") != item.get("parts") and types == {"Composite"}:
            self.rules.add("composite changed")
        elif len(types) == 2:
            self.rules.add("number converted" if types <= NUMBERS else "type converted")
        if was["optional"] and not item["optional"]:
            has_default = item.get("default") is not None
            self.rules.add(f"becomes required {'with' if has_default else 'without'} default")
        elif item["optional"] and not was["optional"]:
            self.rules.add("becomes optional")

    def relationship(self, was, item):
        if was["many"] and not item["many"]:
            self.rules.add("becomes to-one")
        elif item["many"] and not was["many"]:
            self.rules.add("becomes to-many")
        elif was.get("ordered") != item.get("ordered"):
            self.rules.add("order changed")
        if was["optional"] and not item["optional"] and not item["many"]:
            self.rules.add("to-one becomes required")
        elif item["optional"] and not was["optional"]:
            self.rules.add("becomes optional")
        reached = {self.became.get(name) for name in descendants(self.source, was["to"])} - {None}
        if was["to"] not in self.became and not reached:
            self.rules.add("destination replaced")
        elif self.became.get(was["to"]) != item["to"] or not reached <= descendants(self.destination, item["to"]):
            self.rules.add("destination changed")
