private import Foundation
internal import Yams

/// The mapping files that may run their SQL: `allowSQL: true`, or `allowSQL: [Mappings/*.hop.yml]`.
extension Configuration {
  /// Reads the value of `allowSQL`.
  mutating func takeSQL(_ value: Node) throws(WaystoneError) {
    switch value {
    case .scalar(let scalar) where scalar.string == "true": allowedSQL = ["**"]
    case .scalar(let scalar) where scalar.string == "false": allowedSQL = []
    case .sequence(let nodes):
      allowedSQL = try nodes.map { node throws(WaystoneError) in
        try entry(node, "allowSQL", "a list of paths").text
      }
    default: throw expected("true, false or a list of paths", "allowSQL", value)
    }
  }

  /// Returns whether the SQL of a file may run.
  ///
  /// Only that of a file below the configuration's folder, wherever symbolic links lead.
  package func allowsSQL(ofFileAt path: String) -> Bool {
    func components(_ path: String) -> [String] {
      URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.pathComponents
    }
    let (own, file) = (components(folder), components(path))
    guard file.count > own.count, Array(file.prefix(own.count)) == own else { return false }
    let rest = file.dropFirst(own.count)
    return allowedSQL.contains { pattern in
      let parts = pattern.split(separator: "/").filter { $0 != "." }.map(String.init)
      return pattern == "**" || Self.fits(rest, parts[...])
    }
  }

  /// Returns whether the components of a path fit a pattern's: `*` matches any text within one of them,
  /// and a path of a folder for all that is in it.
  private static func fits(_ path: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
    path.count >= pattern.count && !pattern.isEmpty
      && zip(path, pattern).allSatisfy { fits($0, $1) }
  }

  private static func fits(_ name: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return name == pattern
    }
    guard name.count >= first.count + last.count, name.hasPrefix(first), name.hasSuffix(last)
    else { return false }
    var rest = name.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
