public import ObjectModel

/// Writes models to disk in the form of Xcode's source files.
///
/// What is written appears at its path whole or not at all, and never in place of something else.
public enum ModelExporter {
  /// Writes one version as an `.xcdatamodel`.
  ///
  /// - Returns: What the file does not say.
  /// - Throws: ``ModelImportError`` where the model cannot be said in that form, or the path exists
  ///   or cannot be written.
  @discardableResult
  public static func export(
    _ model: ManagedObjectModel,
    to path: String
  ) throws(ModelImportError) -> [Finding] {
    let output = try ModelXMLWriter.write(model)
    var folder = try StagedFolder(for: path)
    do throws(ModelImportError) {
      try folder.write(output.contents, to: "contents")
      try folder.finish()
    } catch {
      folder.discard()
      throw error
    }
    return output.findings
  }

  /// Writes all versions of a model as an `.xcdatamodeld`, with the `.xccurrentversion` beside them.
  ///
  /// - Returns: What the files do not say.
  /// - Throws: ``ModelImportError`` where a version cannot be said in that form, or the path exists
  ///   or cannot be written.
  @discardableResult
  public static func export(
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
    var folder = try StagedFolder(for: path)
    do throws(ModelImportError) {
      for text in texts {
        try folder.createFolder(text.name)
        try folder.write(text.contents, to: "\(text.name)/contents")
      }
      if let current = model.current {
        guard let list = Self.currentVersion(current.name + ".xcdatamodel") else {
          throw ModelXMLWriter.unsayable("The name of a version holds a control character.")
        }
        try folder.write(list, to: ".xccurrentversion")
      }
      try folder.finish()
    } catch {
      folder.discard()
      throw error
    }
    return findings
  }

  /// The property list that names the current version, as Xcode writes it.
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
