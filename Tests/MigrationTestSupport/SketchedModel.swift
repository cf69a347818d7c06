import Foundation

/// Writes models of a few entities as Xcode does.
package enum SketchedModel {
  /// Writes an `.xcdatamodeld` with the versions' `<entity>` elements into a folder.
  ///
  /// The last version is the current one.
  @discardableResult
  package static func write(
    _ versions: [(name: String, entities: String)],
    into folder: String,
    model name: String = "Library"
  ) throws -> String {
    try write(
      files: versions.map { ($0.name, contents($0.entities)) },
      into: folder,
      model: name
    )
  }

  /// The same of whole `contents` files.
  @discardableResult
  package static func write(
    files: [(name: String, contents: String)],
    into folder: String,
    model name: String = "Library"
  ) throws -> String {
    let model = "\(folder)/\(name).xcdatamodeld"
    for version in files {
      try write(version.contents, to: "\(model)/\(version.name).xcdatamodel/contents")
    }
    try write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>\(files.last?.name ?? "").xcdatamodel</string></dict></plist>
      """,
      to: "\(model)/.xccurrentversion"
    )
    return model
  }

  /// Writes a file, making its folder.
  package static func write(_ text: String, to path: String) throws {
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  /// A `contents` file around some entities.
  package static func contents(_ entities: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
    lastSavedToolsVersion="1" systemVersion="1" minimumToolsVersion="Automatic" \
    sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
    \(entities)
    </model>
    """
  }

  /// An entity `Book` with string attributes, each with further XML attributes.
  package static func book(_ attributes: [(name: String, more: String)]) -> String {
    let lines = attributes.map {
      #"<attribute name="\#($0.name)" optional="YES" attributeType="String" \#($0.more)/>"#
    }
    return """
      <entity name="Book" representedClassName="Book" syncable="YES">
      \(lines.joined(separator: "\n"))
      </entity>
      """
  }

  /// Three versions: `isbn` is added, then `title` becomes `heading`.
  package static let library: [(name: String, entities: String)] = [
    ("v1", book([("title", "")])),
    ("v2", book([("isbn", ""), ("title", "")])),
    ("v10", book([("heading", #"elementID="title""#), ("isbn", "")])),
  ]
}
