import ObjectModel

/// Short forms for models in tests.
enum ModelParts {
  static func attribute(_ name: String, _ type: AttributeType = .string) -> AttributeDescription {
    AttributeDescription(name: name, attributeType: type)
  }

  static func derived(
    _ name: String,
    _ type: AttributeType,
    _ expression: String
  ) -> AttributeDescription {
    var attribute = attribute(name, type)
    attribute.derivationExpression = DerivationExpression(parsing: expression)
    return attribute
  }

  static func toOne(
    _ name: String,
    _ destination: String,
    inverse: String? = nil
  ) -> RelationshipDescription {
    var relationship = RelationshipDescription(name: name, destinationEntityName: destination)
    relationship.inverseName = inverse
    relationship.isOptional = true
    return relationship
  }

  static func toMany(
    _ name: String,
    _ destination: String,
    inverse: String? = nil,
    isOrdered: Bool = false
  ) -> RelationshipDescription {
    var relationship = toOne(name, destination, inverse: inverse)
    relationship.maxCount = 0
    relationship.isOrdered = isOrdered
    return relationship
  }

  static func entity(
    _ name: String,
    below parent: String? = nil,
    _ attributes: [AttributeDescription] = [],
    _ relationships: [RelationshipDescription] = []
  ) -> EntityDescription {
    var entity = EntityDescription(name: name)
    entity.superentityName = parent
    entity.attributes = attributes
    entity.relationships = relationships
    return entity
  }

  /// A library: a hierarchy, an ordered to-many, a pair of to-many and a derived count.
  static func library() throws -> ManagedObjectModel {
    var book = entity(
      "Book",
      [
        attribute("title"), attribute("cover", .binary), attribute("price", .decimal),
        attribute("printedAt", .date), attribute("isLent", .boolean),
        attribute("identifier", .uuid), derived("pageCount", .integer64, "pages.@count"),
        derived("authorName", .string, "author.name"),
      ],
      [
        toOne("author", "Author", inverse: "books"),
        toMany("pages", "Page", inverse: "book", isOrdered: true),
        toMany("shelves", "Shelf", inverse: "books"),
      ]
    )
    book.uniquenessConstraints = [["identifier"]]
    return try ManagedObjectModel(entities: [
      entity("Author", [attribute("name")], [toMany("books", "Book", inverse: "author")]),
      book,
      entity("Comic", below: "Book", [attribute("hasColor", .boolean)]),
      entity("Page", [attribute("number", .integer32)], [toOne("book", "Book", inverse: "pages")]),
      entity("Shelf", [attribute("place")], [toMany("books", "Book", inverse: "shelves")]),
    ])
  }
}
