package import ObjectModel

/// The proof of a rule by which SwiftData makes an attribute, the strongest first.
package enum ShapeProof: String, Hashable, Sendable, CaseIterable, Comparable {
  /// A store of the app has it, or `waystone.yml` states it.
  case measuredHere = "measured here"
  /// Stores of public apps have it, and their hashes are reproduced.
  case measured
  /// Apple documents the attribute type that keeps such values.
  case documented
  /// Messages of the framework in public threads show it.
  case reported
  /// The simplest rule that fits the measurements.
  case assumed

  package static func < (lhs: ShapeProof, rhs: ShapeProof) -> Bool {
    (allCases.firstIndex(of: lhs) ?? 0) < (allCases.firstIndex(of: rhs) ?? 0)
  }

  /// The proof as findings state it.
  var words: String {
    switch self {
    case .measuredHere: "which a store of the app shows"
    case .measured: "which stores of public apps show"
    case .documented: "which rests on Apple's documents"
    case .reported: "which rests on messages of the framework that were reported"
    case .assumed: "which is assumed"
    }
  }
}

/// A rule by which a part of a model follows from its Swift declaration.
package struct ShapeRule: Hashable, Sendable {
  /// The Swift type or form.
  package var subject: String
  /// The attribute that is made of it; nil where the rule is of something else.
  package var kept: String?
  /// The proof of the rule.
  package var proof: ShapeProof

  /// A rule.
  package init(_ subject: String, _ kept: String? = nil, _ proof: ShapeProof) {
    self.subject = subject
    self.kept = kept
    self.proof = proof
  }

  /// The rules for Swift types that the documentation shows, in the order of their proof.
  package static var all: [ShapeRule] {
    let known = KnownType.table.map { name, type in
      switch type.form {
      case .attribute(let kept): ShapeRule(name, "\(kept)", type.proof)
      case .composite: ShapeRule(name, "composite", type.proof)
      }
    }
    let aliases = KnownType.aliases.compactMap { name, target in
      KnownType.named([target]).map { ShapeRule(name, "as \(target)", $0.type.proof) }
    }
    return (known + aliases + forms).sorted { one, other in
      one.proof == other.proof ? one.subject < other.subject : one.proof < other.proof
    }
  }

  /// The rules for types that are made of others.
  private static let forms = [
    ShapeRule("[String]", "transformable", .measured),
    ShapeRule("[T] of a measured or documented type", "transformable", .reported),
    ShapeRule("[T] of other values, Set<T>, [K: V]", "transformable", .assumed),
    ShapeRule("[T] in a structure, of types that the app declares", "binary", .measured),
    ShapeRule(
      "[T] in a structure, of other types; Set<T>, [K: V] in a structure",
      "binary",
      .assumed
    ),
    ShapeRule("enum: String, enum: Int", "composite of its raw value", .measured),
    ShapeRule("enum of other raw values", "composite of its raw value", .assumed),
    ShapeRule("enum without values", "composite of a text for each case", .measured),
    ShapeRule("enum with values", "composite of a text for each case", .assumed),
    ShapeRule("struct: Codable", "composite of its stored properties", .measured),
    ShapeRule("struct: RawRepresentable, OptionSet", "composite of its raw value", .assumed),
    ShapeRule("enum with raw values in a struct", "the type of its raw values", .assumed),
    ShapeRule("struct or enum in a struct", "composite in a composite", .assumed),
  ]
}

/// The part of a rule that a store can settle.
struct RuleSubject: Hashable, Sendable {
  /// The key of the Swift type under `swiftdata: types:`.
  var key: String
  /// The names of elements from the property to the type's place.
  var path: [String]
  /// The form that the rule gives the type.
  var form: TypeForm
}

/// A place in a schema that rests on a rule.
package struct RuleUse: Hashable, Sendable {
  /// The rule.
  package var rule: ShapeRule
  /// The part of it that a store can settle; nil where the rule is of something else.
  var subject: RuleSubject?
  /// The entity.
  package var entity: String
  /// The property; nil where the rule is of the entity.
  package var property: String?
  /// The place of the declaration.
  package var place: SourcePlace
}

