import ObjectModel
private import Yams

/// A reader of YAML, a superset of JSON, into values that know their lines.
enum HopDocument {
  /// The largest file, in bytes.
  static let greatestSize = 1 << 20
  /// The greatest depth of values.
  private static let greatestDepth = 64
  /// The greatest number of values.
  private static let greatestCount = 100_000

  /// Returns the file's one value.
  ///
  /// - Throws: ``ModelImportError`` with the line at fault; also for anchors, which could make a
  ///   short file long without end.
  static func read(_ bytes: [UInt8], file: String) throws(ModelImportError) -> HopNode {
    guard bytes.count <= greatestSize, let text = String(validating: bytes, as: UTF8.self) else {
      throw ModelImportError(
        .tooLarge,
        file: file,
        message: "The file is larger than 1 MiB or not UTF-8.",
        recovery: "Check that it is a hop file."
      )
    }
    try refuseAnchors(text, file: file)
    let root: Node?
    do {
      root = try Parser(yaml: text).singleRoot()
    } catch {
      let fault = YAMLFault(error)
      throw ModelImportError(
        .badValue,
        file: file,
        line: fault.line,
        message: fault.message,
        recovery: fault.recovery
      )
    }
    guard let root else {
      throw ModelImportError(
        .badValue,
        file: file,
        message: "The file is empty.",
        recovery: "Write one with `waystone init --hop FROM TO`."
      )
    }
    var count = 0
    return try node(root, file: file, depth: 0, count: &count)
  }

  private static func node(
    _ node: Node,
    file: String,
    depth: Int,
    count: inout Int
  ) throws(ModelImportError) -> HopNode {
    count += 1
    let line = node.mark?.line ?? 1
    guard depth < greatestDepth, count <= greatestCount else {
      throw ModelImportError(
        .tooLarge,
        file: file,
        line: line,
        message: "The file has more than \(greatestDepth) levels or \(greatestCount) values.",
        recovery: "Check that it is a hop file."
      )
    }
    let content: HopNode.Content
    switch node {
    case .scalar(let scalar):
      let isPlain = scalar.style == .plain || scalar.style == .any
      content =
        isPlain && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
        ? .null : .text(scalar.string, isQuoted: !isPlain)
    case .sequence(let sequence):
      var members: [HopNode] = []
      for member in sequence {
        members.append(try self.node(member, file: file, depth: depth + 1, count: &count))
      }
      content = .list(members)
    case .mapping(let mapping):
      var entries: [HopEntry] = []
      for (key, value) in mapping {
        guard let name = key.scalar?.string else {
          throw ModelImportError(
            .badValue,
            file: file,
            line: key.mark?.line ?? line,
            message: "A key must be a text.",
            recovery: "Correct the line named."
          )
        }
        let value = try self.node(value, file: file, depth: depth + 1, count: &count)
        entries.append(HopEntry(name: name, line: key.mark?.line ?? line, value: value))
      }
      content = .map(entries)
    case .alias:
      throw ModelImportError(
        .badValue,
        file: file,
        line: line,
        message: "An alias stands for nothing here.",
        recovery: "Write the value itself."
      )
    }
    return HopNode(content: content, line: line, file: file)
  }

  /// Refuses `&name` where a value may begin.
  private static func refuseAnchors(_ text: String, file: String) throws(ModelImportError) {
    for (number, line) in text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false)
      .enumerated()
    {
      var last = UInt8(ascii: "-")
      var isSpaced = true
      var bytes = line[...]
      while let byte = bytes.popFirst() {
        if byte == UInt8(ascii: " ") || byte == 0x09 {
          isSpaced = true
          continue
        }
        if byte == UInt8(ascii: "&"), isSpaced, ":-,[{?".utf8.contains(last),
          let next = bytes.first, next != byte, next != UInt8(ascii: " ")
        {
          throw ModelImportError(
            .badValue,
            file: file,
            line: number + 1,
            message: "Hop files have no anchors.",
            recovery: "Write the value wherever it is meant."
          )
        }
        if byte == UInt8(ascii: "#"), isSpaced { break }
        isSpaced = false
        last = byte
      }
    }
  }
}
