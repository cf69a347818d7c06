internal import Files
internal import Waystone

/// A path with wildcards, quoted by the user so that the shell does not expand it.
///
/// `*` is any part of a name, `?` one character, `[a-z]` and `[!a-z]` one of several or none of them, and the
/// component `**` any number of folders. A pattern matches a name that begins with a dot only where it begins
/// with one too.
struct PathPattern {
  /// The folder above the first component with a wildcard.
  let folder: String
  private let components: [String]

  /// A pattern, parsed from an absolute path; nil where it has no wildcard.
  init?(_ path: String) {
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    guard let first = parts.firstIndex(where: Self.hasWildcard) else { return nil }
    folder = "/" + parts[..<first].joined(separator: "/")
    components = Array(parts[first...])
  }

  /// Passes each path that matches the pattern to a closure, in byte order of each folder's names.
  ///
  /// Links to folders are not followed, but a link may itself match.
  ///
  /// - Parameters:
  ///   - root: The pattern's ``folder``.
  ///   - visit: Receives each path, relative to the folder.
  ///   - fail: Receives the path that cannot be read, and the error.
  /// - Throws: Rethrows the errors of the closures.
  func expand(
    in root: Folder,
    _ visit: (String) throws -> Void,
    orTell fail: (String, FileError) throws -> Void
  ) throws {
    try expand(in: root, "", 0, 0, visit, fail)
  }

  private func expand(
    in folder: Folder,
    _ path: String,
    _ index: Int,
    _ depth: Int,
    _ visit: (String) throws -> Void,
    _ fail: (String, FileError) throws -> Void
  ) throws {
    let component = components[index]
    let isLast = index + 1 == components.count
    if component == "**" {
      // At the end of a pattern: the folder, with all that is below it.
      if isLast { return try visit(path) }
      try expand(in: folder, path, index + 1, depth, visit, fail)
    }
    var names: [(name: String, status: FileStatus)] = []
    do throws(FileError) {
      guard depth < FolderWalk.greatestDepth else { return }
      for name in try folder.names() {
        guard component == "**" ? name.first != "." : Self.matches(name, component) else {
          continue
        }
        if let status = try folder.status(of: name) { names.append((name, status)) }
      }
    } catch {
      return try fail(path, error)
    }
    for (name, status) in names {
      let inner = path.isEmpty ? name : "\(path)/\(name)"
      if isLast, component != "**" {
        try visit(inner)
        continue
      }
      if status.kind != .folder { continue }
      let next: Folder
      do throws(FileError) { next = try folder.folder(name) } catch {
        try fail(inner, error)
        continue
      }
      try expand(in: next, inner, component == "**" ? index : index + 1, depth + 1, visit, fail)
    }
  }

  // MARK: Matching

  private static func hasWildcard(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0 == "*" || $0 == "?" || $0 == "[" }
  }

  /// Returns whether a name matches a component.
  ///
  /// - Complexity: O(*n m*) in the lengths of both.
  static func matches(_ name: String, _ pattern: String) -> Bool {
    if name.unicodeScalars.first == ".", pattern.unicodeScalars.first != "." { return false }
    let name = Array(name.unicodeScalars)
    let pattern = Array(pattern.unicodeScalars)
    var (at, part) = (0, 0)
    /// The position of the last star, and the position in the name from which the rest of the pattern is
    /// tried.
    var star: (part: Int, at: Int)?
    while at < name.count {
      if part < pattern.count, pattern[part] == "*" {
        star = (part, at)
        part += 1
      } else if part < pattern.count, let length = length(pattern[part...], meeting: name[at]) {
        part += length
        at += 1
      } else if let last = star {
        star = (last.part, last.at + 1)
        (part, at) = (last.part + 1, last.at + 1)
      } else {
        return false
      }
    }
    return pattern[part...].allSatisfy { $0 == "*" }
  }

  /// Returns the number of scalars at the start of a pattern that match one character; nil where none do.
  private static func length(
    _ pattern: ArraySlice<Unicode.Scalar>,
    meeting scalar: Unicode.Scalar
  ) -> Int? {
    let start = pattern.startIndex
    guard pattern[start] == "[",
      // A bracket that comes first is one of the characters.
      let end = pattern.dropFirst(pattern.dropFirst().first == "!" ? 3 : 2).firstIndex(of: "]")
    else { return pattern[start] == "?" || pattern[start] == scalar ? 1 : nil }
    let isNegated = pattern[start + 1] == "!"
    var index = start + (isNegated ? 2 : 1)
    var isMet = false
    while index < end {
      if index + 2 < end, pattern[index + 1] == "-" {
        if pattern[index] <= scalar, scalar <= pattern[index + 2] { isMet = true }
        index += 3
      } else {
        if pattern[index] == scalar { isMet = true }
        index += 1
      }
    }
    return isMet != isNegated ? end - start + 1 : nil
  }
}
