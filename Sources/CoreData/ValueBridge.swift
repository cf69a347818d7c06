import ObjectModel
import StoreMigration

/// The values of the engine as Foundation's, and back.
struct ValueBridge {
  /// The context whose objects are meant.
  unowned let context: NSManagedObjectContext

  /// Returns a property's value as Foundation has it.
  func value(of object: ManagedObject, forKey key: String) throws -> Any? {
    switch try object.layout.property(key) {
    case .attribute(let slot) where slot.type == .transformable:
      return try object.bytes(forKey: key).map { decoded($0, slot.attribute) }
    case .attribute(let slot):
      guard case .scalar(let scalar) = try object.value(of: slot) else { return nil }
      return Self.foundation(scalar, as: slot.type)
    case .relationship: return foundation(try object.value(forKey: key))
    case .transient where transformable(key, of: object) != nil:
      let attribute = transformable(key, of: object)
      return try object.bytes(forKey: key).flatMap { bytes in
        attribute.flatMap { decoded(bytes, $0) }
      }
    case .composite, .transient, .unreadable:
      return foundation(try object.value(forKey: key), attribute: attribute(key, of: object))
    }
  }

  /// Returns the value that a property had at the last save.
  func committedValue(of object: ManagedObject, forKey key: String) throws -> Any? {
    let attribute = attribute(key, of: object)
    let value = try object.committedValue(forKey: key)
    guard let attribute, attribute.attributeType == .transformable,
      case .scalar(.binary(let bytes)) = value
    else { return foundation(value, attribute: attribute) }
    return decoded(bytes, attribute)
  }

  /// Returns the value at a key path as Foundation has it.
  func value(of object: ManagedObject, forKeyPath keyPath: String) throws -> Any? {
    let keys = keyPath.split(separator: ".").map(String.init)
    let path = ObjectModel.Expression.keyPath(.evaluatedObject, keys)
    return try value(of: path, with: .object(object), context.evaluator)
  }

  /// Returns the value of an expression as Foundation has it; one that ends in a transformable attribute
  /// has that one's object.
  func value(
    of expression: ObjectModel.Expression,
    with operand: ExpressionValue,
    _ evaluator: ExpressionEvaluator
  ) throws -> Any? {
    if case .keyPath(let base, let keys) = expression, let last = keys.last {
      let owner: ObjectModel.Expression =
        keys.count > 1 ? .keyPath(base, Array(keys.dropLast())) : base
      if case .object(let object as ManagedObject) = try evaluator.evaluate(owner, with: operand),
        transformable(last, of: object) != nil
      {
        return try value(of: object, forKey: last)
      }
    }
    return foundation(try evaluator.evaluate(expression, with: operand))
  }

  /// Gives a property a value of Foundation's.
  func set(_ value: Any?, of object: ManagedObject, forKey key: String) throws {
    guard case .attribute(let slot) = try object.layout.property(key) else {
      if let other = (value as? NSManagedObject)?.stored {
        return try object.setValue(.object(other), forKey: key)
      }
      if let attribute = transformable(key, of: object), let value = Self.unwrapped(value) {
        return try object.set(try encoded(value, attribute), forKey: key)
      }
      return try object.setValue(
        try stored(value, attribute(key, of: object)?.attributeType),
        forKey: key
      )
    }
    guard slot.type == .transformable else {
      return try object.setValue(try stored(value, slot.type), of: slot)
    }
    guard let value = Self.unwrapped(value) else {
      return try object.setValue(.nothing, forKey: key)
    }
    try object.set(try encoded(value, slot.attribute), forKey: key)
  }

  /// Returns a value that an expression gives an attribute; of a transformable one, its bytes.
  func stored(_ value: Any?, for attribute: AttributeDescription?) throws -> ExpressionValue {
    guard let attribute, attribute.attributeType == .transformable,
      let value = Self.unwrapped(value)
    else { return try stored(value, attribute?.attributeType) }
    // Bytes that an expression handed over are the store's own.
    if let data = value as? Data { return .scalar(.binary(Array(data))) }
    return .scalar(.binary(try encoded(value, attribute)))
  }

  private func attribute(_ key: String, of object: ManagedObject) -> AttributeDescription? {
    let model =
      context.owns(object) ? context.managedObjectModel : context.other?.managedObjectModel
    return model?.model.property(key, of: object.entity.name)?.property.attribute
  }

