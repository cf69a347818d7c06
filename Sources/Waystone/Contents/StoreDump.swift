internal import Files
public import Foundation
internal import ObjectModel
internal import StoreAccess
public import StoreMigration

/// A form in which a dump has a store's objects.
public enum DumpFormat: String, Hashable, Sendable, CaseIterable {
  /// A JSON object a line for each object.
  case ndjson
  /// Comma-separated values: one file for each entity.
  case csv
  /// A plain SQLite database, with one table for each root entity.
  case sqlite
}

/// The choices of a dump.
public struct DumpOptions: Sendable {
  /// The names of the entities whose objects are wanted, with those of entities below them; all where it is
  /// empty.
  public var entities: [String] = []
  /// A new folder for the bytes of attributes that allow external storage; in the dump where it is nil.
  public var dataFolder: URL?
  /// Whether CSV has an apostrophe before text that begins with `=`, `+`, `-`, `@`, a tab or a carriage
  /// return, so that no spreadsheet computes it.
  public var escapesFormulas = false
  /// The request to stop.
  public var cancellation = Cancellation()

  /// The choices of a dump of all objects.
  public init() {}
}

/// The counts of a reading of a store's objects.
public struct ContentsSummary: Hashable, Sendable {
  /// The number of objects that were written, by the name of their own entity.
  public internal(set) var objects: [String: Int] = [:]
  /// The values, links and rows that are not as the model has them, without any value.
  public internal(set) var faults: [ReadingFault] = []

  /// The number of all objects.
  public var count: Int { objects.values.reduce(0, +) }
}

extension Store {
  /// Writes the store's objects, in one snapshot of it.
  ///
  /// The store is not changed, and nothing is made beside it. Values that are not of their attribute's type
  /// are written as they are stored, and counted in the summary; links that lead to no object are left out and
  /// counted. The storage of values and links is that which Core Data was measured to use, see
  /// <doc:LookingInside>.
  ///
  /// Only the user can read the new files: their permissions are 600, and those of folders 700.
  ///
  /// - Parameters:
  ///   - url: The new file; for ``DumpFormat/csv`` of more than one entity a new folder. It is there when the
  ///     call returns, and whole, or not at all.
  ///   - format: The form of the records.
  ///   - models: The models; one has the store's hashes, unless the store carries its own.
  ///   - options: The entities that are written, and how.
  /// - Throws: ``WaystoneError``: `missingFile`, `badFile`, `unknownStoreVersion`, `inUse` where the store was
  ///   written meanwhile, `badArgument` for an unknown entity, `cannotCreate` where something has the path.
  /// - Complexity: One pass over the tables of the entities, and one over the links of each to-many
  ///   relationship. Memory does not grow with the store but for two bytes an object; a value is held whole.
  @discardableResult
  public func dump(
    to url: URL,
    as format: DumpFormat,
    in models: ModelArchive,
    _ options: DumpOptions = DumpOptions()
  ) throws(WaystoneError) -> ContentsSummary {
    try WaystoneError.converting {
      let path = try self.url.filePath
      let dump = try StoreDump(
        of: OpenedContents(
          ofStoreAt: path,
          shownAs: path,
          in: models,
          cancellation: options.cancellation
        ),
        options
      )
      return try dump.write(as: format, to: url.filePath)
    }
  }
}

