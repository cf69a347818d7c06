package import ObjectModel

/// The origin of a property's value in a new object, in terms of its source object.
///
/// It is the only encoding of a mapping's effect on a value: normal forms compose and compare it,
/// compilers turn it into SQL, comparisons and preconditions read it. Make the steps with the functions
/// that simplify, ``converting(_:from:to:)`` and its like, so that equal values are equal.
package indirect enum ValueOrigin: Hashable, Sendable {
  /// The same value for every object; nil is nothing.
  case constant(AttributeValue?)
  /// The value at a path from the source object; of one name where a property is carried.
  case carried([String])
  /// A number as one of another type.
  case converted(ValueOrigin, from: AttributeType, to: AttributeType)
  /// A value, or a default where there is none.
  case filled(ValueOrigin, AttributeValue)
  /// The first of several links.
  case first(ValueOrigin)
  /// The links without their order.
  case unordered(ValueOrigin)
  /// Links as far as the object at the other end, which holds one, holds this.
  case cut(ValueOrigin)
  /// The links kept by an end that holds fewer, where several entity mappings of a hop compete: the
  /// order in which they run decides.
  case chosen(ValueOrigin, by: String)
  /// The links without those to objects of these source entities, in byte order: the objects live on,
  /// and a relationship of a hop cannot lead to them.
  case without(ValueOrigin, [String])
  /// The objects of an entity whose relationship, which has no inverse, leads to the source object.
  case owners(entity: String, relationship: String)
  /// Some of the links; the mapping does not decide which.
  case partly(ValueOrigin)
  /// The result of an expression over the source object, in which `$1` is the first of the inputs.
  case computed(Expression, [ValueOrigin])
  /// A value that only a run knows; the words name its cause.
  case opaque(String, Unseen? = nil)

  /// A value that an expression reads from objects that an earlier hop changed.
  package struct Unseen: Hashable, Sendable {
    /// A number that identifies the mapping that changed these objects.
    let mapping: Int
    /// The properties of the source object from which the value may be made.
    let properties: Set<String>
  }
}

extension ValueOrigin {
  /// The origin of nothing.
  package static let nothing = ValueOrigin.constant(nil)

  /// The source property whose value it is, as it is; nil for any other.
  package var carriedProperty: String? {
    if case .carried(let path) = self, path.count == 1 { path[0] } else { nil }
  }

  /// The value before numbers are converted, gaps filled, links chosen, cut or left out and their order
  /// forgotten.
  package var unchanged: ValueOrigin {
    switch self {
    case .converted(let inner, _, _), .filled(let inner, _), .first(let inner),
      .unordered(let inner), .cut(let inner), .without(let inner, _), .chosen(let inner, by: _):
      inner.unchanged
    default: self
    }
  }

  /// Whether it has all that a property of the source holds.
  var isWhole: Bool {
    switch self {
    case .carried(let path): path.count == 1
    case .converted(let inner, from: let old, to: let new):
      inner.isWhole && NumericConversion(source: old, destination: new).isExact
    default: false
    }
  }

  /// Whether a row of the source alone decides the value, by steps that a store can be asked about.
  package var isOfStoredValue: Bool {
    switch self {
    case .constant: true
    case .carried(let path): path.count == 1
    case .converted(let inner, _, _), .filled(let inner, _): inner.isOfStoredValue
    case .first, .unordered, .cut, .chosen, .without, .owners, .partly, .computed, .opaque: false
    }
  }

  /// Whether an expression gives it.
  package var isComputed: Bool {
    if case .computed(_, _) = self { true } else { false }
  }

  /// Whether it is the same for every object.
  var isConstant: Bool { if case .constant = self { true } else { false } }

  /// Whether only a run knows the value, or a part of it.
  package var isOpaque: Bool {
    switch self {
    case .partly, .chosen, .opaque: true
    case .constant, .carried, .owners: false
    case .converted(let inner, _, _), .filled(let inner, _), .first(let inner),
      .unordered(let inner), .cut(let inner), .without(let inner, _):
      inner.isOpaque
    case .computed(_, let inputs): inputs.contains(where: \.isOpaque)
    }
  }

