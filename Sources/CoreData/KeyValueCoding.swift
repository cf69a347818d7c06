import Foundation

/// The reading of values by keys from an object whose class is not known to be one of managed objects.
///
/// On Apple's platforms every `NSObject` has it; here only managed objects have keys.
public protocol KeyValueCoding: AnyObject {}

extension NSObject: KeyValueCoding {}

extension KeyValueCoding {
  /// Returns the value of a managed object's property.
  ///
  /// An object of another class has no keys, which ends a migration with an error; Apple's Foundation raises
  /// an exception.
  public func value(forKey key: String) -> Any? {
    guard let object = self as? NSManagedObject else {
      PendingError.recordUnsupported("The key \(key) was asked of an object")
      return nil
    }
    return object.value(forKey: key)
  }

  /// Sets the value of a managed object's property, as ``value(forKey:)`` reads it.
  public func setValue(_ value: Any?, forKey key: String) {
    guard let object = self as? NSManagedObject else {
      return PendingError.recordUnsupported("The key \(key) was set of an object")
    }
    object.setValue(value, forKey: key)
  }
}
