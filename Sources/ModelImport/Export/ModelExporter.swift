import Files
package import ObjectModel

/// A writer of models to disk, in the form of Xcode's source files.
///
/// A file appears at its path whole or not at all, and never replaces another.
package enum ModelExporter {
  /// Writes one version as an `.xcdatamodel`.
  ///
  /// - Returns: Findings about the parts that the file cannot express.
  /// - Throws: ``ModelImportError`` where the model cannot be expressed in that form, or the path
  ///   exists or cannot be written.
  @discardableResult
  package static func export(
    _ model: ManagedObjectModel,
    to path: String
  ) throws(ModelImportError) -> [Finding] {
    let output = try ModelXMLWriter.write(model)
    try write(to: path) { folder throws(FileError) in
      try folder.write(output.contents, to: "contents")
    }
    return output.findings
  }

  /// Writes all versions of a model as an `.xcdatamodeld`, with the `.xccurrentversion` beside them.
  ///
  /// - Returns: Findings about the parts that the files cannot express.
  /// - Throws: ``ModelImportError`` where a version cannot be expressed in that form, or the path
  ///   exists or cannot be written.
  @discardableResult
  package static func export(
    _ model: VersionedModel,
    to path: String
  ) throws(ModelImportError) -> [Finding] {
    var findings: [Finding] = []
    var texts: [(name: String, contents: String)] = []
    for version in model.versions {
      let output = try ModelXMLWriter.write(version.model)
      findings += output.findings.map { finding in
        var finding = finding
        finding.place.version = version.name
        return finding
      }
      texts.append((version.name + ".xcdatamodel", output.contents))
    }
    var list: String?
    if let current = model.current {
      list = Self.currentVersion(current.name + ".xcdatamodel")
      guard list != nil else {
        throw ModelXMLWriter.unsayable("The name of a version holds a control character.")
      }
    }
    try write(to: path) { folder throws(FileError) in
      for text in texts {
        try folder.createFolder(text.name)
        try folder.write(text.contents, to: "contents", inFolder: text.name)
      }
      if let list { try folder.write(list, to: ".xccurrentversion") }
    }
    return findings
  }

  /// Makes a folder, whole or not at all.
  private static func write(
    to path: String,
    _ body: (borrowing AtomicFolder) throws(FileError) -> Void
  ) throws(ModelImportError) {
    do throws(FileError) {
      let folder = try AtomicFolder(at: path)
      do throws(FileError) {
        try body(folder)
        try folder.finish()
      } catch {
        folder.discard()
        throw error
      }
    } catch {
      throw ModelImportError(
        error.isOfDisk ? .inputOutput : .cannotCreate,
        file: path,
        message: error.message + ".",
        recovery: error.recovery
      )
    }
  }

  /// Returns the property list that names the current version, as Xcode writes it.
  private static func currentVersion(_ name: String) -> String? {
    guard let name = XMLPrinter.escaped(name) else { return nil }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>_XCCurrentVersionName</key>
      \t<string>\(name)</string>
      </dict>
      </plist>

      """
  }
}
