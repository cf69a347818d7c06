package import ObjectModel

extension Configuration {
  /// A finding that the user has reviewed and accepts, with the reason.
  package struct Acceptance: Hashable, Sendable {
    /// The code of the finding.
    package var code: FindingCode
    /// The entity, `Entity.property` or the file that the finding is about.
    package var place: String?
    /// The version that the finding is about: as `Model/Version` where several models have one of its name.
    package var version: String?
    /// The change, where the finding states one.
    package var change: String?
    /// The reason why it may pass.
    package var reason: String
    /// The line in the file, from 1.
    package var line: Int

    /// Returns whether the acceptance fits a finding.
    ///
    /// Without a place or version it fits findings of any. Where the finding names a conversion, so
    /// must the acceptance: one of one conversion is none of another. An accepted drop may also be a
    /// suspected rename.
    package func fits(_ finding: Finding) -> Bool {
      fitsPlace(of: finding) && change == finding.change
    }

    /// Returns whether the acceptance fits the finding's place, without regard to the change there.
    func fitsPlace(of finding: Finding) -> Bool {
      guard
        finding.code == code
          || finding.code == .suspectedRename && code.has(.drop)
      else { return false }
      if let version {
        guard let found = finding.place.version,
          found == version || version.hasSuffix("/\(found)")
        else { return false }
      }
      guard let place else { return true }
      return place == finding.place.subject || place == finding.place.file
    }

    /// The code and what it is about, for sentences.
    package var text: String {
      [code.rawValue, place, version, change].compactMap { $0 }.joined(separator: " ")
    }
  }
}
