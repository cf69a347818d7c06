public import ObjectModel
internal import StoreAccess
public import StoreMigration

/// The objects or the values that a question found.
public struct QueryResult: Hashable, Sendable {
  /// The headings: `objectID` and the entity's properties, or the key paths that were selected.
  public internal(set) var columns: [String] = []
  /// The values of each object, one for each column.
  public internal(set) var rows: [[RecordValue]] = []
  /// The number of objects.
  public internal(set) var count = 0
  /// The values that are not as the model has them.
  public internal(set) var faults: [ReadingFault] = []
}

extension Store {
  /// Returns the objects that a question is for: an entity, a condition, an order, a part.
  ///
  ///     try store.query("Note where title CONTAINS[cd] \"x\" sort by created desc limit 20", in: models)
  ///     try store.query("count Note where isPinned == YES", in: models)
  ///
  /// The condition is in the format of `NSPredicate(format:)` and has the meaning that it has in a fetch
  /// request; objects of subentities count. Nothing is written, and the store is read in one snapshot.
  ///
  /// - Parameters:
  ///   - question: The question, as above.
  ///   - models: The models; one has the store's hashes, unless the store carries its own.
  /// - Throws: ``WaystoneError``: `badArgument`, with the place in the question, for one that cannot be read or
  ///   names what the model does not have; and as ``dump(to:as:in:_:)`` does.
  /// - Complexity: O(*objects* of the entity) time; all results are in memory.
  public func query(_ question: String, in models: ModelArchive) throws(WaystoneError)
    -> QueryResult
  {
    try WaystoneError.converting {
      let path = try url.filePath
      let query = try StoreQuery(
        question,
        of: OpenedContents(ofStoreAt: path, shownAs: path, in: models)
      )
      var result = QueryResult(columns: query.headings)
      if let count = try query.count() {
        result.count = count
      } else {
        try query.forEachRow { result.rows.append($0) }
        result.count = result.rows.count
      }
      result.faults = try query.finish()
      return result
    }
  }
}

/// A question for a store's objects.
package struct StoreQuery {
  /// The question.
  package let query: ObjectQuery
  private let contents: OpenedContents
  private let columns: RecordColumns

  private var reader: ObjectReader { contents.reader }

  /// Reads a question, and asks the model for the names in it.
  ///
  /// - Throws: `FormatError`, with the place in the question.
  package init(_ question: String, of contents: OpenedContents) throws {
    try self.init(ObjectQuery(question), of: contents)
  }

  /// A question that was read before the store was opened.
  ///
  /// - Throws: `FormatError`, with the place in the question, for a name that the model does not have.
  package init(_ query: ObjectQuery, of contents: OpenedContents) throws {
    let query = try contents.reader.resolved(query)
    self.query = query
    self.contents = contents
    let model = contents.reader.schema.model
    let names = model.hierarchyNames(below: query.entity.text).filter {
      model[$0]?.isAbstract == false
    }
    let all = names.isEmpty ? [query.entity.text] : names
    columns = RecordColumns(try all.map { try contents.reader.shape(of: $0) })
  }

  /// The headings of the rows.
  package var headings: [String] {
    if query.isCount { return ["count"] }
    return query.selection.isEmpty ? columns.headings : query.selection.map(\.text)
  }

  /// Returns the number of objects, where only that is wanted.
  package func count() throws -> Int? {
    guard query.isCount else { return nil }
    return try converting { try reader.count(query) }
  }

  /// Visits the objects in their order, each with the values of the columns.
  package func forEachRow(_ body: ([RecordValue]) throws -> Void) throws {
    try forEach { object in
      guard query.selection.isEmpty else {
        return try body(query.selection.map { try reader.value(at: $0, of: object) })
      }
      try body(columns.cells(of: reader.record(of: object)))
    }
  }

  /// Visits the objects in their order, each as one line of JSON.
  package func forEachLine(_ body: (String) throws -> Void) throws {
    var json = RecordJSON()
    var lines: [String: RecordLine] = [:]
    let keys = query.selection.map { RecordJSON.key($0.text) }
    try forEach { object in
      if query.selection.isEmpty {
        let record = try reader.record(of: object)
        let line = lines[record.shape.entityName] ?? RecordLine(record.shape)
        lines[record.shape.entityName] = line
        line.write(record, to: &json)
      } else {
        for (place, path) in query.selection.enumerated() {
          json.append(place == 0 ? "{" : ",")
          json.append(keys[place])
          json.write(try reader.value(at: path, of: object))
        }
        json.append("}\n")
      }
      try body(json.take())
    }
  }

  private func forEach(_ body: (ManagedObject) throws -> Void) throws {
    try converting {
      try reader.forEach(query) { object in
        try body(object)
        return true
      }
    }
  }

  /// Returns the counts of values that are not as the model has them, when all was read.
  package func finish() throws -> [ReadingFault] {
    try contents.checkUnchanged()
    return reader.faults
  }

  /// Runs a closure; a row that a condition or an order cannot be computed of is one of the store, not of a
  /// migration.
  private func converting<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as EvaluationError {
      throw WaystoneError(.badFile, error.message, recovery: error.recovery)
    } catch let error as MigrationError where error.code == .failed {
      throw WaystoneError(
        .badFile,
        error.message,
        recovery: "Leave such objects out by the condition, or look at them: `waystone dump`."
      )
    }
  }
}
