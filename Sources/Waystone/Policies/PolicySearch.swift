internal import Files
package import SwiftDataImport

extension Project {
  /// The class names of policies that the mappings name, without their modules.
  package var policyClassNames: Set<String> {
    Set(
      binding.edges.flatMap(\.policyNames).map {
        $0.split(separator: ".").last.map(String.init) ?? $0
      }
    )
  }
}

extension PolicySelection {
  /// Selects what policies need from files and folders of Swift sources.
  ///
  /// - Parameters:
  ///   - paths: Absolute paths, with the texts by which the user named them.
  ///   - wanted: The class names that mappings mention; nil for all policies.
  /// - Throws: ``WaystoneError`` where a file or folder cannot be read, and in a build that reads no Swift.
  package static func reading(
    _ paths: [(path: String, name: String)],
    wanted: Set<String>?
  ) throws -> PolicySelection {
    guard SourceParser.isAvailable else {
      throw WaystoneError(
        .badArgument,
        "This build of Waystone reads no Swift sources.",
        recovery: "Build it with the package trait SwiftData."
      )
    }
    var texts: [SourceText] = []
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
    return PolicySelection(texts, wanted: wanted)
  }
}
