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
          remedy: "If the model depends on it, report it; else remove it."
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
      findings.append(
        Finding(
          .unknownAttribute,
          .warning,
          at: place,
          message: "The attribute \(attribute.name) of \(element.name) is unknown and left out.",
          remedy: "If the model depends on it, report it; else remove it."
        )
      )
    }
    for child in element.children {
      check(child, in: element.name, place: place, findings: &findings)
    }
  }
}
