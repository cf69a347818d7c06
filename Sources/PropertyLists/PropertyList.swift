/// A value of one of the types that Apple's property lists hold.
///
/// Counterpart of the object graph that `PropertyListSerialization` returns, with the archiver's
/// references (`uid`) and sets, which only the binary form has. The order of a dictionary's keys
/// and of a set's elements carries no meaning and is not kept.
package enum PropertyList: Hashable, Sendable {
  /// The binary form's null object; Apple's writers never write it.
  case null
  /// A truth value, distinct from the numbers 0 and 1.
  case boolean(Bool)
  /// A whole number that fits 64 bits with a sign.
  case integer(Int64)
  /// A whole number above `Int64.max`; smaller ones are always `integer`.
  case unsigned(UInt64)
  /// A floating-point number; those stored in four bytes are widened.
  case real(Double)
  /// A point in time, in seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// Bytes without further meaning.
  case data([UInt8])
  /// Unicode text.
  case string(String)
  /// Values in order.
  case array([PropertyList])
  /// Distinct values without order.
  case set(Set<PropertyList>)
  /// Values by name.
  case dictionary([String: PropertyList])
  /// A keyed archive's reference to one of its objects.
  case uid(UInt64)
}

extension PropertyList {
  /// Returns whether two values are the same by their bits: "not a number" equals itself, zero and
  /// minus zero differ, and so do texts that are composed differently.
  package static func == (left: PropertyList, right: PropertyList) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.real(let left), .real(let right)), (.date(let left), .date(let right)):
      left.bitPattern == right.bitPattern
    case (.data(let left), .data(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)): left == right
    case (.set(let left), .set(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.uid(let left), .uid(let right)): left == right
    default: false
    }
  }
}

extension PropertyList {
  /// Reads a binary property list ("bplist00").
  ///
  /// Equal parts of the input stay shared in memory. An input whose shared parts would expand to
  /// far more values than it has bytes is refused.
  ///
  /// - Throws: `PropertyListError`, for anything that is not a well-formed list.
  /// - Complexity: O(n) time and memory in the number of bytes.
  package init(binary bytes: [UInt8]) throws(PropertyListError) {
    var reader = try BinaryPropertyListReader(bytes)
    self = try reader.root()
  }

  /// Reads a property list in the text form in which Xcode writes `project.pbxproj`.
  ///
  /// - Throws: `PropertyListError`, which names the line, for anything that is not a well-formed list.
  /// - Complexity: O(n) time and memory in the number of bytes.
  package init(text bytes: [UInt8]) throws(PropertyListError) {
    var reader = try TextPropertyListReader(bytes)
    self = try reader.root()
  }

  /// The value as a binary property list: the same bytes for equal values, on every machine.
  ///
  /// - Complexity: O(n log n) in the number of contained values.
  package var binary: [UInt8] { BinaryPropertyListWriter.bytes(of: self) }

  /// The whole number with this value, in the only case that may hold it.
  package init(wholeNumber value: UInt64) {
    self = Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
  }
}

extension PropertyList {
  /// The text, where the value is a string.
  package var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The bytes, where the value is data.
  package var data: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }

  /// The number, where the value is a whole number that fits 64 bits with a sign.
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// The elements, where the value is an array.
  package var array: [PropertyList]? { if case .array(let items) = self { items } else { nil } }

  /// The entries, where the value is a dictionary.
  package var dictionary: [String: PropertyList]? {
    if case .dictionary(let entries) = self { entries } else { nil }
  }

  /// The kind of the value, in words for messages; never the value itself.
  package var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .unsigned: "a whole number"
    case .real: "a real number"
    case .date: "a date"
    case .data: "data"
    case .string: "a string"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    case .uid: "a reference"
    }
  }
}
