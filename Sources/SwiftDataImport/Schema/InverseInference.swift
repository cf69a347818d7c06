internal import ObjectModel

/// An inference of the inverses of relationships, as SwiftData does it.
///
/// - What `inverse:` names is the inverse, and it is set on both sides.
/// - Without it, stores of public apps have an inverse where exactly one property of each of two entities
///   leads to the other, and one of them is an optional to-one. What becomes of other pairs is not
///   measured; guides for the framework contradict each other there.
struct InverseInference {
  private var drafts: [EntityDraft]
  private let positions: [String: Int]
  private let module: SourceModule

  /// A relationship by the positions of its entity and of itself.
  private struct Place: Hashable {
    let entity: Int
    let relationship: Int
  }

  private init(_ drafts: [EntityDraft], in module: SourceModule) {
    self.drafts = drafts
    self.module = module
    positions = Dictionary(
      drafts.enumerated().map { ($1.entity.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns the drafts with their inverses; where one is not decided, with a doubt on both sides.
  static func deciding(_ drafts: [EntityDraft], in module: SourceModule) -> [EntityDraft] {
    var inference = InverseInference(drafts, in: module)
    inference.readExplicit()
    inference.infer()
    return inference.drafts
  }

  private subscript(place: Place) -> RelationshipDraft {
    get { drafts[place.entity].relationships[place.relationship] }
    set { drafts[place.entity].relationships[place.relationship] = newValue }
  }

  private var places: [Place] {
    drafts.indices.flatMap { entity in
      drafts[entity].relationships.indices.map { Place(entity: entity, relationship: $0) }
    }
  }

  private mutating func readExplicit() {
    for place in places {
      guard let inverse = self[place].inverse else { continue }
      guard let other = target(of: inverse, from: place) else { continue }
      let name = self[place].relationship.name
      let back = self[other].relationship.inverseName
      let own = self[place].relationship.inverseName
      guard back == nil || back == name, own == nil || own == inverse.name else {
        doubt(place, "names \(inverse.name) as its inverse, which another property names too.")
        continue
      }
      self[place].relationship.inverseName = inverse.name
      self[other].relationship.inverseName = name
    }
  }

  /// Returns the relationship that `inverse:` names, or nil with a doubt.
  private mutating func target(
    of inverse: (root: [String], name: String),
    from place: Place
  ) -> Place? {
    let draft = self[place]
    let type = drafts[place.entity].type
    if !inverse.root.isEmpty {
      guard
        case .type(let root) = module.meaning(
          of: inverse.root,
          in: type.path,
          file: type.place.file
        ),
        root.path == draft.destination.path
      else {
        doubt(
          place,
          "names an inverse of \(inverse.root.joined(separator: ".")), and leads to "
            + "\(draft.destination.qualifiedName)."
        )
        return nil
      }
    }
    guard let entity = positions[draft.relationship.destinationEntityName],
      let index = drafts[entity].relationships.firstIndex(where: {
        $0.relationship.name == inverse.name
      }),
      drafts[entity].relationships[index].destination.path == type.path
    else {
      doubt(
        place,
        "names \(draft.destination.name).\(inverse.name) as its inverse, which does not lead back."
      )
      return nil
    }
    return Place(entity: entity, relationship: index)
  }

  private mutating func infer() {
    let open = places.filter { self[$0].relationship.inverseName == nil && self[$0].inverse == nil }
    func ends(_ place: Place) -> [String] {
      [drafts[place.entity].entity.name, self[place].relationship.destinationEntityName]
    }
    let leading = Dictionary(grouping: open, by: ends)
    for place in open {
      let back = leading[ends(place).reversed()] ?? []
      guard let first = back.first else { continue }
      guard first.entity != place.entity else {
        undecided(place, "leads to its own entity without `inverse:`")
        continue
      }
      guard back.count == 1, leading[ends(place)]?.count == 1 else {
        undecided(
          place,
          "could be the inverse of several properties, or several could be its inverse"
        )
        continue
      }
      guard isInferred(self[place].relationship, self[first].relationship) else {
        undecided(
          place,
          "and \(drafts[first.entity].entity.name).\(self[first].relationship.name) lead to each other "
            + "without `inverse:`, and neither is an optional to-one"
        )
        continue
      }
      self[place].relationship.inverseName = self[first].relationship.name
    }
  }

  private func isInferred(
    _ one: RelationshipDescription,
    _ other: RelationshipDescription
  ) -> Bool {
    func isRequired(_ side: RelationshipDescription) -> Bool { !side.isToMany && !side.isOptional }
    let isAnyOptional = [one, other].contains { !$0.isToMany && $0.isOptional }
    return isAnyOptional && !isRequired(one) && !isRequired(other)
  }

  private mutating func undecided(_ place: Place, _ reason: String) {
    let draft = self[place]
    drafts[place.entity].doubts.append(
      SchemaDoubt(
        code: .undecidedInverse,
        place: draft.place,
        property: draft.relationship.name,
        message:
          "\(reason): whether SwiftData takes one for the inverse of the other is not known.",
        remedy:
          "In a version that no user has yet, write `inverse:` into one of the two. For one that "
          + "was shipped, compare with a store of it."
      )
    )
  }

  private mutating func doubt(_ place: Place, _ message: String) {
    let draft = self[place]
    drafts[place.entity].doubts.append(
      .form(message, at: draft.place, property: draft.relationship.name)
    )
  }
}
