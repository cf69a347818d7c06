import ObjectModel
import XMLParsing

extension XMLVocabulary {
  /// Returns a finding for each element and attribute that the table does not list, in file order.
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
      // An attribute of the root is about the file; no entity, and so no version hash, depends on it.
      let isOfFile = parent.isEmpty
      if let meant = meant(by: attribute.name, in: known) {
        findings.append(
          misnamed(attribute, as: meant, isTaken: element[meant] != nil, of: element, at: place)
        )
        continue
      }
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

  /// Returns the known attribute that an unknown one is a slip for: its name in Core Data's code, or its
  /// own one spelled otherwise; nil where it is like none.
  private static func meant(by name: String, in element: Element) -> String? {
    let known = element.attributes.filter { $0.value == .modelled }.map(\.key)
    let letters = name.lowercased().filter(\.isLetter)
    if let meant = slips[letters], known.contains(meant) { return meant }
    return known.sorted(by: ByteOrder.precedes).first { own in
      let other = own.lowercased()
      return other == letters || other.count > 5 && other.isOneSlipFrom(letters)
    }
  }

  /// The attribute of the file for names of Core Data's interface and of Xcode's inspector, in small letters.
  private static let slips: [String: String] = [
    "renamingidentifier": "elementID", "renamingid": "elementID", "renameidentifier": "elementID",
    "renameid": "elementID", "versionhash": "versionHashModifier",
    "hashmodifier": "versionHashModifier", "hashversionmodifier": "versionHashModifier",
    "isoptional": "optional", "istransient": "transient", "isderived": "derived",
    "type": "attributeType", "defaultvalue": "defaultValueString", "default": "defaultValueString",
    "managedobjectclassname": "representedClassName", "classname": "representedClassName",
    "superentity": "parentEntity", "abstract": "isAbstract", "inverse": "inverseName",
    "inverserelationship": "inverseName", "destination": "destinationEntity",
    "deleterule": "deletionRule", "isordered": "ordered", "istomany": "toMany",
    "allowsexternalbinarystorage": "allowsExternalBinaryDataStorage",
    "valuetransformer": "valueTransformerName",
  ]

  /// Returns a finding on an attribute with a wrong name, which Xcode's compiler leaves out.
  private static func misnamed(
    _ attribute: XMLElement.Attribute,
    as meant: String,
    isTaken: Bool,
    of element: XMLElement,
    at place: Finding.Place
  ) -> Finding {
    Finding(
      .unknownAttribute,
      .warning,
      at: place,
      message:
        "Xcode's model compiler ignores \(attribute.name)=, which is no attribute of <\(element.name)>; "
        + "so does Waystone. The attribute is called \(meant).",
      remedy: isTaken
        ? "Remove \(attribute.name)=: \(meant)= beside it counts."
        : "In a version that has not shipped, write \(meant)= in place of \(attribute.name)=. In a shipped "
          + "one, remove it: users' stores are made without it."
    )
  }
}

extension String {
  /// Returns whether one letter more, less, other or exchanged with the next one makes it another text.
  fileprivate func isOneSlipFrom(_ other: String) -> Bool {
    let (left, right) = (Array(self), Array(other))
    guard abs(left.count - right.count) <= 1 else { return false }
    let start = zip(left, right).prefix { $0 == $1 }.count
    let (a, b) = (left[start...], right[start...])
    if a.dropFirst().elementsEqual(b.dropFirst()) || a.dropFirst().elementsEqual(b)
      || a.elementsEqual(b.dropFirst())
    {
      return true
    }
    return a.count == b.count && a.count > 1 && a.dropFirst().first == b.first
      && a.first == b.dropFirst().first && a.dropFirst(2).elementsEqual(b.dropFirst(2))
  }
}
