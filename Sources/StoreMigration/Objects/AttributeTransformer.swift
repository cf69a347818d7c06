/// A transformer of the bytes that stores keep of a transformable attribute into an object, and back.
///
/// It is the counterpart of `ValueTransformer`, whose name Foundation has. It is registered under the name
/// that the model gives the attribute (``MigrationOptions/register(transformer:forName:)``), and asked where
/// a policy or a handler reads or writes the attribute's object
/// (``ManagedObject/transformedValue(forKey:as:)``). Values that are only carried are never transformed.
public protocol AttributeTransformer<Value>: Sendable {
  /// The type of the decoded object.
  associatedtype Value

  /// Decodes an object from bytes.
  /// - Throws: Any error where the bytes are not valid. The caller gets a ``MigrationError`` in its
  ///   place that names entity and attribute: a message with a part of the bytes would leak values.
  func value(of bytes: [UInt8]) throws -> Value

  /// Encodes an object as bytes.
  /// - Throws: Any error where it cannot be encoded.
  func bytes(of value: Value) throws -> [UInt8]
}
