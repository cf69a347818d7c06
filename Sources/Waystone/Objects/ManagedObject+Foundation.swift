public import Foundation
internal import ObjectModel
public import StoreMigration

// Values as Foundation has them; all are nil where the object has none.
extension ManagedObject {
  /// Returns the instant of a date attribute.
  ///
  /// - Throws: ``MigrationError`` where the value is no date.
  public func date(forKey key: String) throws -> Date? {
    try timeIntervalSinceReferenceDate(forKey: key).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// Returns the bytes of a binary or transformable attribute.
  ///
  /// - Throws: ``MigrationError`` where the value is of another type.
  public func data(forKey key: String) throws -> Data? { try bytes(forKey: key).map { Data($0) } }

  /// Returns the value of a UUID attribute.
  ///
  /// - Throws: ``MigrationError`` where the value is of another type, or has not 16
  ///   bytes.
  public func uuid(forKey key: String) throws -> UUID? {
    guard let bytes = try bytes(forKey: key) else { return nil }
    guard bytes.count == 16 else { throw mismatch(key, "a UUID") }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Returns the value of a URI attribute.
  ///
  /// - Throws: ``MigrationError`` where the value is no text, or no URL.
  public func url(forKey key: String) throws -> URL? {
    guard let text = try string(forKey: key) else { return nil }
    guard let url = URL(string: text) else { throw mismatch(key, "a URL") }
    return url
  }

  /// Gives a date attribute an instant, or none.
  ///
  /// - Throws: ``MigrationError`` where the model has no such attribute.
  public func set(_ value: Date?, forKey key: String) throws {
    try set(date: value?.timeIntervalSinceReferenceDate, forKey: key)
  }

  /// Gives a binary or transformable attribute bytes, or none.
  ///
  /// - Throws: ``MigrationError`` where the model has no such attribute.
  public func set(_ value: Data?, forKey key: String) throws {
    try set(value.map { Array($0) }, forKey: key)
  }

  /// Gives a UUID attribute a value, or none.
  ///
  /// - Throws: ``MigrationError`` where the model has no such attribute.
  public func set(_ value: UUID?, forKey key: String) throws {
    let bytes = value.map { uuid in withUnsafeBytes(of: uuid.uuid) { Array($0) } }
    try setValue(bytes.map { .scalar(.uuid($0)) } ?? .nothing, forKey: key)
  }

  /// Gives a URI attribute a value, or none.
  ///
  /// - Throws: ``MigrationError`` where the model has no such attribute.
  public func set(_ value: URL?, forKey key: String) throws {
    try setValue(value.map { .scalar(.uri($0.absoluteString)) } ?? .nothing, forKey: key)
  }
}
