internal import ModelCoding
internal import ObjectModel
internal import StoreAccess
internal import SwiftDataImport

/// The findings on changes of Swift types after which values that were stored before no longer decode,
/// and that no version hash sees: since a version was locked, and from one version to the next.
struct CodingFindings {
  let project: Project
  let sources: SourceVersions
  /// The stores in which rows are counted, as the user wrote them and by their absolute paths.
  private let stores: [(name: String, path: String)]

  /// - Parameter stores: Paths of stores beside those that `samples:` names.
  init?(_ project: Project, stores: [String] = []) {
    guard let sources = project.sources else { return nil }
    self.project = project
    self.sources = sources
    let samples = (project.configuration?.samples ?? [:]).values.sorted { $0.line < $1.line }
    self.stores =
      samples.compactMap { entry in
        project.configuration.map { (entry.text, $0.resolved(entry)) }
      } + stores.map { ($0, project.folder.resolved($0)) }
  }

  /// Returns the changes of a version since it was locked, each type's once.
  func findings(since old: LockFile.Version, in version: ModelVersion, _ new: LockFile.Version)
    -> [Finding]
  {
    guard version.isOfSwift else { return [] }
    let name = project.names.name(of: version)
    return groups(EntityOutline.codingChanges(from: old.entities, to: new.entities)).map {
      change,
      uses in
      finding(
        .lockedCodingChanged,
        change.breaksValues ? .error : .warning,
        change,
        uses,
        in: version,
        "since \(version: name) was locked",
        remedy:
          "Undo the edit; or, where no row holds such values any more, accept it: `waystone lock "
          + "--accept \(argument: name) --reason \"...\"`."
      )
    }
  }

  /// Returns the changes between consecutive versions.
  ///
  /// - Parameter isNew: Whether a version's step is checked.
  func steps(isNew: (ModelVersion) -> Bool) -> [Finding] {
    sources.models.flatMap { steps(of: $0, isNew: isNew) }
  }

  private func steps(of model: VersionedModel, isNew: (ModelVersion) -> Bool) -> [Finding] {
    let versions = model.versions
    return zip(versions, versions.dropFirst()).flatMap { old, new -> [Finding] in
      guard isNew(new) else { return [] }
      let runsCode =
        sources.declared(model.name)?.plan?.stages.contains {
          $0.runsCode && $0.from == old.name && $0.to == new.name
        } == true
      return groups(
        EntityOutline.codingChanges(from: old.model.entityOutlines, to: new.model.entityOutlines)
      ).map { change, uses in
        finding(
          .codingChanged,
          change.breaksValues && !runsCode ? .error : .warning,
          change,
          uses,
          in: new,
          "from \(version: old.name) to \(version: new.name)",
          remedy: runsCode
            ? "Let `willMigrate` of the stage from \(version: old.name) to \(version: new.name) rewrite such values."
            : "Keep it as it was in \(version: old.name); or make the stage from \(version: old.name) to "
              + "\(version: new.name) a custom one whose `willMigrate` rewrites such values."
        )
      }
    }
  }

  /// A property with a change of its type.
  private typealias Use = (entity: String, property: String, change: CodingChange)

  /// Returns the changes, each with the properties that it concerns, those whose values have a column
  /// first.
  private func groups(_ changes: [(entity: String, property: String, change: CodingChange)])
    -> [(change: CodingChange, uses: [Use])]
  {
    var order: [String] = []
    var uses: [String: [Use]] = [:]
    for use in changes {
      if uses[use.change.words] == nil { order.append(use.change.words) }
      uses[use.change.words, default: []].append(use)
    }
    return order.compactMap { words in
      let all = uses[words] ?? []
      let sorted = all.filter { !$0.change.isWithinBytes } + all.filter(\.change.isWithinBytes)
      return sorted.first.map { ($0.change, sorted) }
    }
  }

  private func finding(
    _ code: FindingCode,
    _ severity: Finding.Severity,
    _ change: CodingChange,
    _ uses: [Use],
    in version: ModelVersion,
    _ time: Finding.Text,
    remedy: Finding.Text
  ) -> Finding {
    let use = uses[0]
    let schema = sources.version(version)?.schema
    let place =
      schema?.codingPlaces["\(change.type).\(change.name)"] ?? schema?.codingPlaces[change.type]
      ?? schema?.place(entity: use.entity, property: use.property)
    let names = uses.map { "\($0.entity).\($0.property)" }
    let words = change.words.prefix(1).uppercased() + change.words.dropFirst()
    var finding = Finding(
      code,
      severity,
      at: place?.finding(entity: use.entity, property: use.property)
        ?? Finding.Place(entity: use.entity, property: use.property),
      message: "\(words) \(time): \(change.effect) (\(names.joined(separator: ", ")))."
        + "\(counts(uses))",
      advice: remedy
    )
    finding.place.version = project.names.name(of: version)
    finding.change = change.words
    finding = sources.placed(finding)
    finding.place.file = finding.place.file.map(project.folder.shortened)
    return finding
  }

  // MARK: Rows

  /// Returns the numbers of rows that hold the raw value, store by store, as sentences.
  private func counts(_ uses: [Use]) -> String {
    let counted = uses.filter { $0.change.form == .rawValues && !$0.change.isWithinBytes }
    guard !counted.isEmpty else { return "" }
    return stores.compactMap { store -> String? in
      // Stores that cannot be read are reported elsewhere.
      guard let rows = try? count(counted, in: store.path) else { return nil }
      return rows == 0
        ? " No row of \(store.name) holds it."
        : " \(rows) \(rows == 1 ? "row" : "rows") of \(store.name) \(rows == 1 ? "holds" : "hold") it."
    }.joined()
  }

  /// Returns the number of rows of a store that hold raw values; nil where it has no column for them.
  private func count(_ uses: [Use], in path: String) throws -> Int64? {
    let store = try PersistentStore(reading: path)
    let hashes = store.metadata.versionHashes
    let known = project.archive.versions.last { $0.model.entityVersionHashes == hashes }?.model
    let carried = try store.modelCache.map { try ModelCache.decode($0).model }
    guard let model = known ?? carried else { return nil }
    let physical = PhysicalSchema(model: model)
    var sum: Int64?
    for use in uses {
      let element = use.change.path.isEmpty ? use.property : use.change.path
      guard let value = SQLiteValue(raw: use.change.key),
        let table = physical.table(of: use.entity),
        let column = physical.column(of: "\(use.property).\(element)", in: use.entity)
      else { continue }
      let numbers = physical.entityNumbers(below: use.entity).map(String.init)
      let rows = try store.connection.integer(
        "SELECT COUNT(*) FROM \(SQL.identifier(table.name)) WHERE \(SQL.identifier(column.name)) = ?"
          + " AND Z_ENT IN (\(numbers.joined(separator: ", ")))",
        [value]
      )
      sum = (sum ?? 0) + (rows ?? 0)
    }
    return sum
  }
}

extension SQLiteValue {
  /// The value that a literal of Swift spells; nil where it is not understood.
  fileprivate init?(raw literal: String) {
    if let number = Int64(literal) {
      self = .integer(number)
    } else if let number = Double(literal) {
      self = .real(number)
    } else if literal.count >= 2, literal.hasPrefix("\""), literal.hasSuffix("\"") {
      let text = literal.dropFirst().dropLast()
      // A value that is spelled with an escape is not counted, rather than counted wrongly.
      guard !text.contains("\\") else { return nil }
      self = .text(String(text))
    } else {
      return nil
    }
  }
}
