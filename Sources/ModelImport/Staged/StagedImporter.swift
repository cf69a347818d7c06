package import ObjectModel

/// The stages of a staged migration as a file has them.
package struct ImportedStages: Hashable, Sendable {
  /// The name of the file without its extensions.
  package var name: String
  /// The file.
  package var path: String
  /// The stages in their order.
  package var stages: [MigrationStage]
}

/// A reader of files of staged migrations: `.staged.yml` and `.staged.json`.
package enum StagedImporter {
  /// Returns whether a path names such a file, by its ending.
  package static func isStaged(_ path: String) -> Bool {
    let name = FilePath(path).name
    return [".staged.yml", ".staged.yaml", ".staged.json"].contains { name.hasSuffix($0) }
  }

  /// Returns the stages in a file.
  ///
  /// - Throws: ``ModelImportError`` with the line at fault.
  package static func importStages(at path: String) throws(ModelImportError) -> ImportedStages {
    let file = FilePath(path)
    guard try file.kind != .missing else { throw file.missing() }
    return try read(file.bytes(limit: HopDocument.greatestSize), file: file)
  }

  /// Returns the stages in a text, which messages call by a name of one's choice.
  ///
  /// - Throws: ``ModelImportError`` with the line at fault.
  package static func importStages(
    text: String,
    file: String
  ) throws(ModelImportError) -> ImportedStages {
    try read(Array(text.utf8), file: FilePath(file))
  }

  private static func read(
    _ bytes: [UInt8],
    file: FilePath
  ) throws(ModelImportError) -> ImportedStages {
    let root = try HopDocument.read(bytes, file: file.string)
    let keys = try root.map("the file", knowing: ["stages"])
    guard let list = keys["stages"], case .list(let nodes) = list.content else {
      throw root.error(
        "The file has no list of stages.",
        "Write `stages:` and below it `- lightweight: [v1]` or `- custom: {from: v1, to: v2}`."
      )
    }
    var stages: [MigrationStage] = []
    for node in nodes { stages.append(try stage(node, file: file)) }
    return ImportedStages(name: file.hopName, path: file.string, stages: stages)
  }

  private static func stage(
    _ node: HopNode,
    file: FilePath
  ) throws(ModelImportError) -> MigrationStage {
    let keys = try node.map("a stage", knowing: ["lightweight", "custom", "label", "will", "did"])
    let label = try keys["label"]?.text("label", "a text")
    var stage: MigrationStage
    switch (keys["lightweight"], keys["custom"]) {
    case (let versions?, nil):
      let names = try versions.texts("lightweight", "a version or a list of versions")
      if let other = keys["will"] ?? keys["did"] {
        throw other.error(
          "A lightweight stage has nothing before or after it.",
          "Make it a custom stage: `custom: {from: …, to: …}`."
        )
      }
      stage = MigrationStage(.lightweight(versions: names), label: label)
    case (nil, let custom?):
      let ends = try custom.map("custom", knowing: ["from", "to"])
      guard let from = ends["from"], let to = ends["to"] else {
        throw custom.error("A custom stage needs both ends.", "Write `{from: v1, to: v2}`.")
      }
      stage = MigrationStage(
        .custom(
          current: try from.text("from", "a version or its checksum"),
          next: try to.text("to", "a version or its checksum")
        ),
        label: label
      )
      stage.willMigrate = try actions(keys["will"], "will")
      stage.didMigrate = try actions(keys["did"], "did")
    default:
      throw node.error(
        "A stage is either lightweight or custom.",
        "Write `lightweight: [v1]` or `custom: {from: v1, to: v2}`."
      )
    }
    stage.place = Finding.Place(file: file.string, line: node.line)
    return stage
  }

  private static func actions(
    _ node: HopNode?,
    _ key: String
  ) throws(ModelImportError) -> [MigrationAction] {
    guard let node else { return [] }
    let keys = try node.map(key, knowing: ["sql", "handlers"])
    var result: [MigrationAction] = []
    for text in try keys["sql"]?.texts("sql", "SQL, or a list of it") ?? [] {
      result.append(.sql(text))
    }
    for name in try keys["handlers"]?.texts("handlers", "a name or a list of names") ?? [] {
      result.append(.handler(name))
    }
    return result
  }
}
