internal import ObjectModel

/// The versions that a model's `.xccurrentversion` names where a merge left its conflict there.
enum CurrentClaims {
  /// The name of the file.
  private static let fileName = ".xccurrentversion"
  /// The most bytes that the file may have.
  private static let greatestSize = 1 << 20

  /// Reads the names on both sides of the conflict, in their order; none where there is no conflict.
  ///
  /// - Parameter path: The absolute path of an `.xcdatamodeld`.
  /// - Throws: ``WaystoneError`` where the file is there and cannot be read.
  static func read(in path: String) throws(WaystoneError) -> [String] {
    let file = "\(path)/\(fileName)"
    guard try InputFile.exists(file) else { return [] }
    let bytes = try InputFile.bytes(of: file, shownAs: file, limit: greatestSize)
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard lines.contains(where: { $0.hasPrefix("<<<<<<< ") || $0 == "<<<<<<<" }),
      lines.contains(where: { $0.hasPrefix(">>>>>>>") })
    else { return [] }
    var names: [String] = []
    for line in lines {
      for part in line.split(separator: "<string>").dropFirst(line.hasPrefix("<string>") ? 0 : 1) {
        let name = part.prefix { $0 != "<" }
        guard name.hasSuffix(".xcdatamodel") else { continue }
        let stem = String(name.dropLast(".xcdatamodel".count))
        if !names.contains(stem) { names.append(stem) }
      }
    }
    return names
  }

  /// Returns the finding on a model whose current version is disputed.
  static func finding(_ names: [String], in path: String) -> Finding {
    Finding(
      .currentVersionDisputed,
      .error,
      at: Finding.Place(file: "\(path)/\(fileName)"),
      message: "A merge left its conflict in \(fileName): \(names.joined(separator: " and ")) each "
        + "claim to be the current version.",
      remedy: "Keep one of the names, and remove the lines with marks."
    )
  }
}
