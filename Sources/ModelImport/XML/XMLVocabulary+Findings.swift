import ObjectModel

extension XMLVocabulary {
  /// A finding for each element and attribute that the table does not list, in file order.
  static func findings(in root: XMLElement, file: String) -> [Finding] {
    var findings: [Finding] = []
    check(root, in: "", place: Finding.Place(file: file), findings: &findings)
    return findings
  }

  private static func check(
    _ element: XMLElement,
    in parent: String,
    place: Finding.Place,
    findings: inout [Finding]
  ) {
    var place = place
    place.line = element.line
    guard let known = elements[element.name], known.parents.contains(parent) else {
      findings.append(
        Finding(
          .unknownElement,
          .warning,
          at: place,
          message: "The element \(element.name) in \(parent.isEmpty ? "the file" : parent) is "
            + "unknown; it and what it holds are left out.",
          remedy:
            "Leave it in the file. If stores of this version have other hashes than `waystone "
            + "versions` shows, report it."
        )
      )
      return
    }
    if known.isIgnored { return }
    switch element.name {
    case "entity", "composite": place.entity = element["name"]
    case "attribute", "relationship", "fetchedProperty": place.property = element["name"]
    default: break
    }
    for attribute in element.attributes where known.attributes[attribute.name] == nil {
      // What stands at the root speaks of the file; no entity, and so no version hash, depends on it.
      let isOfFile = parent.isEmpty
      findings.append(
        Finding(
          .unknownAttribute,
          isOfFile ? .note : .warning,
          at: place,
          message: "The attribute \(attribute.name) of \(element.name) is unknown and left out"
            + (isOfFile ? "; stores do not depend on it." : "."),
          remedy: isOfFile
            ? "Nothing needs to be done."
            : "Leave it in the file. If stores of this version have other hashes than `waystone "
              + "versions` shows, report it."
        )
      )
    }
    for child in element.children {
      check(child, in: element.name, place: place, findings: &findings)
    }
  }
}