  /// The paths that the value reads, from the source object and from a subquery's variable.
  package var paths: Set<[String]> {
    switch self {
    case .constant, .owners: return []
    case .opaque(_, let unseen): return Set(unseen?.properties.map { [$0] } ?? [])
    case .carried(let path): return [path]
    case .converted(let inner, _, _), .filled(let inner, _), .first(let inner),
      .unordered(let inner), .cut(let inner), .without(let inner, _),
      .chosen(let inner, by: _), .partly(let inner):
      return inner.paths
    case .computed(let expression, let inputs):
      var paths = Set(inputs.flatMap(\.paths))
      expression.forEachPart { if case .keyPath(_, let path) = $0 { paths.insert(path) } }
      return paths
    }
  }

  /// The properties of the source object that the value reads.
  package var properties: Set<String> {
    switch self {
    case .constant, .owners: return []
    case .opaque(_, let unseen): return unseen?.properties ?? []
    case .carried(let path): return path.first.map { [$0] } ?? []
    case .converted(let inner, _, _), .filled(let inner, _), .first(let inner),
      .unordered(let inner), .cut(let inner), .without(let inner, _),
      .chosen(let inner, by: _), .partly(let inner):
      return inner.properties
    case .computed(let expression, let inputs):
      var names = Set(inputs.flatMap(\.properties))
      expression.forEachPart { part in
        if case .keyPath(.variable("source"), let path) = part, let first = path.first {
          names.insert(first)
        }
      }
      return names
    }
  }

  /// Whether the source object's values or links decide the value; else it is new.
  var readsSource: Bool {
    switch self {
    case .constant: return false
    case .owners: return true
    case .opaque(_, let unseen): return unseen?.properties.isEmpty == false
    case .carried: return true
    case .converted(let inner, _, _), .filled(let inner, _), .first(let inner),
      .unordered(let inner), .cut(let inner), .without(let inner, _),
      .chosen(let inner, by: _), .partly(let inner):
      return inner.readsSource
    case .computed(let expression, let inputs):
      return inputs.contains(where: \.readsSource)
        || expression.contains { $0 == .variable("source") }
    }
  }
}

// MARK: Steps

extension ValueOrigin {
  /// Returns a number as one of another type; of two conversions the first is left out where it loses
  /// nothing.
  package static func converting(
    _ value: ValueOrigin,
    from old: AttributeType,
    to new: AttributeType
  ) -> ValueOrigin {
    switch value {
    case .nothing: return value
    case .constant(.integer(let number)?) where isSmall(number) && new != .boolean: return value
    case .converted(let inner, from: let origin, to: let between)
    where NumericConversion(source: origin, destination: between).isExact:
      return origin == new ? inner : .converted(inner, from: origin, to: new)
    default: return .converted(value, from: old, to: new)
    }
  }

  /// Returns whether every type of numbers but the Boolean holds a number.
  private static func isSmall(_ number: Int64) -> Bool { Int16(exactly: number) != nil }

  /// Returns a value with its gaps filled; a value without gaps stays as it is.
  package static func filling(_ value: ValueOrigin, with fill: AttributeValue) -> ValueOrigin {
    switch value {
    case .nothing: .constant(fill)
    case .constant, .filled: value
    default: .filled(value, fill)
    }
  }

  /// Returns an origin that keeps one of several links.
  static func choosing(_ value: ValueOrigin) -> ValueOrigin {
    switch value {
    case .constant, .first: value
    default: .first(value)
    }
  }

  /// Returns the links without their order.
  static func disordering(_ value: ValueOrigin) -> ValueOrigin {
    switch value {
    case .constant, .first, .unordered: value
    default: .unordered(value)
    }
  }

  /// Returns links whose other end holds one.
  static func cutting(_ value: ValueOrigin) -> ValueOrigin {
    switch value {
    case .constant, .cut: value
    default: .cut(value)
    }
  }

