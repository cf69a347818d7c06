import ObjectModel
import PropertyLists

/// A reader of property lists in Apple's XML form, and of files that hold either form.
enum XMLPropertyList {
  /// Returns the value in the bytes of an XML property list.
  ///
  /// The elements are those of Apple's `PropertyList-1.0.dtd`.
  /// - Throws: ``ModelImportError`` with the line at fault.
  /// - Complexity: O(*n*) in the bytes.
  static func read(_ bytes: [UInt8], file: String) throws(ModelImportError) -> PropertyList {
    let root = try XMLTree.parse(bytes, file: file)
    guard root.name == "plist", root.children.count == 1, let value = root.children.first else {
      throw damaged(root, file: file, "The XML is no property list")
    }
    return try read(value, file: file)
  }

  /// Returns the value of an element; `XMLTree` bounds the depth of the recursion.
  private static func read(
    _ element: XMLElement,
    file: String
  ) throws(ModelImportError) -> PropertyList {
    let text = element.text
    let value: PropertyList?
    switch element.name {
    case "string": value = .string(text)
    case "true": value = .boolean(true)
    case "false": value = .boolean(false)
    case "integer":
      value = Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
    case "real": value = Double(text).map { .real($0) }
    case "data": value = Base64.bytes(text).map { .data($0) }
    case "date": value = date(text).map { .date($0) }
    case "array":
      var items: [PropertyList] = []
      for child in element.children { items.append(try read(child, file: file)) }
      value = .array(items)
    case "dict": value = .dictionary(try entries(of: element, file: file))
    default: value = nil
    }
    guard let value else {
      throw damaged(element, file: file, "The property list's \(element.name) has no such value")
    }
    return value
  }

  private static func entries(
    of element: XMLElement,
    file: String
  ) throws(ModelImportError) -> [String: PropertyList] {
    var entries: [String: PropertyList] = [:]
    let children = element.children
    guard children.count.isMultiple(of: 2) else {
      throw damaged(element, file: file, "A dictionary has a key without value")
    }
    for index in stride(from: 0, to: children.count, by: 2) {
      let key = children[index]
      guard key.name == "key", entries[key.text] == nil else {
        throw damaged(key, file: file, "A dictionary's key is missing or recurs")
      }
      entries[key.text] = try read(children[index + 1], file: file)
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

  private static func damaged(
    _ element: XMLElement,
    file: String,
    _ message: String
  ) -> ModelImportError {
    ModelImportError(
      .damagedArchive,
      file: file,
      line: element.line,
      element: element.name,
      message: "\(message).",
      recovery: "Restore the file from version control, or build the app again."
    )
  }
}

extension FilePath {
  /// Returns the property list in the file, in its binary or its XML form.
  ///
  /// - Throws: ``ModelImportError``.
  func propertyList() throws(ModelImportError) -> PropertyList {
    let bytes = try bytes(limit: 1 << 20)
    guard bytes.starts(with: Array("bplist".utf8)) else {
      return try XMLPropertyList.read(bytes, file: string)
    }
    do throws(PropertyListError) {
      return try PropertyList(binary: bytes)
    } catch { throw ModelImportError(error, file: string) }
  }
}
