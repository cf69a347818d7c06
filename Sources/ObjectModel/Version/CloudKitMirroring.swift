/// The entities of a version that CloudKit mirrors, store by store.
package struct CloudKitMirroring: Hashable, Sendable {
  /// The names of the entities of each mirrored store.
  package let stores: [Set<String>]
  /// Whether it is known that just these are mirrored, and not only those of some configuration.
  package let isCertain: Bool

  /// The mirrored stores of a version of a mirrored app: those of the configurations that are marked,
  /// else one of all entities.
  package init(of model: ManagedObjectModel, isCertain: Bool) {
    let marked = model.cloudKitMark.configurations.sorted().compactMap { model.configurations[$0] }
    stores = marked.isEmpty ? [Set(model.entities.map(\.name))] : marked.map { Set($0) }
    self.isCertain = isCertain || !marked.isEmpty
  }

  /// All mirrored entities.
  package var entities: Set<String> { stores.reduce(into: []) { $0.formUnion($1) } }
}