  /// Returns the links without those to objects of some source entities; left out before one is chosen,
  /// cut or its order forgotten, as a hop does.
  static func leavingOut(_ entities: Set<String>, of value: ValueOrigin) -> ValueOrigin {
    if entities.isEmpty { return value }
    switch value {
    case .constant: return value
    case .first(let inner): return .choosing(leavingOut(entities, of: inner))
    case .unordered(let inner): return .disordering(leavingOut(entities, of: inner))
    case .cut(let inner): return .cutting(leavingOut(entities, of: inner))
    case .chosen(let inner, by: let name): return .chosen(leavingOut(entities, of: inner), by: name)
    default: return .narrowing(value, by: entities)
    }
  }

  /// Returns links without those to objects of some source entities, which the hop drops.
  static func narrowing(_ value: ValueOrigin, by entities: Set<String>) -> ValueOrigin {
    if entities.isEmpty { return value }
    switch value {
    case .constant: return value
    case .without(let inner, let others):
      return .without(inner, entities.union(others).sorted(by: ByteOrder.precedes))
    default: return .without(value, entities.sorted(by: ByteOrder.precedes))
    }
  }

  /// Whether an end keeps only some of the links.
  var choosesLinks: Bool {
    switch self {
    case .first, .cut: true
    case .unordered(let inner), .chosen(let inner, by: _), .without(let inner, _),
      .partly(let inner):
      inner.choosesLinks
    case .constant, .carried, .converted, .filled, .owners, .computed, .opaque: false
    }
  }

  /// The source entities whose objects live on without the links to them.
  var leftOut: Set<String> {
    switch self {
    case .without(let inner, let entities): inner.leftOut.union(entities)
    case .converted(let inner, _, _), .filled(let inner, _), .first(let inner),
      .unordered(let inner), .cut(let inner), .chosen(let inner, by: _), .partly(let inner):
      inner.leftOut
    case .constant, .carried, .owners, .computed, .opaque: []
    }
  }

  /// Returns a source attribute's value as that of a destination attribute: converted, and with the
  /// default in its gaps where it may no longer have any.
  package static func carrying(
    _ old: AttributeDescription,
    into new: AttributeDescription
  ) -> ValueOrigin {
    var value = ValueOrigin.carried([old.name])
    if old.attributeType != new.attributeType, old.attributeType.isConvertible {
      value = .converting(value, from: old.attributeType, to: new.attributeType)
    }
    if old.isOptional, !new.isOptional, let fill = new.defaultValue {
      value = .filling(value, with: fill)
    }
    return value
  }

  /// Returns a source relationship's links as those of a destination relationship: one, where it can
  /// have no more, and without an order that it does not keep.
  static func carrying(
    _ old: RelationshipDescription,
    into new: RelationshipDescription
  ) -> ValueOrigin {
    let links = ValueOrigin.carried([old.name])
    if old.isToMany, !new.isToMany { return .choosing(links) }
    if old.isToMany, new.isToMany, old.isOrdered, !new.isOrdered { return .disordering(links) }
    return links
  }
}

extension ValueOrigin: CustomStringConvertible {
  /// The origin as a sentence names it.
  package var description: String {
    switch self {
    case .constant(let value): Expression.constant(value).words()
    case .carried(let path): path.joined(separator: ".")
    case .converted(.converted(let inner, let old, let between), from: _, to: let new):
      "\(ValueOrigin.converted(inner, from: old, to: between)), then as \(new)"
    case .converted(let inner, from: _, to: let new): "\(inner) as \(new)"
    case .filled(let inner, let fill):
      "\(inner), or \(Expression.constant(fill).words()) where it is empty"
    case .first(let inner): "one of \(inner)"
    case .unordered(let inner): "\(inner) without its order"
    case .owners(let entity, let relationship):
      "the objects of \(entity) whose \(relationship) leads there"
    case .cut(let inner): "those of \(inner) that the other end can hold"
    case .chosen(let inner, by: let name): "\(inner), as the mapping from \(name) chooses"
    case .without(let inner, let entities):
      "\(inner) but for objects of \(entities.joined(separator: ", "))"
    case .partly(let inner): "some of \(inner)"
    case .computed(let expression, let inputs): expression.words(inputs.map(\.description))
    case .opaque(let maker, _): maker
    }
  }
}
