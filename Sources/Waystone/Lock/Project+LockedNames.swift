internal import ObjectModel

extension Project {
  /// Returns a lock with the names that the models of the app's sources have now.
  ///
  /// The only model of an app is called SwiftData. With a second store each has a name of its own, and the
  /// versions that were locked before are those of the model with the same entities.
  func renamed(_ lock: LockFile) -> LockFile {
    let locked = Set(lock.versions.map(\.modelName))
    let gone = locked.filter { name in !archive.models.contains { $0.isCalled(name) } }
    var free = archive.models.flatMap(\.swiftModels).filter { !locked.contains($0.name) }
    var names: [String: String] = [:]
    for name in gone.sorted(by: ByteOrder.precedes) {
      let entities = Set(
        lock.versions.filter { $0.modelName == name }.flatMap(\.entities).map(\.name)
      )
      func shared(_ model: (name: String, entities: Set<String>)) -> Int {
        let isRenamed = [name, model.name].contains(SourceVersions.aloneName)
        return isRenamed ? model.entities.intersection(entities).count : 0
      }
      guard let best = free.indices.max(by: { shared(free[$0]) < shared(free[$1]) }),
        shared(free[best]) > 0
      else { continue }
      names[name] = free.remove(at: best).name
    }
    guard !names.isEmpty else { return lock }
    return LockFile(
      versions: lock.versions.map { version in
        var version = version
        version.modelName = names[version.modelName] ?? version.modelName
        version.after = version.after.map { after in
          guard let slash = after.firstIndex(of: "/"), let name = names[String(after[..<slash])]
          else { return after }
          return name + after[slash...]
        }
        return version
      }
    )
  }
}

extension VersionedModel {
  /// The models of the app's sources that it is or joins, each with the names of its entities.
  fileprivate var swiftModels: [(name: String, entities: Set<String>)] {
    let own =
      isJoined ? parts.filter(\.isOfSwift).map(\.name) : isOfSwift ? [name] : [String]()
    return own.map { name in
      let versions = versions.filter { $0.ownModelName == name }
      return (name, Set(versions.flatMap(\.model.entities).map(\.name)))
    }
  }
}
