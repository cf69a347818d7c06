package import ObjectModel
package import PropertyLists

/// The metadata of a store: the row of `Z_METADATA`.
///
/// Counterpart of the dictionary of `NSPersistentStoreCoordinator.metadataForPersistentStore`.
package struct StoreMetadata: Hashable, Sendable {
  /// `Z_UUID` (`NSStoreUUID`), part of every object's URI.
  package var uuid: String
  /// The hash of each entity, abstract ones included (`NSStoreModelVersionHashes`).
  package var versionHashes: [String: VersionHash]
  /// The rules the hashes follow: 3 (`NSStoreModelVersionHashesVersion`).
  package var versionHashesVersion: Int64?
  /// The model's identifiers, which real apps forget to change (`NSStoreModelVersionIdentifiers`).
  package var versionIdentifiers: [String]
  /// The digest of all hashes with their names (`NSStoreModelVersionHashesDigest`).
  package var versionHashesDigest: String?
  /// The checksum of all hashes (`NSStoreModelVersionChecksumKey`).
  package var versionChecksum: String?
  /// The Core Data that wrote last (`NSPersistenceFrameworkVersion`).
  package var frameworkVersion: Int64?
  /// The newest Core Data that ever wrote (`NSPersistenceMaximumFrameworkVersion`).
  package var maximumFrameworkVersion: Int64?
  /// "2" in every store measured: incremental (`_NSAutoVacuumLevel`).
  package var autoVacuumLevel: String?
  /// Every other key, and known keys that hold something unexpected, to be copied through.
  package var others: [String: PropertyList]

  package init(
    uuid: String,
    versionHashes: [String: VersionHash],
    versionHashesVersion: Int64? = 3,
    versionIdentifiers: [String] = [""],
    versionHashesDigest: String? = nil,
    versionChecksum: String? = nil,
    frameworkVersion: Int64? = nil,
    maximumFrameworkVersion: Int64? = nil,
    autoVacuumLevel: String? = "2",
    others: [String: PropertyList] = ["NSStoreType": .string("SQLite")]
  ) {
    self.uuid = uuid
    self.versionHashes = versionHashes
    self.versionHashesVersion = versionHashesVersion
    self.versionIdentifiers = versionIdentifiers
    self.versionHashesDigest = versionHashesDigest
    self.versionChecksum = versionChecksum
    self.frameworkVersion = frameworkVersion
    self.maximumFrameworkVersion = maximumFrameworkVersion
    self.autoVacuumLevel = autoVacuumLevel
    self.others = others
  }
}

extension StoreMetadata {
  private static let guessedNames = "WaystoneGuessedNames"

  /// Whether the store was made up, and has names of join tables that its model does not settle: it settles
  /// none of another store.
  package var hasGuessedNames: Bool {
    get { others[Self.guessedNames] != nil }
    set { others[Self.guessedNames] = newValue ? .boolean(true) : nil }
  }

  /// Returns why the store cannot settle names of another one; nil where it can.
  package func guessRefusal(shownAs path: String) -> (message: String, recovery: String)? {
    guard hasGuessedNames else { return nil }
    return (
      "\(path) was written by `waystone generate`: the names of its join tables are guesses.",
      "Give a store that Core Data made at that version."
    )
  }

  enum Key {
    static let versionHashes = "NSStoreModelVersionHashes"
    static let versionHashesVersion = "NSStoreModelVersionHashesVersion"
    static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
    static let versionHashesDigest = "NSStoreModelVersionHashesDigest"
    static let versionChecksum = "NSStoreModelVersionChecksumKey"
    static let frameworkVersion = "NSPersistenceFrameworkVersion"
    static let maximumFrameworkVersion = "NSPersistenceMaximumFrameworkVersion"
    static let autoVacuumLevel = "_NSAutoVacuumLevel"
  }

  /// Reads the bytes of `Z_PLIST`.
  ///
  /// - Parameter path: Named in errors.
  /// - Throws: ``StoreAccessError``, `damaged`: not a dictionary, or no version hashes of 32 bytes.
  package init(uuid: String, binary: [UInt8], path: String) throws(StoreAccessError) {
    let list: PropertyList
    do throws(PropertyListError) {
      list = try PropertyList(binary: binary)
    } catch {
      throw StoreAccessError(
        code: .damaged,
        message: "The metadata of \(path) cannot be read: \(error.message)",
        cause: .propertyList(error)
      )
    }
    try self.init(uuid: uuid, list, path: path)
  }

  /// Reads the dictionary that a store of any kind keeps.
  ///
  /// - Parameter path: Named in errors.
  /// - Throws: As ``init(uuid:binary:path:)``.
  init(uuid: String, _ list: PropertyList, path: String) throws(StoreAccessError) {
    guard var entries = list.dictionary else {
      throw StoreAccessError(
        code: .damaged,
        message: "The metadata of \(path) is \(list.kind), not a dictionary"
      )
    }
    guard let hashes = entries.removeValue(forKey: Key.versionHashes)?.dictionary else {
      throw StoreAccessError(
        code: .damaged,
        message: "The metadata of \(path) has no \(Key.versionHashes)"
      )
    }
    var versionHashes: [String: VersionHash] = [:]
    for (name, value) in hashes {
      guard let hash = value.data.flatMap({ VersionHash($0) }) else {
        throw StoreAccessError(
          code: .damaged,
          message: "The version hash of \(name) in the metadata of \(path) is not 32 bytes"
        )
      }
      versionHashes[name] = hash
    }
    /// Takes a value out where it is of the type expected, and else leaves it among the others.
    func take<Value>(_ key: String, _ read: (PropertyList) -> Value?) -> Value? {
      guard let value = entries[key].flatMap(read) else { return nil }
      entries[key] = nil
      return value
    }
    let identifiers = take(Key.versionIdentifiers) { list -> [String]? in
      guard let array = list.array else { return nil }
      let strings = array.compactMap(\.string)
      return strings.count == array.count ? strings : nil
    }
    self.init(
      uuid: uuid,
      versionHashes: versionHashes,
      versionHashesVersion: take(Key.versionHashesVersion, \.integer),
      versionIdentifiers: identifiers ?? [],
      versionHashesDigest: take(Key.versionHashesDigest, \.string),
      versionChecksum: take(Key.versionChecksum, \.string),
      frameworkVersion: take(Key.frameworkVersion, \.integer),
      maximumFrameworkVersion: take(Key.maximumFrameworkVersion, \.integer),
      autoVacuumLevel: take(Key.autoVacuumLevel, \.string),
      others: [:]
    )
    others = entries
  }

  /// The dictionary that `Z_PLIST` holds.
  package var propertyList: PropertyList {
    var entries = others
    entries[Key.versionHashes] = .dictionary(versionHashes.mapValues { .data($0.bytes) })
    if entries[Key.versionIdentifiers] == nil {
      entries[Key.versionIdentifiers] = .array(versionIdentifiers.map { .string($0) })
    }
    let texts = [
      Key.versionHashesDigest: versionHashesDigest, Key.versionChecksum: versionChecksum,
      Key.autoVacuumLevel: autoVacuumLevel,
    ]
    for case (let key, let text?) in texts { entries[key] = .string(text) }
    let numbers = [
      Key.versionHashesVersion: versionHashesVersion, Key.frameworkVersion: frameworkVersion,
      Key.maximumFrameworkVersion: maximumFrameworkVersion,
    ]
    for case (let key, let number?) in numbers { entries[key] = .integer(number) }
    return .dictionary(entries)
  }

  /// The bytes for `Z_PLIST`: a binary property list.
  package var binary: [UInt8] { propertyList.binary }
}
