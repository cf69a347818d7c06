extension StorePartition.Part {
  /// The name that the sources give the model's store, its plan or its schemas; nil of a store that has only
  /// SwiftData's own name.
  var name: String? {
    let stores = containers.flatMap(\.stores)
    for store in stores where store.file != .standard {
      if let name = store.fileName.flatMap(Self.cleaned) { return name }
    }
    if stores.contains(where: { $0.file == .standard }) { return nil }
    return declaredName
  }

  /// The name that its plan or its schemas have, else that of the first class of a container.
  var declaredName: String? {
    for plan in plans {
      if let name = Self.stem(of: plan.path) { return name }
    }
    if let first = schemas.first {
      let common = schemas.dropFirst().reduce(first.name) { $0.commonPrefix(with: $1.name) }
      if let name = Self.stem(of: first.path.dropLast() + [common]) { return name }
    }
    return containers.lazy.compactMap { $0.list.models.first?.name }.first
  }

  /// The endings of names that mean a kind of type.
  private static let endings = [
    "SchemaMigrationPlan", "MigrationPlan", "Migrations", "Migration", "Plan", "VersionedSchema",
    "Schemas", "Schema", "Versions", "Version", "Models", "Model",
  ]

  /// Returns the innermost of a type's names without such an ending and without a version, where something is
  /// left of it: `User` of `UserSchemaV2`, and of `User.SchemaV2`.
  private static func stem(of path: some BidirectionalCollection<String>) -> String? {
    for name in path.reversed() {
      var rest = name[...]
      var isShorter = true
      while isShorter {
        let count = rest.count
        while let last = rest.last, last.isNumber || last == "_" { rest.removeLast() }
        let isNumbered = rest.count < count
        if rest.last == "V" && (isNumbered || count == name.count) || rest.last == "v" && isNumbered
        {
          rest.removeLast()
        }
        if let ending = endings.first(where: rest.hasSuffix) { rest.removeLast(ending.count) }
        isShorter = rest.count < count
      }
      if let name = cleaned(String(rest)) { return name }
    }
    return nil
  }

  /// Returns a name without slashes and line breaks; nil where nothing is left.
  private static func cleaned(_ name: String) -> String? {
    let plain = name.prefix(100).filter { character in
      character != "/"
        && character.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
    }
    let own = plain.drop { $0 == " " }
    return own.isEmpty || own == "." || own == ".." ? nil : String(own)
  }
}
