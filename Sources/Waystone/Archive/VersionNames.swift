package import ObjectModel

/// The names by which the user refers to an archive's versions.
///
/// A version is called by its own name where no other model has a version of that name, else by
/// `Model/Version`, as in `Model (Old)/Version` where two models have one name; its path, as in
/// `Old/Model.xcdatamodeld/Version`, means it too. `@current` is the version that its model names
/// as current.
package struct VersionNames: Sendable {
  private let archive: ModelArchive
  private let counts: [String: Int]
  private let qualifiedCounts: [String: Int]

  /// The names of the versions of an archive.
  package init(_ archive: ModelArchive) {
    self.archive = archive
    counts = Dictionary(archive.versions.map { ($0.name, 1) }, uniquingKeysWith: +)
    qualifiedCounts = Dictionary(
      archive.versions.map { ($0.qualifiedName, 1) },
      uniquingKeysWith: +
    )
  }

  /// Returns the shortest name that means this version.
  package func name(of version: ModelVersion) -> String {
    if counts[version.name, default: 1] == 1 { return version.name }
    let isOne = qualifiedCounts[version.qualifiedName, default: 1] == 1
    return isOne ? version.qualifiedName : version.pathName ?? version.qualifiedName
  }

  /// Returns the version that a name means, or nil where it means none.
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
          + found.map { self.name(of: $0) }.joined(separator: ", ") + ".",
        recovery: "Name the one that you mean, as in \(self.name(of: found[0]).shellWord)."
      )
    }
    return found.first
  }

  /// Returns the version that a name means.
  ///
  /// - Throws: ``WaystoneError`` where it means none or several.
  package func version(_ name: String, preferring modelName: String? = nil) throws(WaystoneError)
    -> ModelVersion
  {
    if let version = try find(name, preferring: modelName) { return version }
    try refuseUnreadable(name)
    let names = archive.versions.map { self.name(of: $0) }
    throw WaystoneError(
      .unknownVersion,
      "No version is called \(name).",
      recovery: names.isEmpty
        ? "There is no version at all here; --models names the folder of models."
        : "Known are \(Self.list(names, near: name)); `waystone versions` shows all."
    )
  }

  /// - Throws: ``WaystoneError`` where the name is that of a version that cannot be read.
  private func refuseUnreadable(_ name: String) throws(WaystoneError) {
    for model in archive.models {
      for version in model.unreadable
      where [version.name, model.qualifiedName(of: version.name)].contains(name)
        || version.isCurrent && (name == "@current" || model.meansCurrent(name))
      {
        throw WaystoneError(
          .badFile,
          "Version \(version.name) cannot be read: \(version.reason)",
          recovery: "\(version.remedy) Or name another version."
        )
      }
    }
  }

  private func candidates(_ name: String) -> [ModelVersion] {
    if name == "@current" { return archive.models.compactMap(\.current) }
    let exact = archive.versions.filter { $0.isCalled(name) }
    if !exact.isEmpty { return exact }
    let named = archive.versions.filter { version in
      version.pathName.map { $0 == name || $0.hasSuffix("/" + name) || $0 + ".xcdatamodel" == name }
        ?? false
    }
    if !named.isEmpty { return named }
    return archive.models.filter { $0.meansCurrent(name) }.compactMap(\.current)
  }

  /// Returns a list of up to five names, the likely ones first.
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

extension VersionedModel {
  /// Returns whether a name is that of the model, or of one that it joins, with `@current` behind it.
  fileprivate func meansCurrent(_ name: String) -> Bool {
    let mark = "/@current"
    return name.hasSuffix(mark) && isCalled(String(name.dropLast(mark.count)))
  }
}

extension ModelVersion {
  /// The path of its file without the extension, which distinguishes versions of models with one name.
  fileprivate var pathName: String? {
    var name = path[...]
    if name.hasPrefix("./") { name = name.dropFirst(2) }
    for suffix in [".xcdatamodel", ".mom"] where name.hasSuffix(suffix) {
      return String(name.dropLast(suffix.count))
    }
    return nil
  }
}
