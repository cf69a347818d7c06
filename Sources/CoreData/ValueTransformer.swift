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
  /// Another one of its class does its work, as transformers have no state.
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