/// A dump of a store's objects.
package struct StoreDump {
  let contents: OpenedContents
  let options: DumpOptions
  /// The concrete entities, in the order of their tables.
  package let entities: [String]

  var reader: ObjectReader { contents.reader }

  /// - Throws: ``WaystoneError`` where the model has no entity of a name.
  package init(of contents: OpenedContents, _ options: DumpOptions) throws {
    self.contents = contents
    self.options = options
    let schema = contents.reader.schema
    var wanted: Set<String> = []
    for name in options.entities {
      guard schema.model[name] != nil else {
        let near = schema.model.entities.map(\.name).filter { $0.lowercased() == name.lowercased() }
        throw WaystoneError(
          .badArgument,
          "The model has no entity \u{201c}\(name)\u{201d}.",
          recovery: near.first.map { "Write \($0): case counts." }
            ?? "`waystone inspect` lists the entities."
        )
      }
      wanted.formUnion(schema.model.hierarchyNames(below: name))
    }
    entities = schema.entityNames.filter {
      schema.model[$0]?.isAbstract == false && (options.entities.isEmpty || wanted.contains($0))
    }
  }

  /// Writes the dump to a new file, or a folder.
  ///
  /// - Throws: ``WaystoneError``, `cannotCreate` where the path cannot be one of an output, and what reading
  ///   and writing throw; nothing is left then.
  package func write(as format: DumpFormat, to path: String) throws -> ContentsSummary {
    try checkOutput(path)
    if let folder = try options.dataFolder?.filePath,
      try FileSystem.canonical(folder) == FileSystem.canonical(path)
    {
      throw WaystoneError(
        .badArgument,
        "The output and the folder of large values have one name, \(path).",
        recovery: "Choose two names."
      )
    }
    return try withFiles {
      switch format {
      case .csv where entities.count == 1, .ndjson:
        var summary = ContentsSummary()
        try AtomicFile.write(to: path, as: .newFile, permissions: 0o600) { output in
          summary = try format == .csv ? csv(to: output) : ndjson(to: output)
          try contents.checkUnchanged()
        }
        return summary
      case .csv: return try csvFolder(path)
      case .sqlite:
        var summary = ContentsSummary()
        try AtomicFile.create(path) { staging in
          summary = try PlainDatabase(self, at: staging).write()
          try contents.checkUnchanged()
        }
        return summary
      }
    }
  }

  /// Writes a text dump to a stream.
  package func stream(
    as format: DumpFormat,
    to output: ([UInt8]) throws -> Void
  ) throws -> ContentsSummary {
    try withFiles {
      let summary: ContentsSummary
      switch format {
      case .ndjson: summary = try ndjson(to: output)
      case .csv where entities.count == 1: summary = try csv(to: output)
      case .csv, .sqlite:
        throw WaystoneError(
          .badArgument,
          format == .csv
            ? "A dump of \(entities.count) entities as CSV is as many files."
            : "A database cannot be printed.",
          recovery: format == .csv
            ? "Name one entity, or a new folder with --output." : "Name a new file with --output."
        )
      }
      try contents.checkUnchanged()
      return summary
    }
  }

  /// Throws where a path is none for an output: files of the store, or such as SQLite would take for a part of
  /// the database beside them.
  private func checkOutput(_ path: String) throws {
    let resolved = try FileSystem.canonical(path)
    let own = [
      try StoreFiles(store: contents.path).support, Workspace(destination: contents.path).folder,
    ]
    guard !own.contains(where: { resolved == $0 || resolved.hasPrefix($0 + "/") }) else {
      throw WaystoneError(
        .cannotCreate,
        "\(path) is in a folder of the store's own files.",
        recovery: "Choose another name."
      )
    }
    guard !StoreFiles.isCompanion(resolved) else { throw WaystoneError(companionName: path) }
    for suffix in [""] + StoreFiles.companionSuffixes {
      guard resolved != contents.path + suffix else {
        throw WaystoneError(
          .cannotCreate,
          "\(path) is a name of the store's own files.",
          recovery: "Choose another name."
        )
      }
      guard try suffix.isEmpty || !FileSystem.exists(resolved + suffix) else {
        throw WaystoneError(
          .cannotCreate,
          "\(path)\(suffix) is there, which SQLite would take for a part of the new file.",
          recovery: "Choose another name, or remove it."
        )
      }
    }
  }

  /// Runs a closure with the folder of files, which is whole when it returns.
  private func withFiles(_ body: () throws -> ContentsSummary) throws -> ContentsSummary {
    guard let url = options.dataFolder else { return try contents.reading(body) }
    let path = try url.filePath
    try checkOutput(path)
    let folder = DataFolder(try AtomicFolder(at: path, permissions: 0o700))
    reader.files = { try folder.write($1, named: $0) }
    defer { reader.files = nil }
    do {
      let summary = try contents.reading(body)
      try folder.folder.finish()
      return summary
    } catch {
      folder.folder.discard()
      throw error
    }
  }

  func summary(_ objects: [String: Int]) throws -> ContentsSummary {
    let model = reader.schema.model
    var roots: [String] = []
    for root in entities.map({ model.rootEntityName(of: $0) }) where !roots.contains(root) {
      roots.append(root)
    }
    for root in roots { try reader.noteUnknownRows(ofRoot: root) }
    return ContentsSummary(objects: objects, faults: reader.faults)
  }
}

// MARK: Text

extension StoreDump {
  /// The bytes after which text is handed over.
  static var pieceSize: Int { 1 << 16 }

