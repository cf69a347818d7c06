/// A row of an app's object whose values are not in memory.
package struct UnreadRow {
  /// The primary key.
  package let key: Int64
  /// The number of saves, and two bits for the flags.
  private let state: Int64

  /// The greatest number of saves that fits; a row that was saved more often counts as saved by others since.
  private static let greatestVersion = Int64.max >> 2

  /// Makes the row of a key.
  ///
  /// - Parameters:
  ///   - version: The number of saves that the row had when it was read; negative where that is not known.
  ///   - isSeen: Whether code asked for values, which are of that version.
  ///   - isAwake: Whether `awakeFromFetch` was called for the object.
  package init(_ key: Int64, version: Int64, isSeen: Bool = false, isAwake: Bool = false) {
    self.key = key
    state = min(max(-1, version), Self.greatestVersion) << 2 | (isSeen ? 2 : 0) | (isAwake ? 1 : 0)
  }

  /// The number of saves that the row had when it was read; negative where that is not known.
  package var version: Int64 { state >> 2 }
  /// Whether code asked for values, which are of that version.
  package var isSeen: Bool { state & 2 != 0 }
  /// Whether `awakeFromFetch` was called for the object.
  package var isAwake: Bool { state & 1 != 0 }

  /// The row as a refresh leaves it: the next reading begins anew.
  package var forgotten: UnreadRow { UnreadRow(key, version: -1, isAwake: isAwake) }
}

/// The app's objects that have the keys of their rows, and no values.
///
/// A context has an object of its own for such a row only while its values are used.
package protocol UnreadObjects: AnyObject {
  /// Returns the state of the app's object of a row; nil where the app has none, or one with values.
  func row(_ key: Int64, ofTable table: Int) -> UnreadRow?
  /// Lets go of a context's object of a row, unless it has more than the row.
  func letGo(_ object: ManagedObject)
  /// Lets go of all such objects of a context, and of their own that no code holds.
  ///
  /// - Returns: The number of their own that are left.
  func letGo(in context: ManagedObjectContext) -> Int
  /// Forgets the numbers of saves of the rows, which are read anew.
  func forgetVersions()
}

extension EntityLayout {
  /// Returns the object of a row without asking the store; where the context is gone, one without values.
  package func object(key: Int64) -> ManagedObject {
    context?.fault(self, key) ?? ManagedObject(self, key: key, values: [], status: .stored)
  }

  /// Returns the object of a row that the context has.
  package func known(key: Int64) -> ManagedObject? { context?.known(self, key) }
}

extension ManagedObjectContext {
  /// Returns the object of a row that the context has and a fetch found, with the number of saves of the row.
  package func known(_ layout: EntityLayout, _ key: Int64, refetched version: Int64)
    -> ManagedObject?
  {
    guard let object = known(layout, key) else { return nil }
    if object.unsaved == nil, object.values.isEmpty || object.readAlong != 0 {
      object.refetch(version)
    }
    return object
  }

  /// The number of tables with rows of objects.
  package var tableCount: Int { objects.count }

  /// Returns whether an object has changes that are not saved, values that no store keeps included.
  package func hasChanges(of object: ManagedObject) -> Bool {
    object.unsaved != nil || changedInMemory[ObjectIdentifier(object)] != nil
  }

  /// Returns whether an object knows more of its row than a key, such as the links that code has seen, and the
  /// app has an object of the row.
  func isNeeded(_ object: ManagedObject, inTable table: Int) -> Bool {
    object.unread(isAwake: true) == nil
      && unreadObjects?.row(object.key, ofTable: table) != nil
  }

  /// Lets go of objects with these keys that nothing but the context holds.
  func letGo(of keys: [Int64], inTable table: Int) {
    for key in keys {
      guard let place = objects[table].index(forKey: key) else { continue }
      let isSpare = objects[table].values[place].unread(isAwake: true) != nil
      unreadObjects?.letGo(objects[table].values[place])
      if isSpare, isKnownUniquelyReferenced(&objects[table].values[place]) {
        objects[table].remove(at: place)
      }
    }
  }
}