  private func transformable(_ key: String, of object: ManagedObject) -> AttributeDescription? {
    attribute(key, of: object).flatMap { $0.attributeType == .transformable ? $0 : nil }
  }
}

// MARK: To Foundation

extension ValueBridge {
  /// Returns a value as Foundation has it.
  ///
  /// - Parameter attribute: The attribute whose value it is, which decides on the kind of number.
  func foundation(_ value: ExpressionValue, attribute: AttributeDescription? = nil) -> Any? {
    switch value {
    case .nothing: nil
    case .scalar(let scalar): Self.foundation(scalar, as: attribute?.attributeType)
    case .object(let object as ManagedObject): context.wrapper(of: object)
    case .object(let composite as CompositeValue):
      composite.elements.compactMapValues { foundation($0) }
    case .object: nil
    case .list(let members):
      isObjects(members)
        ? NSOrderedSet(array: members.compactMap { foundation($0) })
        : NSArray(array: members.map { foundation($0) ?? NSNull() })
    case .set(let members): NSSet(array: members.compactMap { foundation($0) })
    }
  }

  private func isObjects(_ members: [ExpressionValue]) -> Bool {
    members.allSatisfy { if case .object = $0 { true } else { false } }
  }

  /// Returns an attribute's value as Foundation has it.
  static func foundation(_ value: AttributeValue, as type: AttributeType? = nil) -> Any? {
    switch value {
    case .integer(let integer):
      switch type {
      case .integer16: NSNumber(value: Int16(truncatingIfNeeded: integer))
      case .integer32: NSNumber(value: Int32(truncatingIfNeeded: integer))
      case nil, .integer64, .decimal, .double, .float, .boolean, .string, .date, .binary, .uuid,
        .uri, .transformable, .undefined, .objectID, .composite:
        NSNumber(value: integer)
      }
    case .real(let real): type == .float ? NSNumber(value: Float(real)) : NSNumber(value: real)
    case .boolean(let boolean): NSNumber(value: boolean)
    case .decimal(let digits): decimal(digits)
    case .string(let text): text
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .binary(let bytes): Data(bytes)
    case .uuid(let bytes): uuid(bytes)
    case .uri(let text): URL(string: text).flatMap { $0.absoluteString == text ? $0 : nil } ?? text
    }
  }

  private static func uuid(_ bytes: [UInt8]) -> UUID? {
    guard bytes.count == 16 else { return nil }
    var uuid = noUUID
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
    return UUID(uuid: uuid)
  }

  private static let noUUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid

  /// Returns the number that a text spells; such a number as has few digits without reading it as text.
  private static func decimal(_ digits: String) -> NSDecimalNumber {
    if digits == DecimalText.notANumber { return .notANumber }
    var (mantissa, places, isFraction, isNegative) = (UInt64(0), 0, false, false)
    var rest = digits.utf8[...]
    if rest.first == UInt8(ascii: "-") {
      isNegative = true
      rest = rest.dropFirst()
    }
    guard !rest.isEmpty, rest.count <= 19 else {
      return NSDecimalNumber(string: digits, locale: nil)
    }
    for byte in rest {
      switch byte {
      case 0x30...0x39:
        mantissa = mantissa * 10 + UInt64(byte - 0x30)
        if isFraction { places += 1 }
      case UInt8(ascii: ".") where !isFraction: isFraction = true
      default: return NSDecimalNumber(string: digits, locale: nil)
      }
    }
    guard rest.contains(where: { $0 != UInt8(ascii: ".") }) else {
      return NSDecimalNumber(string: digits, locale: nil)
    }
    while places > 0, mantissa.isMultiple(of: 10) {
      mantissa /= 10
      places -= 1
    }
    return NSDecimalNumber(
      mantissa: mantissa,
      exponent: Int16(-places),
      isNegative: isNegative && mantissa > 0
    )
  }
}

// MARK: From Foundation