  private func ndjson(to output: ([UInt8]) throws -> Void) throws -> ContentsSummary {
    // A value that is large goes out before its line is whole.
    try withoutActuallyEscaping(output) { try ndjson(handingOver: $0) }
  }

  private func ndjson(
    handingOver output: @escaping ([UInt8]) throws -> Void
  ) throws -> ContentsSummary {
    var counts: [String: Int] = [:]
    var json = RecordJSON()
    var failure: (any Error)?
    json.drain = { piece in
      guard failure == nil else { return }
      do { try output(piece) } catch { failure = error }
    }
    for entity in entities {
      let line = RecordLine(try reader.shape(of: entity))
      var count = 0
      try reader.forEachRow(of: entity) { row in
        count += 1
        try line.write(row, to: &json)
        if let failure { throw failure }
        if json.bytes.count >= Self.pieceSize {
          try output(json.bytes)
          json.removeAll()
        }
      }
      counts[entity] = count
    }
    let summary = try summary(counts)
    try output(json.bytes)
    return summary
  }

  private func csv(to output: ([UInt8]) throws -> Void) throws -> ContentsSummary {
    guard let entity = entities.first else { return try summary([:]) }
    let count = try csv(of: entity, to: output)
    return try summary([entity: count])
  }

  private func csv(of entity: String, to output: ([UInt8]) throws -> Void) throws -> Int {
    let columns = RecordColumns([try reader.shape(of: entity)])
    var csv = RecordCSV(escapesFormulas: options.escapesFormulas)
    csv.headings(columns.headings)
    var count = 0
    try reader.forEachRecord(of: entity) { record in
      count += 1
      csv.row(columns.cells(of: record))
      if csv.bytes.count >= Self.pieceSize {
        try output(csv.bytes)
        csv.removeAll()
      }
    }
    try output(csv.bytes)
    return count
  }

  private func csvFolder(_ path: String) throws -> ContentsSummary {
    let folder = try AtomicFolder(at: path, permissions: 0o700)
    do {
      var counts: [String: Int] = [:]
      var names = UniqueNames()
      for entity in entities {
        let name = names.file(for: entity) + ".csv"
        try folder.write(to: name) { output in counts[entity] = try csv(of: entity, to: output) }
      }
      let summary = try summary(counts)
      try contents.checkUnchanged()
      try folder.finish()
      return summary
    } catch {
      folder.discard()
      throw error
    }
  }
}

/// The line of an entity's records in JSON.
package struct RecordLine {
  private let start: [UInt8]
  private let names: [[UInt8]]

  /// The line of a shape; a property that has the name of `entity` or `objectID` gets an underscore.
  package init(_ shape: RecordShape) {
    var json = RecordJSON()
    json.append("{")
    json.append("\"entity\":")
    json.write(text: shape.entityName)
    json.append(",\"objectID\":")
    start = json.bytes
    names = shape.properties.map { property in
      [0x2c] + RecordJSON.key(ObjectReader.shownName(of: property.name))
    }
  }

  /// Writes a record and the end of its line.
  package func write(_ record: ObjectReader.Record, to json: inout RecordJSON) {
    json.append(start)
    json.append(record.key)
    for (place, value) in record.values.enumerated() {
      json.append(names[place])
      json.write(value)
    }
    json.append("}\n")
  }

  /// Writes the row at hand and the end of its line.
  ///
  /// - Throws: An error of the database, or of a file of a dump.
  package func write(_ row: ObjectRow, to json: inout RecordJSON) throws {
    json.append(start)
    json.append(row.key)
    for place in names.indices {
      json.append(names[place])
      if let value = try row.held(at: place), json.write(value) { continue }
      json.write(try row.other(at: place))
    }
    json.append("}\n")
  }
}

/// The folder of a dump's files.
private final class DataFolder {
  let folder: AtomicFolder
  private var names = UniqueNames()

  init(_ folder: consuming AtomicFolder) { self.folder = folder }

  func write(_ bytes: [UInt8], named wanted: String) throws -> String {
    let name = names.file(for: wanted)
    try folder.write(bytes, to: name)
    return name
  }
}

extension WaystoneError {
  /// The refusal of an output whose name SQLite gives to files of its own, which it removes.
  init(companionName path: String) {
    self.init(
      .cannotCreate,
      "\(path) has a name that SQLite gives to files of its own.",
      recovery: "Choose another name."
    )
  }
}
