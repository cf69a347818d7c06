/// A builder of an archive as `NSKeyedArchiver` writes it, object by object.
///
/// An object is first reserved and later filled, so that objects may refer to each other in a
/// circle. Equal texts and equal numbers are stored once.
package struct KeyedArchiveWriter: Sendable {
  /// A place in the archive that other objects may refer to.
  package struct Reference: Hashable, Sendable {
    fileprivate let index: Int

    /// The reference to nothing: the archiver's `$null`.
    package static let null = Reference(index: 0)

    /// The reference as the value of an object's key.
    package var value: PropertyList { .uid(UInt64(index)) }
  }

  private struct Scalar: Hashable {
    let value: PropertyList
    /// The code points of a text: `String` treats texts as equal whose code points differ.
    let scalars: [UInt8]
  }

  private var objects: [PropertyList] = [.string("$null")]
  private var scalars: [Scalar: Reference] = [:]
  private var classes: [[String]: Reference] = [:]

  /// An archive without objects.
  package init() {}

  /// Returns a place for an object that is filled later; until then it holds nothing.
  package mutating func reserve() -> Reference {
    objects.append(.string("$null"))
    return Reference(index: objects.count - 1)
  }

  /// Makes the reserved place an instance of the class with these values.
  ///
  /// - Parameter hierarchy: The class's name, then its superclasses' up to `NSObject`.
  package mutating func fill(
    _ reference: Reference,
    hierarchy: [String],
    _ fields: [String: PropertyList]
  ) {
    var fields = fields
    fields["$class"] = classReference(hierarchy).value
    objects[reference.index] = .dictionary(fields)
  }

  /// Adds an instance of the class with these values.
  package mutating func object(
    hierarchy: [String],
    _ fields: [String: PropertyList]
  ) -> Reference {
    let reference = reserve()
    fill(reference, hierarchy: hierarchy, fields)
    return reference
  }

  /// Adds text, a number, a truth value or data, as the archiver stores them: without a class.
  package mutating func scalar(_ value: PropertyList) -> Reference {
    let scalar = Scalar(value: value, scalars: value.string.map { Array($0.utf8) } ?? [])
    if let known = scalars[scalar] { return known }
    objects.append(value)
    let reference = Reference(index: objects.count - 1)
    scalars[scalar] = reference
    return reference
  }

  /// Adds text; nil gives the reference to nothing.
  package mutating func string(_ text: String?) -> Reference {
    text.map { scalar(.string($0)) } ?? .null
  }

  /// Adds an `NSArray`, or with `isMutable` an `NSMutableArray`.
  package mutating func array(_ items: [Reference], isMutable: Bool = false) -> Reference {
    object(
      hierarchy: (isMutable ? ["NSMutableArray"] : []) + ["NSArray", "NSObject"],
      ["NS.objects": .array(items.map(\.value))]
    )
  }

  /// Adds an `NSSet`, or with `isMutable` an `NSMutableSet`.
  package mutating func set(_ items: [Reference], isMutable: Bool = false) -> Reference {
    object(
      hierarchy: (isMutable ? ["NSMutableSet"] : []) + ["NSSet", "NSObject"],
      ["NS.objects": .array(items.map(\.value))]
    )
  }

  /// Adds an `NSDictionary`, or with `isMutable` an `NSMutableDictionary`, in the order given.
  package mutating func dictionary(
    _ entries: [(key: Reference, value: Reference)],
    isMutable: Bool = false
  ) -> Reference {
    object(
      hierarchy: (isMutable ? ["NSMutableDictionary"] : []) + ["NSDictionary", "NSObject"],
      [
        "NS.keys": .array(entries.map(\.key.value)),
        "NS.objects": .array(entries.map(\.value.value)),
      ]
    )
  }

  /// Adds an `NSDate`, in seconds since 2001-01-01 00:00 UTC.
  package mutating func date(_ seconds: Double) -> Reference {
    object(hierarchy: ["NSDate", "NSObject"], ["NS.time": .real(seconds)])
  }

  /// Adds an `NSUUID`.
  package mutating func uuid(_ bytes: [UInt8]) -> Reference {
    object(hierarchy: ["NSUUID", "NSObject"], ["NS.uuidbytes": .data(bytes)])
  }

  /// Adds an `NSURL` without a base.
  package mutating func url(_ text: String) -> Reference {
    let relative = string(text)
    return object(
      hierarchy: ["NSURL", "NSObject"],
      ["NS.base": Reference.null.value, "NS.relative": relative.value]
    )
  }

  /// Adds an `NSDecimalNumber`.
  package mutating func decimal(_ number: DecimalNumber) -> Reference {
    let words = (0..<8).map { UInt16(truncatingIfNeeded: number.mantissa >> UInt128(16 * $0)) }
    let length = words.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    return object(
      hierarchy: [
        "NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue", "NSObject",
      ],
      [
        "NS.exponent": .integer(Int64(number.exponent)),
        "NS.length": .integer(Int64(length)),
        "NS.negative": .boolean(number.isNegative && length > 0),
        "NS.compact": .boolean(false),
        "NS.mantissa.bo": .integer(1),
        "NS.mantissa": .data(
          words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        ),
      ]
    )
  }

  /// Returns the archive as a binary property list, with the object as its `root`.
  package func archive(root: Reference) -> [UInt8] {
    PropertyList.dictionary([
      "$version": .integer(100_000),
      "$archiver": .string("NSKeyedArchiver"),
      "$top": .dictionary(["root": root.value]),
      "$objects": .array(objects),
    ]).binary
  }

  private mutating func classReference(_ hierarchy: [String]) -> Reference {
    if let known = classes[hierarchy] { return known }
    objects.append(
      .dictionary([
        "$classname": .string(hierarchy.first ?? "NSObject"),
        "$classes": .array(hierarchy.map { .string($0) }),
      ])
    )
    let reference = Reference(index: objects.count - 1)
    classes[hierarchy] = reference
    return reference
  }
}