/// A property whose Swift type makes no attribute that is known.
package struct UnknownType: Hashable, Sendable {
  /// The type as it is spelled.
  package var type: String
  /// The reason why no attribute follows.
  package var reason: String
  /// The key of the property's type under `swiftdata: types:`.
  package var key: String
  /// The entity, whose hash is unknown.
  package var entity: String
  /// The property.
  package var property: String
  /// The place of the property.
  package var place: SourcePlace
}

/// The findings on rules and types, each once however many properties and schemas have it.
package enum ShapeFindings {
  /// Returns the findings on some schemas.
  package static func findings(of schemas: [SourceSchema]) -> [Finding] {
    unknown(schemas.flatMap(\.unknownTypes)) + rules(schemas.flatMap(\.rules))
  }

  private static func rules(_ uses: [RuleUse]) -> [Finding] {
    groups(uses, by: \.rule).map { uses in
      let rule = uses[0].rule
      let subject =
        rule.kept.map { "SwiftData keeps \(rule.subject) as \($0), \(rule.proof.words)" }
        ?? "No measured store has \(rule.subject), \(rule.proof.words)"
      let names = listed(
        uses.map { use in use.property.map { "\(use.entity).\($0)" } ?? use.entity }
      )
      return Finding(
        .unmeasuredForm,
        .note,
        at: uses[0].place.finding(entity: uses[0].entity, property: uses[0].property),
        message: "\(subject). Version hashes rest on it: \(names).",
        remedy: "A store settles it: `waystone check --learn STORE`, or `samples` in waystone.yml."
      )
    }
  }

  private static func unknown(_ uses: [UnknownType]) -> [Finding] {
    groups(uses, by: { [$0.type, $0.reason] }).map { uses in
      let (type, reason) = (uses[0].type, uses[0].reason)
      let entities = Set(uses.map(\.entity)).sorted()
      let several = Set(uses.map { [$0.entity, $0.property] }).count > 1
      return Finding(
        .unresolvedType,
        .warning,
        at: uses[0].place.finding(entity: uses[0].entity, property: uses[0].property),
        message:
          "\(listing(uses.map { "\($0.entity).\($0.property)" })) \(several ? "are" : "is") of type \(type), which is not resolved: \(reason). "
          + (entities.count == 1
            ? "The version hash of \(entities[0]) is unknown."
            : "The version hashes of \(listed(entities)) are unknown."),
        advice: reason == SourceModule.unknown
          ? "If the app declares it, let `models` name the folder with that file too. Else a store of the version "
            + "settles it: `waystone check --learn STORE`."
          : "Keep it as a type that is resolved, such as Data, String or a structure of such."
      )
    }
  }

  /// Returns the items in groups, in the order in which the first of each comes.
  private static func groups<Item, Key: Hashable>(_ items: [Item], by key: (Item) -> Key)
    -> [[Item]]
  {
    var places: [Key: Int] = [:]
    var groups: [[Item]] = []
    for item in items {
      let key = key(item)
      if let place = places[key] {
        groups[place].append(item)
      } else {
        places[key] = groups.count
        groups.append([item])
      }
    }
    return groups
  }

  /// Returns some names, each once, in a few words where they are many.
  private static func listed(_ names: [String]) -> String { listing(names).text }

  /// Returns the same, with the first of the names as its subject.
  private static func listing(_ names: [String]) -> Finding.Text {
    var seen: Set<String> = []
    let all = names.filter { seen.insert($0).inserted }
    let rest = all.prefix(all.count > 4 ? 3 : 4).dropFirst().map { ", \($0)" }.joined()
    return "\(subject: all.first ?? "")\(rest)\(all.count > 4 ? " and \(all.count - 3) more" : "")"
  }
}