extension ValueBridge {
  /// Returns a value of Foundation's as the engine has it.
  ///
  /// - Throws: ``MigrationError`` for a value of a kind that no property has.
  func stored(_ value: Any?, _ type: AttributeType? = nil) throws -> ExpressionValue {
    if let value, let scalar = Self.plain(value, as: type) { return .scalar(scalar) }
    guard let value = Self.unwrapped(value) else { return .nothing }
    if let scalar = Self.scalar(value, as: type) { return .scalar(scalar) }
    switch value {
    case let object as NSManagedObject:
      guard let stored = object.stored else {
        throw Self.unfit("an object of \(object.entity.name ?? "") that is in no context")
      }
      return .object(stored)
    case let id as NSManagedObjectID: return .object(try row(of: id))
    case let members as NSOrderedSet: return .list(try members.map { try stored($0) })
    case let members as NSSet: return .set(try members.map { try stored($0) })
    case let members as NSArray: return .list(try members.map { try stored($0) })
    case let elements as [String: Any]:
      return .object(CompositeValue(try elements.mapValues { try stored($0) }))
    default: throw Self.unfit("a value of the type \(Swift.type(of: value))")
    }
  }

  /// Returns the engine's object of an identifier.
  private func row(of id: NSManagedObjectID) throws -> ManagedObject {
    if let known = id.stored, let object = try context.stored.object(with: known) { return object }
    throw Self.unfit("the identifier of an object that is not in the context")
  }

  private static func unfit(_ value: String) -> MigrationError {
    MigrationError(
      .failed,
      "A property was set to \(value).",
      recovery: "Give a value of a type that Core Data stores, or objects of the context."
    )
  }

