import ObjectModel

extension OptimizedModelDecoder {
  static func readEntities(
    _ tables: OptimizedTables,
    _ reader: inout OptimizedReader
  ) throws(ModelCodingError) -> [OptimizedEntity] {
    let count = tables.entities.count
    guard count <= maximumEntities else { throw .damaged("It has more entities than any other.") }
    var cursor = try tables.cursor(tables.entities)
    try cursor.expect(count)
    var entities: [OptimizedEntity] = []
    for _ in 0..<count { entities.append(try OptimizedEntity(&cursor, in: &reader)) }
    reader.entityNames = entities.map(\.name)
    return entities
  }

  /// For each entity the indexes of itself and of those below it.
  static func families(
    of entities: [OptimizedEntity]
  ) throws(ModelCodingError) -> [[Int]] {
    var families = entities.indices.map { [$0] }
    for index in entities.indices {
      var depth = 0
      var next = entities[index].parent
      while let parent = next {
        depth += 1
        guard entities.indices.contains(parent), depth <= maximumDepth else {
          throw .damaged("The parents of \(entities[index].name) have no end.")
        }
        families[parent].append(index)
        next = entities[parent].parent
      }
    }
    return families
  }

  static func readProperties(
    _ tables: OptimizedTables,
    _ reader: inout OptimizedReader,
    families: [[Int]]
  ) throws(ModelCodingError) -> [OptimizedProperty] {
    var cursor = try tables.cursor(tables.properties)
    var sum = 0
    for count in tables.kinds {
      try cursor.expect(count)
      sum += count
    }
    guard sum == tables.properties.count else { throw .damaged("Its properties are miscounted.") }
    var properties: [OptimizedProperty] = []
    var inherited = 0
    for _ in 0..<sum {
      let property = try OptimizedProperty(&cursor, in: &reader)
      guard families.indices.contains(property.entity) else {
        throw .damaged("\(property.name) has no entity.")
      }
      inherited += families[property.entity].count
      guard inherited <= maximumProperties else {
        throw .damaged("It has more properties than any real one.")
      }
      properties.append(property)
    }
    return properties
  }

  /// What the model says beside its entities.
  struct Outline {
    var configurations: [String: [String]] = [:]
    var templates = 0
  }

  static func readOutline(
    _ tables: OptimizedTables,
    _ reader: inout OptimizedReader
  ) throws(ModelCodingError) -> Outline {
    var cursor = try OptimizedCursor(tables.bytes, at: tables.model)
    let flags = try cursor.word()
    guard flags & ~0x8 == 0x7 else { throw .unknownForm("its flags are unlike those of others") }
    try cursor.expect(tables.entities.count)
    var outline = Outline(templates: try cursor.word())
    if outline.templates > 0 {
      try cursor.align(to: 8)
      for _ in 0..<outline.templates { _ = try cursor.wide() }
    }
    for _ in 0..<(try cursor.word()) {
      let name = try reader.text(cursor.word())
      try cursor.align(to: 8)
      try cursor.expectZeros(4)
      var members: [String] = []
      for _ in 0..<(try cursor.wide()) { members.append(try reader.entityName(cursor.wide())) }
      guard Set(members).count == members.count, outline.configurations[name] == nil else {
        throw .damaged("The configuration \(name) lists something twice.")
      }
      outline.configurations[name] = members
    }
    // The default configuration is what all entities are in, and no archive names it.
    let all = outline.configurations.removeValue(forKey: defaultConfiguration)
    guard all?.count == tables.entities.count else {
      throw .unknownForm("it has no default configuration")
    }
    try cursor.expectZeros(5)
    for number in [1, 0, 1] { try cursor.expect(number) }
    return outline
  }
}
