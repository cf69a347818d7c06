/// The value of a key of an archived object, or an element of an archived collection.
package enum ArchivedValue: Hashable, Sendable {
  /// A value that the archiver stores without a class: text, data, numbers and truth values.
  case plain(PropertyList)
  /// An instance of a class.
  case object(ArchivedObject)

  /// The kind of the value, in words for messages; never the value itself.
  package var kind: String {
    switch self {
    case .plain(let list): list.kind
    case .object(let object): "an object of class \(object.className)"
    }
  }

  /// The object, where the value is one.
  package var object: ArchivedObject? {
    if case .object(let object) = self { object } else { nil }
  }

  private var plain: PropertyList? { if case .plain(let list) = self { list } else { nil } }
}

// The forms in which Foundation's classes archive themselves, measured on compiled models and
// stores of public apps; `NS.bytes` is how strings that are not plain text were archived of old.
extension ArchivedValue {
  /// The text of a string, mutable or not.
  package var string: String? {
    switch self {
    case .plain(let list): return list.string
    case .object(let object) where object.isKind(of: "NSString"):
      if let text = object.stored("NS.string")?.string { return text }
      return object.stored("NS.bytes")?.data.flatMap { String(validating: $0, as: UTF8.self) }
    case .object: return nil
    }
  }

  /// The whole number, of a number that is one.
  package var integer: Int64? { plain?.integer }

  /// The truth value of a boolean, or of the numbers 0 and 1.
  package var boolean: Bool? {
    switch plain {
    case .boolean(let flag): flag
    case .integer(0): false
    case .integer(1): true
    default: nil
    }
  }

  /// The number, whole or not.
  package var real: Double? {
    switch plain {
    case .real(let number): number
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    default: nil
    }
  }

  /// Seconds since 2001-01-01 00:00 UTC, of an `NSDate`.
  package var date: Double? {
    switch self {
    case .plain(.date(let seconds)): return seconds
    case .object(let object) where object.isKind(of: "NSDate"):
      return object["NS.time"]?.real
    default: return nil
    }
  }

  /// The bytes of an `NSData`, mutable or not.
  package var data: [UInt8]? {
    switch self {
    case .plain(let list): return list.data
    case .object(let object) where object.isKind(of: "NSData"):
      return object["NS.data"]?.data ?? object["NS.bytes"]?.data
    case .object: return nil
    }
  }

  /// The 16 bytes of an `NSUUID`.
  package var uuid: [UInt8]? {
    guard let object, object.isKind(of: "NSUUID"), let bytes = object["NS.uuidbytes"]?.data,
      bytes.count == 16
    else { return nil }
    return bytes
  }

  /// The text of an `NSURL` without a base.
  package var url: String? {
    guard let object, object.isKind(of: "NSURL"), object["NS.base"] == nil else { return nil }
    return object["NS.relative"]?.string
  }

  /// The number of an `NSDecimalNumber`.
  package var decimal: DecimalNumber? {
    guard let object, object.isKind(of: "NSDecimalNumber") else { return nil }
    return DecimalNumber(object)
  }

  /// Whether the value is `NSNull`, the object that means no value.
  package var isNull: Bool { object?.isKind(of: "NSNull") ?? false }
}

// Collections. Their elements are never nil: Foundation's cannot hold it.
extension ArchivedValue {
  /// The elements of an array, a set or an ordered set, in archived order.
  package var elements: [ArchivedValue]? {
    guard let object, !object.archive.isExhausted,
      ["NSArray", "NSSet", "NSOrderedSet"].contains(where: { object.isKind(of: $0) })
    else { return nil }
    if object.stored("NS.objects") != nil { return object.resolved("NS.objects") }
    // An ordered set numbers its elements instead.
    let items: [ArchivedValue] = (0..<object.keys.count).compactMap { object["NS.object.\($0)"] }
    return items.count == object.keys.count ? items : nil
  }

  /// The entries of a dictionary whose keys are strings, in archived order.
  ///
  /// `NSKnownKeysDictionary1` keeps its keys in a mapping strategy, and a token for absent values.
  package var entries: [(key: String, value: ArchivedValue)]? {
    guard let pairs else { return nil }
    var result: [(key: String, value: ArchivedValue)] = []
    result.reserveCapacity(pairs.count)
    for (key, value) in pairs {
      guard let name = key.string else { return nil }
      result.append((name, value))
    }
    return result
  }

  /// The entries of a dictionary, in archived order.
  package var pairs: [(key: ArchivedValue, value: ArchivedValue)]? {
    guard let object, object.isKind(of: "NSDictionary") else { return nil }
    guard object.className.hasPrefix("NSKnownKeysDictionary") else {
      guard let keys = object.resolved("NS.keys"), let values = object.resolved("NS.objects"),
        keys.count == values.count
      else { return nil }
      return Array(zip(keys, values)).map { (key: $0.0, value: $0.1) }
    }
    guard let keys = object["searchMapping"]?.object?["keys"]?.elements,
      let values = object["values"]?.elements, keys.count == values.count
    else { return nil }
    let token = object["emptyToken"]
    return Array(zip(keys, values)).filter { token == nil || $0.1 != token }.map {
      (key: $0.0, value: $0.1)
    }
  }
}

extension ArchivedObject {
  /// Returns the objects to which the stored list of references leads; nil where it is none or has a nil.
  fileprivate func resolved(_ key: String) -> [ArchivedValue]? {
    // A list that is not followed must not cost memory either.
    guard !archive.isExhausted, let references = stored(key)?.array else { return nil }
    var values: [ArchivedValue] = []
    values.reserveCapacity(references.count)
    for reference in references {
      guard let value = archive.resolve(reference) else { return nil }
      values.append(value)
    }
    return values
  }
}
