internal import ObjectModel
internal import StoreAccess

/// The evidence of whether an app opens stores by configuration: `configurations:` of `waystone.yml`,
/// else the sample stores that it names, else the app's sources.
struct ConfigurationEvidence {
  let configuration: Configuration
  /// All versions of the project.
  let versions: [ModelVersion]

  /// Returns the evidence of whether the app opens stores of a model by configuration.
  ///
  /// - Complexity: O(*n*) in the bytes of the sources, where an entity leaves a configuration and neither the
  ///   file nor a sample gives the answer.
  func use(of model: VersionedModel) -> ConfigurationUse {
    if configuration.configurationUse != .unknown { return configuration.configurationUse }
    guard model.changesConfigurations else { return .unknown }
    let ofSamples = useBySamples(of: model)
    return ofSamples == .unknown ? useBySources(of: model) : ofSamples
  }

  private func useBySamples(of model: VersionedModel) -> ConfigurationUse {
    let uses = Set(
      configuration.samples.values.compactMap { entry -> ConfigurationUse? in
        let path = configuration.resolved(entry)
        // A sample that cannot be read is reported where samples are checked.
        let store = try? StoreInspection(of: entry.text, at: path, versions: versions, rows: .never)
        guard let store, store.identification.versions.last?.modelName == model.name else {
          return nil
        }
        return store.configurationUse
      }
    )
    return uses.contains(.used) ? .used : uses.contains(.none) ? .none : .unknown
  }

  private func useBySources(of model: VersionedModel) -> ConfigurationUse {
    let names = Set(model.versions.flatMap(\.model.configurations.keys))
    var opensStores = false
    var use = ConfigurationUse.none
    let isWhole = AppSources(folder: configuration.folder).read { bytes in
      let source = StoreOpening(bytes, naming: names)
      opensStores = opensStores || source.opensStores
      if source.use != .none { use = source.use }
      return source.use != .used
    }
    if use == .used { return .used }
    // Code that cannot be read may name one.
    return isWhole && opensStores ? use : .unknown
  }
}

/// The words of a source file that open stores.
private struct StoreOpening {
  /// Whether it opens stores.
  let opensStores: Bool
  /// Whether it opens one by configuration; unknown where it may.
  let use: ConfigurationUse

  init(_ bytes: [UInt8], naming names: Set<String>) {
    let text = String(
      decoding: bytes.filter { ![0x20, 0x09, 0x0a, 0x0d].contains($0) },
      as: UTF8.self
    )
    opensStores = [
      "NSPersistentContainer", "NSPersistentCloudKitContainer", "NSPersistentStoreCoordinator",
      "addPersistentStore", "NSPersistentStoreDescription",
    ].contains(where: text.contains)
    let literals = names.map { "\"\($0.filter { !$0.isWhitespace })\"" }
    func opens(by marker: String) -> Bool {
      literals.contains { text.contains(marker + $0) || text.contains("\(marker)@\($0)") }
    }
    if opensStores,
      ["configurationName:", "onfiguration:", ".configuration="].contains(where: opens)
    {
      use = .used
      return
    }
    func isFollowed(_ marker: String) -> Bool {
      text.ranges(of: marker).contains { !text[$0.upperBound...].hasPrefix("nil") }
    }
    let mayName =
      literals.contains(where: text.contains) || isFollowed("onfigurationName:")
      || text.contains("addPersistentStoreWithType:") && isFollowed("configuration:")
      || text.contains("setConfiguration:")
      || text.contains("ersistentStoreDescription") && isFollowed(".configuration=")
    use = mayName ? .unknown : .none
  }
}

extension StoreInspection {
  /// Whether the store was opened by configuration, as its entities show.
  ///
  /// One with all entities of a version shows the contrary, unless a configuration has them all too, as
  /// SwiftData's `default`.
  var configurationUse: ConfigurationUse {
    if case .configuration = identification.match { return .used }
    let model = recoveredModel ?? identification.versions.last?.model
    guard let model,
      [.exact, .equalVersions].contains(identification.match) || recoveredModel != nil
    else { return .unknown }
    let own = Set(metadata.versionHashes.keys)
    let isWhole =
      own == Set(model.entities.map(\.name))
      && !model.configurations.values.contains { own.isSubset(of: $0) }
    return isWhole ? .none : .unknown
  }
}
