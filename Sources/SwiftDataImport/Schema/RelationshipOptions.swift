internal import ObjectModel

/// The arguments of `@Relationship` on a property.
///
/// Apple documents them all:
/// https://developer.apple.com/documentation/swiftdata/relationship(_:deleterule:minimummodelcount:maximummodelcount:originalname:inverse:hashmodifier:)
struct RelationshipOptions {
  private(set) var isUnique = false
  /// The property that `inverse:` names, and the class before it.
  private(set) var inverse: (root: [String], name: String)?
  private var deletionRule = RelationshipDescription.DeletionRule.nullify
  private var minCount: Int32?
  private var maxCount: Int32?
  private var originalName: String?
  private var hashModifier: String?
  private let isToMany: Bool
  /// Arguments that are not understood.
  private(set) var problems: [String] = []

  private static let rules: [String: RelationshipDescription.DeletionRule] = [
    "cascade": .cascade, "nullify": .nullify, "deny": .deny, "noAction": .noAction,
  ]

  /// The options that are part of the hash and occur in no measured store.
  var unmeasured: [String] {
    (minCount == nil ? [] : ["@Relationship(minimumModelCount:)"])
      + (maxCount == nil ? [] : ["@Relationship(maximumModelCount:)"])
      + (hashModifier == nil ? [] : ["@Relationship(hashModifier:)"])
      + (isUnique ? ["@Relationship(.unique)"] : [])
  }

  /// The options of a property; the defaults where it has no `@Relationship`.
  init(_ property: PropertyDeclaration, isToMany: Bool) {
    self.isToMany = isToMany
    for macro in property.attributes where macro.name == "Relationship" {
      for argument in macro.arguments { read(argument) }
    }
    let least = minCount ?? 0
    let most = maxCount ?? 0
    if !isToMany, least != 0 || most != 0 {
      problems.append(
        "has counts and leads to one model: what SwiftData makes of them is not known."
      )
    } else if isToMany, most == 1 {
      problems.append(
        "leads to several models, of which it allows one: what that makes is not known."
      )
    }
  }

  private mutating func read(_ argument: SourceExpression.Argument) {
    switch (argument.label, argument.value) {
    case (nil, .member(let path)) where path.last == "unique": isUnique = true
    case ("deleteRule", .member(let path)), ("deleteRule", .reference(let path)):
      if let rule = path.last.flatMap({ Self.rules[$0] }) {
        deletionRule = rule
      } else {
        problems.append("has the delete rule \(path.last ?? ""), which is not known.")
      }
    case ("minimumModelCount", .integer(let number)): minCount = count(number)
    case ("maximumModelCount", .integer(let number)): maxCount = count(number)
    case ("originalName", .string(let text)): originalName = text
    case ("hashModifier", .string(let text)): hashModifier = text
    case ("inverse", .keyPath(let root, let path)) where !path.isEmpty:
      // A class within another type has that before it: `\SchemaV1.Trip.stops`.
      inverse = path.last.map { (root + path.dropLast(), $0) }
    case (_?, .null): break
    case (let label, let value):
      let name = label.map { "\($0): " } ?? ""
      problems.append("has @Relationship with an argument that is not understood: \(name)\(value).")
    }
  }

  private mutating func count(_ number: Int64) -> Int32? {
    guard let count = Int32(exactly: number), count >= 0 else {
      problems.append("has a count that cannot be one.")
      return nil
    }
    return count == 0 ? nil : count
  }

  /// Applies the options to a relationship.
  func apply(to relationship: inout RelationshipDescription) {
    relationship.deletionRule = deletionRule
    relationship.renamingIdentifier = originalName
    relationship.versionHashModifier = hashModifier
    guard isToMany else { return }
    relationship.minCount = minCount ?? 0
    relationship.maxCount = maxCount ?? 0
  }
}
