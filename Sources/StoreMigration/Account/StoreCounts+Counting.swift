package import MigrationPlanning
package import StoreAccess

extension StoreCensus {
  /// The counts of links with a missing end, in byte order of entities and relationships.
  var danglingLinks: [DanglingLinks] {
    dangling.map { place, count in
      DanglingLinks(entity: place.entityName, property: place.propertyName, count: count)
    }
    .sorted { ($0.entity, $0.property) < ($1.entity, $1.property) }
  }
}

extension StoreCounts {
  /// Makes the counts of a census.
  package init(_ census: StoreCensus) {
    self.init()
    for entity in census.entities {
      var counts = Entity(objects: entity.objects)
      (counts.values, counts.links) = (entity.values, entity.links)
      counts.oneSided = entity.oneSided.isEmpty ? nil : entity.oneSided
      entities[entity.name] = counts
    }
    dangling = census.danglingLinks
  }
}
