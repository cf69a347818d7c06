import ObjectModel
import StoreMigration

// What the policies do that mapping models of public apps name, written anew.

/// Makes one object for each value of a key, which many objects share.
///
/// What it made is noted in the manager's user info, which is kept with each batch, so that the
/// policy itself remembers nothing.
class SharingPolicy: EntityMigrationPolicy {
  /// The object of an entity whose attribute has a value; made where there is none yet.
  func shared(
    _ entityName: String,
    _ key: String,
    _ value: AttributeValue,
    manager: MigrationManager
  ) throws -> ManagedObject {
    let note = "\(entityName).\(key)=\(value)"
    if case .integer(let known)? = manager.userInfo[note],
      let object = try manager.destinationContext.object(entityName: entityName, key: known)
    {
      return object
    }
    let object = try manager.destinationContext.insert(entityName: entityName)
    try object.setValue(.scalar(value), forKey: key)
    manager.userInfo[note] = .integer(object.objectID.key)
    return object
  }
}

/// Moody 5 to 6: the number of a country's continent becomes a continent.
final class Country5ToCountry6Policy: SharingPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    guard let country = try manager.createDefaultInstance(forSource: source) else { return }
    guard case .scalar(let code) = try source.value(forKey: "isoContinent") else { return }
    let continent = try shared("Continent", "numericISO3166Code", code, manager: manager)
    try country.set(continent, forKey: "continent")
  }
}

/// CoreDataPlus 2 to 3: the name of a car's maker becomes a maker.
final class V2to3MakerPolicy: SharingPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    guard let car = try manager.createDefaultInstance(forSource: source) else { return }
    guard case .scalar(let name) = try source.value(forKey: "maker") else { return }
    try car.set(try shared("Maker", "name", name, manager: manager), forKey: "createdBy")
  }
}

/// Wibosco 2 to 3: a post's content becomes its first section, titled with its first letters.
final class Post2ToPost3MigrationPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    guard let post = try manager.createDefaultInstance(forSource: source) else { return }
    guard let body = try source.string(forKey: "content") else { return }
    let section = try manager.destinationContext.insert(entityName: "Section")
    try section.set(body, forKey: "body")
    try section.set(body.prefix(4) + "...", forKey: "title")
    try section.set(0, forKey: "index")
    try section.set(post, forKey: "post")
  }
}
