import StoreMigration

/// The type of a merge policy, with Core Data's numbers.
public enum NSMergePolicyType: UInt, Sendable {
  /// The save fails.
  case errorMergePolicyType = 0
  /// Values that the store changed count.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// Values that the context changed count.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// The context's objects replace the store's.
  case overwriteMergePolicyType = 3
  /// The store's objects stay.
  case rollbackMergePolicyType = 4
}

/// A treatment of objects that another context saved since they were read.
open class NSMergePolicy: NSObject {
  let rule: MergeRule

  init(_ rule: MergeRule) { self.rule = rule }

  /// Makes a policy of a type.
  public convenience init(merge ty: NSMergePolicyType) {
    switch ty {
    case .errorMergePolicyType: self.init(.error)
    case .mergeByPropertyStoreTrumpMergePolicyType: self.init(.storeTrumps)
    case .mergeByPropertyObjectTrumpMergePolicyType: self.init(.objectTrumps)
    case .overwriteMergePolicyType: self.init(.overwrite)
    case .rollbackMergePolicyType: self.init(.rollback)
    }
  }

  /// The save fails.
  public class var error: NSMergePolicy { NSMergePolicy(.error) }
  /// Values that the store changed count, the others are the context's.
  public class var mergeByPropertyStoreTrump: NSMergePolicy { NSMergePolicy(.storeTrumps) }
  /// Values that the context changed count, the others are the store's.
  public class var mergeByPropertyObjectTrump: NSMergePolicy { NSMergePolicy(.objectTrumps) }
  /// The context's objects replace the store's.
  public class var overwrite: NSMergePolicy { NSMergePolicy(.overwrite) }
  /// The store's objects stay.
  public class var rollback: NSMergePolicy { NSMergePolicy(.rollback) }
}

/// The policy by which the save fails.
public var NSErrorMergePolicy: NSMergePolicy { .error }
/// The policy by which values that the store changed count.
public var NSMergeByPropertyStoreTrumpMergePolicy: NSMergePolicy { .mergeByPropertyStoreTrump }
/// The policy by which values that the context changed count.
public var NSMergeByPropertyObjectTrumpMergePolicy: NSMergePolicy { .mergeByPropertyObjectTrump }
/// The policy by which the context's objects replace the store's.
public var NSOverwriteMergePolicy: NSMergePolicy { .overwrite }
/// The policy by which the store's objects stay.
public var NSRollbackMergePolicy: NSMergePolicy { .rollback }
