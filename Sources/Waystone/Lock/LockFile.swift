package import ObjectModel

/// The content of a project's `waystone.lock`: the shipped versions as they were when they were locked.
///
/// Each line is a JSON object that is complete by itself:
///
///     {"schema":"waystone.lock/1","note":"…"}
///     {"digest":"5d0c…","entity":{"hash":"…","name":"Letter","properties":[…],…}}
///     {"digest":"8e21…","version":{"after":["v1"],"checksum":"…=","entities":["5d0c…","77ab…"],…}}
///
/// The shape of an entity is written once, however many versions share it; a version names its entities
/// by the digests of their lines, and the versions it follows. So a merge of two files is the union of
/// their lines. A line that was edited no longer has its digest; one that was lost is missed.
package struct LockFile: Hashable, Sendable {
  /// The name of the file.
  package static let fileName = "waystone.lock"

  /// The largest file that is read, in bytes.
  package static let limit = 32 << 20

  /// A version as it was locked.
  package struct Version: Hashable, Sendable {
    /// The model's name.
    package var modelName: String
    /// The version's own name.
    package var name: String
    /// The checksum that Core Data gives to the version.
    package var checksum: String
    /// The names of the locked versions that it follows; none for the first.
    package var after: [String]
    /// The digest of the version's facts beside its entities.
    package var remainder: String
    /// The entities, in byte order of their names.
    package var entities: [EntityOutline]
    /// The reasons that users gave for locking it again.
    package var reasons: [String] = []
    /// Whether the version was given up: no store of it is expected any more.
    package var isRemoved = false
    /// The line in the file, from 1; 0 where it is not from a file.
    package var line = 0

    /// `Model/Version`.
    package var qualifiedName: String { "\(modelName)/\(name)" }

    /// Returns whether two state the same of a version, without regard to their places and reasons.
    package func isSame(as other: Version) -> Bool {
      var first = self
      var second = other
      (first.line, first.reasons) = (0, [])
      (second.line, second.reasons) = (0, [])
      return first == second
    }
  }

  /// The versions, by model and in the natural order of their names.
  package private(set) var versions: [Version]

  /// A file of some versions.
  package init(versions: [Version]) {
    self.versions = versions.sorted { first, second in
      first.modelName == second.modelName
        ? NaturalOrder.precedes(first.name, second.name)
        : ByteOrder.precedes(first.modelName, second.modelName)
    }
  }

  /// A version by its qualified name.
  package subscript(qualifiedName: String) -> Version? {
    versions.first { $0.qualifiedName == qualifiedName }
  }
}

extension LockFile.Version {
  /// A version as it is now.
  ///
  /// - Parameter after: The names of the locked versions that it follows, qualified where they are of another
  ///   model.
  package init(_ version: ModelVersion, after: [String]) {
    self.init(
      modelName: version.ownModelName,
      name: version.name,
      checksum: version.model.versionChecksum,
      after: after,
      remainder: version.model.remainder,
      entities: version.model.entityOutlines
    )
  }
}
