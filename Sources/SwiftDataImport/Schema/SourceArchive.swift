package import ObjectModel

/// The versions of an app's models that its Swift sources declare.
package struct SourceArchive: Sendable {
  /// The schemas, the oldest first; the last one is that of new stores.
  package var schemas: [SourceSchema] = []
  /// The migration plan, where there is one.
  package var plan: MigrationPlanDeclaration?
  /// The stores that the sources give SwiftData's containers; empty where they make none.
  package var stores: [SourceStore] = []
  /// The names that the sources give containers of Core Data.
  package var persistentContainerNames: Set<String> = []
  /// The findings on the sources beside those on schemas: on files, and on the container.
  package var findings: [Finding] = []

  /// The schema of new stores.
  package var current: SourceSchema? { schemas.last }

  /// Returns the versions that some source files declare; none where they declare no model.
  ///
  /// Nothing is compiled and no macro is run.
  /// - Throws: ``SwiftDataImportError`` where the sources cannot be read at all.
  /// - Complexity: O(*n*) in the bytes of the files.
  package static func read(
    _ texts: [SourceText],
    options: SwiftDataOptions = SwiftDataOptions()
  ) throws(SwiftDataImportError) -> SourceArchive {
    let files = try SourceParser.parse(texts, conditions: options.conditions)
    var module = SourceModule(files)
    module.learned = Dictionary(
      options.types.map { (TypeKey.canonical($0.key), $0.value) },
      uniquingKeysWith: { first, _ in first }
    )
    var archive = SchemaReader.read(module, options)
    let byName = Dictionary(texts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for index in archive.schemas.indices {
      guard let text = byName[archive.schemas[index].place.file] else { continue }
      archive.schemas[index].spelling.indentation = text.indentation ?? "  "
    }
    return archive
  }
}
