internal import Files
internal import SwiftDataImport

/// The place of models: a path, or a folder of Swift sources at commits of its git repository.
///
/// `App/Sources@v1.0.0,v1.1.0,.` means the folder as it was at two tags, and as it is now.
/// `App.xcodeproj` means the folder that holds it; the files of the project's targets count.
package struct ModelsPath: Hashable, Sendable {
  /// The absolute path of the models.
  package var path: String
  /// The name of the Xcode project in that folder whose targets count; nil where none is named.
  package private(set) var project: String?
  /// The tags or commits, the oldest first.
  ///
  /// Among them ``now`` means the files as they are; none where only those count.
  package var references: [String]

  /// The name that means the files as they are, among tags and commits; git takes no such name.
  package static let now = "."

  /// Reads the path that a text means: all of it where a file or folder has that path, else the part
  /// before the last `@`.
  ///
  /// - Throws: ``WaystoneError`` where the commits are no list of names, or one is named twice.
  package init(_ text: String) throws(WaystoneError) {
    path = Self.withoutSlash(text)
    references = []
    try readReferences(text)
    while path.hasSuffix("\(XcodeProject.suffix)/") { path.removeLast() }
    if path.hasSuffix(XcodeProject.suffix), Self.exists("\(path)/\(XcodeProject.fileName)") {
      project = FileSystem.name(of: path)
      path = FileSystem.folder(of: path)
    }
  }

  private mutating func readReferences(_ text: String) throws(WaystoneError) {
    guard let mark = text.lastIndex(of: "@"), !text[mark...].contains("/") || !Self.exists(text)
    else { return }
    if Self.exists(text) { return }
    let folder = String(text[..<mark])
    guard Self.exists(folder) else { return }
    let names = text[text.index(after: mark)...].split(
      separator: ",",
      omittingEmptySubsequences: false
    ).map(String.init)
    var seen: Set<String> = []
    for name in names {
      guard !name.isEmpty, !name.hasPrefix("-"), seen.insert(name).inserted else {
        throw WaystoneError(
          .badArgument,
          name.isEmpty || name.hasPrefix("-")
            ? "\(name.isEmpty ? "Nothing" : name) is no tag or commit." : "\(name) is named twice.",
          recovery: "Name tags or commits behind the folder, as in Sources@v1.0.0,v1.1.0,."
        )
      }
    }
    path = Self.withoutSlash(folder)
    references = names
  }

  /// Returns a path without the slashes at its end, which shells write behind the name of a folder.
  private static func withoutSlash(_ path: String) -> String {
    let end = path.lastIndex { $0 != "/" }
    return end.map { String(path[...$0]) } ?? String(path.prefix(1))
  }

  /// Returns the paths that a text means: all of it where a file or folder has that path, else one a
  /// line.
  ///
  /// - Throws: ``WaystoneError`` as ``init(_:)``.
  package static func list(_ text: String) throws(WaystoneError) -> [ModelsPath] {
    try lines(text).map { line throws(WaystoneError) in try ModelsPath(line) }
  }

  /// Returns the texts of the same paths.
  package static func lines(_ text: String) -> [String] {
    text.contains("\n") && !exists(text) ? text.split(separator: "\n").map(String.init) : [text]
  }

  /// Returns the text that means all of some paths.
  package static func text(_ paths: [String]) -> String { paths.joined(separator: "\n") }

  private static func exists(_ path: String) -> Bool {
    ((try? FileSystem.status(path)) ?? nil) != nil
  }

  /// The text that means the same.
  package var text: String {
    let path = project.map { "\(self.path)/\($0)" } ?? self.path
    return references.isEmpty ? path : "\(path)@\(references.joined(separator: ","))"
  }
}
