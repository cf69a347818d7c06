package import ObjectModel

/// The names by which people call an archive's versions.
///
/// A version is called by its own name where no other model has a version of that name, else by
/// `Model/Version`. `@current` is the version that its model names as current.
package struct VersionNames: Sendable {
  private let archive: ModelArchive
  private let counts: [String: Int]

  /// The names of the versions of an archive.
  package init(_ archive: ModelArchive) {
    self.archive = archive
    counts = Dictionary(archive.versions.map { ($0.name, 1) }, uniquingKeysWith: +)
  }

  /// The shortest name that means this version.
  package func name(of version: ModelVersion) -> String {
    counts[version.name, default: 1] == 1 ? version.name : version.qualifiedName
  }

  /// The version that a name means, or nil where it means none.
  ///
  /// - Parameter modelName: The model in which a name is looked up that several models have.
  /// - Throws: ``WaystoneError`` where it means several.
  package func find(_ name: String, preferring modelName: String? = nil) throws(WaystoneError)
    -> ModelVersion?
  {
    var found = candidates(name)
    if found.count > 1, let modelName {
      let preferred = found.filter { $0.modelName == modelName }
      if !preferred.isEmpty { found = preferred }
    }
    guard found.count <= 1 else {
      throw WaystoneError(
        .ambiguousVersion,
        "\(found.count) versions are called \(name): "
          + found.map(\.qualifiedName).joined(separator: ", ") + ".",
        recovery: "Name the model too, as in \(found[0].qualifiedName)."
      )
    }
    return found.first
  }

  /// The version that a name means.
  ///
  /// - Throws: ``WaystoneError`` where it means none or several.
  package func version(_ name: String, preferring modelName: String? = nil) throws(WaystoneError)
    -> ModelVersion
  {
    if let version = try find(name, preferring: modelName) { return version }
    let names = archive.versions.map { self.name(of: $0) }
    throw WaystoneError(
      .unknownVersion,
      "No version is called \(name).",
      recovery: names.isEmpty
        ? "There is no version at all here; --models names the folder of models."
        : "Known are \(Self.list(names, near: name)); `waystone versions` shows all."
    )
  }

  private func candidates(_ name: String) -> [ModelVersion] {
    if name == "@current" { return archive.models.compactMap(\.current) }
    let exact = archive.versions.filter { $0.name == name || $0.qualifiedName == name }
    if !exact.isEmpty { return exact }
    return archive.models.filter { name == "\($0.name)/@current" }.compactMap(\.current)
  }

  /// Up to five names, the likely ones first.
  private static func list(_ names: [String], near wanted: String) -> String {
    func likeness(_ name: String) -> Int {
      zip(name.lowercased(), wanted.lowercased()).prefix { $0 == $1 }.count
    }
    let sorted = names.enumerated().sorted {
      (-likeness($0.element), $0.offset) < (-likeness($1.element), $1.offset)
    }
    let shown = sorted.prefix(5).map(\.element).joined(separator: ", ")
    return names.count > 5 ? "\(shown), …" : shown
  }
}
