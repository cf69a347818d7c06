import StoreMigration
import Synchronization

/// The name of a transformer, by which models mention it.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The text.
  public let rawValue: String

  /// A name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The transformer that Core Data takes where a model names none.
  public static let secureUnarchiveFromDataTransformerName = Self(
    rawValue: "NSSecureUnarchiveFromData"
  )
}

/// A transformer of a transformable attribute's objects into bytes and back, as Foundation has it on
/// Apple's platforms.
open class ValueTransformer: NSObject {
  private static let types = Mutex<[NSValueTransformerName: ValueTransformer.Type]>([:])

  /// A transformer.
  override public required init() {}

  /// Registers a transformer under the name that models mention.
  ///
  /// Another one of its class does its work, on the thread that asks: transformers have no state here.
  public class func setValueTransformer(
    _ transformer: ValueTransformer?,
    forName name: NSValueTransformerName
  ) {
    let type = transformer.map { Swift.type(of: $0) }
    types.withLock { $0[name] = type }
  }

  /// Returns the transformer of a name; nil where none is registered.
  static func registered(_ name: String) -> ValueTransformer? {
    types.withLock { $0[NSValueTransformerName(name)] }?.init()
  }

  /// Returns the names of all transformers.
  public class func valueTransformerNames() -> [NSValueTransformerName] {
    types.withLock { Array($0.keys) }
  }

  /// Returns the class of the transformed values.
  open class func transformedValueClass() -> AnyClass { NSData.self }

  /// Returns whether the transformation can be reversed.
  open class func allowsReverseTransformation() -> Bool { true }

  /// Returns the bytes of an object.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// Returns the object of bytes.
  open func reverseTransformedValue(_ value: Any?) -> Any? { value }
}

extension ValueTransformer {
  /// Returns the object of a stored value.
  func object(ofStored data: Data) -> Any? {
    self is NSSecureUnarchiveFromDataTransformer
      ? transformedValue(data) : reverseTransformedValue(data)
  }

  /// Returns the stored value of an object; nil where the transformer makes none.
  func stored(_ object: Any) -> Data? {
    let value =
      self is NSSecureUnarchiveFromDataTransformer
      ? reverseTransformedValue(object) : transformedValue(object)
    return value as? Data
  }
}

/// A transformer of keyed archives, from which apps derive their own.
///
/// Core Data uses it the other way round: `transformedValue(_:)` makes an object of bytes. Property lists are read
/// and written; archives of other objects are read, where Linux has the class and it is among those allowed. Such
/// objects are not written: the archive would have the names that classes have on Linux, which the app does not
/// know.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes whose objects may be the archived one.
  open class var allowedTopLevelClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
      NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]
  }

  override open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Returns the object in an archive; nil where it is none of an allowed class.
  override open func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    if let list = try? SecureUnarchiveFromDataTransformer().value(of: Array(data)) {
      return ValueBridge.foundation(list)
    }
    return try? NSKeyedUnarchiver.unarchivedObject(
      ofClasses: type(of: self).allowedTopLevelClasses,
      from: data
    )
  }

  /// Returns the archive of a property list; nil for other objects.
  override open func reverseTransformedValue(_ value: Any?) -> Any? {
    value.flatMap { ValueBridge.propertyList($0) }
      .flatMap { try? SecureUnarchiveFromDataTransformer().bytes(of: $0) }.map { Data($0) }
  }
}