  /// Returns the value in all optionals around it; nil for none, and for `NSNull`.
  static func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    if value is NSNull { return nil }
    guard let optional = value as? any Unwrappable else { return value }
    return unwrapped(optional.content)
  }

  /// Gives an attribute a value of one of Swift's own types.
  ///
  /// - Returns: Whether it was such an attribute and such a value.
  static func setPlain(_ value: Any?, of object: ManagedObject, forKey key: String) throws -> Bool {
    guard let value, case .attribute(let slot) = try object.layout.property(key),
      slot.type != .transformable, let scalar = plain(value, as: slot.type)
    else { return false }
    try object.setValue(.scalar(scalar), of: slot)
    return true
  }

  /// Returns the attribute's value that a value of one of Swift's own types is, as ``scalar(_:as:)`` does; nil
  /// for all others, whose conversions take longer.
  private static func plain(_ value: Any, as type: AttributeType?) -> AttributeValue? {
    let kind = Swift.type(of: value)
    if kind == String.self, let text = value as? String {
      return type == .uri ? .uri(text) : .string(text)
    }
    if kind == Bool.self, let flag = value as? Bool { return .boolean(flag) }
    if kind == Date.self, let date = value as? Date {
      return .date(date.timeIntervalSinceReferenceDate)
    }
    if kind == Data.self, let data = value as? Data {
      return .binary(data.withUnsafeBytes { Array($0) })
    }
    if kind == UUID.self, let uuid = value as? UUID {
      return .uuid(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    }
    guard type != .date else { return nil }
    if kind == Int.self, let number = value as? Int { return .integer(Int64(number)) }
    if kind == Int64.self, let number = value as? Int64 { return .integer(number) }
    if kind == Int32.self, let number = value as? Int32 { return .integer(Int64(number)) }
    if kind == Int16.self, let number = value as? Int16 { return .integer(Int64(number)) }
    if kind == Double.self, let number = value as? Double { return .real(number) }
    if kind == NSNumber.self, let number = value as? NSNumber { return numeric(number, as: type) }
    guard type == .decimal, kind == NSDecimalNumber.self, let decimal = value as? NSDecimalNumber
    else { return nil }
    // The digits of one with a fraction are written out, which takes longer than all else.
    let whole = decimal.int64Value
    let isWhole = abs(decimal.doubleValue) < 0x1p53 && decimal.doubleValue == Double(whole)
    return isWhole && decimal.decimalValue.exponent >= 0 ? .integer(whole) : nil
  }

  /// Returns the attribute's value that a value of Foundation's is; nil for objects and collections.
  static func scalar(_ value: Any, as type: AttributeType? = nil) -> AttributeValue? {
    switch value {
    case let text as String: type == .uri ? .uri(text) : .string(text)
    case let decimal as NSDecimalNumber: .decimal(decimal.description)
    case let decimal as Decimal: .decimal(decimal.description)
    case let boolean as Bool where Swift.type(of: value) == Bool.self: .boolean(boolean)
    case let number as NSNumber:
      type == .date ? .date(number.doubleValue) : numeric(number, as: type)
    case let date as Date: .date(date.timeIntervalSinceReferenceDate)
    case let data as Data: .binary(Array(data))
    case let uuid as UUID: .uuid(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case let url as URL: .uri(url.absoluteString)
    default: nil
    }
  }

  private static func numeric(_ number: NSNumber, as type: AttributeType?) -> AttributeValue {
    switch String(cString: number.objCType) {
    case "d", "f": return .real(number.doubleValue)
    case "Q":
      let value = number.uint64Value
      return Int64(exactly: value).map { .integer($0) } ?? .decimal("\(value)")
    // A Boolean as number, and a small number, have one type on Linux.
    case "B", "c":
      return type == .boolean ? .boolean(number.boolValue) : .integer(number.int64Value)
    default: return .integer(number.int64Value)
    }
  }
}

/// An optional value of any type.
private protocol Unwrappable {
  /// The value; nil for none.
  var content: Any? { get }
}

extension Optional: Unwrappable {
  var content: Any? { map { $0 as Any } }
}

// MARK: Transformable attributes

/// The bytes of a transformable attribute whose transformer is not registered.
///
/// It can be given to another attribute of the same transformer, and has no values of its own.
public final class NSTransformedBytes: NSObject {
  /// The bytes as the store has them.
  public let data: Data
  let transformerName: String

  init(_ bytes: [UInt8], _ transformerName: String) {
    data = Data(bytes)
    self.transformerName = transformerName
  }
}

extension ValueBridge {
  private func name(_ attribute: AttributeDescription) -> String {
    attribute.valueTransformerName ?? "NSSecureUnarchiveFromData"
  }

  private func decoded(_ bytes: [UInt8], _ attribute: AttributeDescription) -> Any {
    let name = name(attribute)
    if let transformer = ValueTransformer.registered(name) {
      return transformer.object(ofStored: Data(bytes)) ?? NSTransformedBytes(bytes, name)
    }
    guard SecureUnarchiveFromDataTransformer.names.contains(name),
      let value = try? SecureUnarchiveFromDataTransformer().value(of: bytes)
    else { return NSTransformedBytes(bytes, name) }
    return Self.foundation(value)
  }

  private func encoded(_ value: Any, _ attribute: AttributeDescription) throws -> [UInt8] {
    let name = name(attribute)
    if let bytes = value as? NSTransformedBytes, bytes.transformerName == name {
      return Array(bytes.data)
    }
    if let transformer = ValueTransformer.registered(name) {
      if let data = transformer.stored(value) { return Array(data) }
    } else if SecureUnarchiveFromDataTransformer.names.contains(name),
      let list = Self.propertyList(value)
    {
      return try SecureUnarchiveFromDataTransformer().bytes(of: list)
    }
    throw MigrationError(
      .failed,
      "A transformable attribute was set to a value that \(name) makes no bytes of.",
      recovery: "Register a ValueTransformer under that name before the migration."
    )
  }

  static func foundation(_ value: PropertyListValue) -> Any {
    switch value {
    case .string(let text): text
    case .integer(let integer): NSNumber(value: integer)
    case .real(let real): NSNumber(value: real)
    case .boolean(let boolean): NSNumber(value: boolean)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let bytes): Data(bytes)
    case .array(let members): members.map { foundation($0) }
    case .dictionary(let members): members.mapValues { foundation($0) }
    }
  }

  static func propertyList(_ value: Any) -> PropertyListValue? {
    switch scalar(value) {
    case .string(let text): return .string(text)
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(real)
    case .boolean(let boolean): return .boolean(boolean)
    case .date(let seconds): return .date(seconds)
    case .binary(let bytes): return .data(bytes)
    case .decimal, .uuid, .uri: return nil
    case nil: break
    }
    if let members = value as? [Any] {
      let list = members.compactMap { propertyList($0) }
      return list.count == members.count ? .array(list) : nil
    }
    guard let members = value as? [String: Any] else { return nil }
    let list = members.compactMapValues { propertyList($0) }
    return list.count == members.count ? .dictionary(list) : nil
  }
}
