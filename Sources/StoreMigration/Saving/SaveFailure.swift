package import ObjectModel

/// The reason why the changes of an opened store's context were not saved; the file is as it was.
package struct SaveFailure: Error, Sendable {
  /// A rule that an object breaks.
  package struct BrokenRule: Hashable, Sendable {
    /// The objects, of many the first ones.
    package var objects: [ManagedObjectID]
    /// The property.
    package var property: String
    /// The kind of the rule.
    package var code: FindingCode
    /// The sentence's end, such as “lack a value that is required”.
    package var message: String
  }

  /// A reason.
  package enum Reason: Sendable {
    /// Objects break rules of the model.
    case invalid([BrokenRule])
    /// Another context saved these objects since this one read them.
    case conflict([ManagedObjectID])
    /// Values that must be unique are not, or a row of the store is in the way.
    case constraint(String)
    /// The delete rule of a relationship denies the deletion of an object.
    case denied(ManagedObjectID, property: String)
    /// Another process kept the store locked for longer than was waited.
    case busy
  }

  /// The reason.
  package let reason: Reason

  init(_ reason: Reason) { self.reason = reason }
}

/// The treatment of objects that another context saved since they were read, as Core Data's merge policies.
package enum MergeRule: Sendable {
  /// The save fails.
  case error
  /// Values that the store changed count, the others are this context's.
  case storeTrumps
  /// Values that this context changed count, the others are the store's.
  case objectTrumps
  /// The object of this context replaces the store's.
  case overwrite
  /// The store's object stays.
  case rollback
}
