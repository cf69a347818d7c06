package import MigrationPlanning
package import StoreAccess

extension StoreCounts {
  /// What a store was found to hold.
  package init(_ census: StoreCensus) {
    self.init()
    for entity in census.entities {
      var counts = Entity(objects: entity.objects)
      (counts.values, counts.links) = (entity.values, entity.links)
      counts.oneSided = entity.oneSided.isEmpty ? nil : entity.oneSided
      entities[entity.name] = counts
    }
  }
}
