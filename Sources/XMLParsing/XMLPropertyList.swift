import ObjectModel
package import PropertyLists

/// A reader of property lists in Apple's XML form.
package enum XMLPropertyList {
  /// Returns the value in the bytes of an XML property list.
  ///
  /// The elements are those of Apple's `PropertyList-1.0.dtd`.
  /// - Throws: ``XMLError`` with the line at fault.
  /// - Complexity: O(*n*) in the bytes.
  package static func read(_ bytes: [UInt8]) throws(XMLError) -> PropertyList {
    try read(XMLTree.parse(bytes))
  }

  /// Returns the value in a `plist` element.
  ///
  /// - Throws: ``XMLError`` with the line at fault.
  package static func read(_ root: XMLElement) throws(XMLError) -> PropertyList {
    guard root.name == "plist", root.children.count == 1, let value = root.children.first else {
      throw damaged(root, "The XML is no property list")
    }
    return try self.value(value)
  }

  /// Returns the value of an element; `XMLTree` bounds the depth of the recursion.
  private static func value(_ element: XMLElement) throws(XMLError) -> PropertyList {
    let text = element.text
    let result: PropertyList?
    switch element.name {
    case "string": result = .string(text)
    case "true": result = .boolean(true)
    case "false": result = .boolean(false)
    case "integer":
      result = Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
    case "real": result = Double(text).map { .real($0) }
    case "data": result = Base64.bytes(text).map { .data($0) }
    case "date": result = date(text).map { .date($0) }
    case "array":
      var items: [PropertyList] = []
      for child in element.children { items.append(try value(child)) }
      result = .array(items)
    case "dict": result = .dictionary(try entries(of: element))
    default: result = nil
    }
    guard let result else {
      throw damaged(element, "The property list's \(element.name) has no such value")
    }
    return result
  }

  private static func entries(
    of element: XMLElement
  ) throws(XMLError) -> [String: PropertyList] {
    var entries: [String: PropertyList] = [:]
    let children = element.children
    guard children.count.isMultiple(of: 2) else {
      throw damaged(element, "A dictionary has a key without value")
    }
    for index in stride(from: 0, to: children.count, by: 2) {
      let key = children[index]
      guard key.name == "key", entries[key.text] == nil else {
        throw damaged(key, "A dictionary's key is missing or recurs")
      }
      entries[key.text] = try value(children[index + 1])
    }
    return entries
  }

  /// Returns the seconds since 2001 of `2026-11-21T08:00:00Z`, the only form that Apple's writers use.
  private static func date(_ text: String) -> Double? {
    let separators = "--T::Z".utf8
    var fields: [Int] = []
    var rest = text.utf8[...]
    for separator in separators {
      guard let end = rest.firstIndex(of: separator), end > rest.startIndex,
        rest[..<end].allSatisfy({ (0x30...0x39).contains($0) }), rest[..<end].count <= 4,
        let field = Int(String(decoding: rest[..<end], as: UTF8.self))
      else { return nil }
      fields.append(field)
      rest = rest[rest.index(after: end)...]
    }
    guard rest.isEmpty, (1...12).contains(fields[1]), (1...31).contains(fields[2]),
      fields[3] < 24, fields[4] < 60, fields[5] <= 60
    else { return nil }
    let days = Self.days(year: fields[0], month: fields[1], day: fields[2])
    return Double(days * 86_400 + fields[3] * 3600 + fields[4] * 60 + fields[5])
  }

  /// Returns the days since 2001-01-01 in the Gregorian calendar; years begin with March, so that the
  /// leap day is the last.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month < 3 ? year - 1 : year
    let inYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + inYear - 730_791
  }

  private static func damaged(_ element: XMLElement, _ message: String) -> XMLError {
    XMLError(.badPropertyList, line: element.line, element: element.name, "\(message).")
  }
}
