package import ObjectModel

/// The versions of an app's models that its Swift sources declare.
package struct SourceArchive: Sendable {
  /// The models, one for each store of the app that has entities of its own; the first one is that of the store
  /// with SwiftData's own name, where there is one.
  package var models: [SourceModel] = []
  /// The names that the sources give containers of Core Data.
  package var persistentContainerNames: Set<String> = []
  /// The findings on the sources beside those on schemas: on files, and on the container.
  package var findings: [Finding] = []

  /// The schemas of all models, model by model.
  package var schemas: [SourceSchema] { models.flatMap(\.schemas) }
  /// The schema of new stores of the first model.
  package var current: SourceSchema? { models.first?.current }

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
    for model in archive.models.indices {
      for index in archive.models[model].schemas.indices {
        let file = archive.models[model].schemas[index].place.file
        guard let text = byName[file] else { continue }
        archive.models[model].schemas[index].spelling.indentation = text.indentation ?? "  "
      }
    }
    return archive
  }
}
