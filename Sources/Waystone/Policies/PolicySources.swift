internal import Files
internal import ObjectModel
package import SwiftDataImport

/// The Swift files in which an app declares its migration policies.
package struct PolicySources: Sendable {
  /// The files, in their order.
  package private(set) var texts: [SourceText] = []

  /// Reads files, and those below folders.
  ///
  /// - Parameter paths: Absolute paths, with the texts by which the user named them.
  /// - Throws: ``WaystoneError`` where a file or folder cannot be read.
  /// - Complexity: O(*n*) in the bytes of the files.
  package init(_ paths: [(path: String, name: String)]) throws {
    for (path, name) in paths {
      guard try InputFile.exists(path, shownAs: name) else {
        throw WaystoneError(
          .missingFile,
          "There is no file or folder \(name).",
          recovery: "Name the app's Swift sources."
        )
      }
      guard name.hasSuffix(".swift") else {
        let prefix = name == "." ? "" : name.hasSuffix("/") ? name : name + "/"
        texts += try SourceFolder.files(below: path, withTargets: false).texts.map {
          SourceText(name: prefix + $0.name, bytes: $0.bytes)
        }
        continue
      }
      let file = try OpenFile(plainFile: path, limit: Int64(SourceLimits.fileSize))
      let size = Int(clamping: try file.status().size)
      texts.append(SourceText(name: name, bytes: try file.read(count: size, at: 0)))
    }
  }

  /// Reads the sources that a project's configuration names.
  ///
  /// - Throws: ``WaystoneError`` as ``init(_:)``.
  package init(of configuration: Configuration) throws {
    try self.init(configuration.policies.map { (configuration.resolved($0), $0.text) })
  }

  /// The SHA-256 of the names and contents.
  package var digest: String {
    var hash = SHA256()
    for text in texts {
      for part in [Array(text.name.utf8), text.bytes] {
        hash.update("\(part.count) ".utf8)
        hash.update(part)
      }
    }
    return Hexadecimal.string(hash.finalize())
  }
}
