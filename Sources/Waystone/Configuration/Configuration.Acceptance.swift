package import ObjectModel

extension Configuration {
  /// A finding that somebody has looked at and lets pass, with the reason.
  package struct Acceptance: Hashable, Sendable {
    /// Which rule speaks.
    package var code: FindingCode
    /// The entity, `Entity.property` or the file that the finding is about.
    package var place: String?
    /// The version that the finding is about, by its own name or as `Model/Version`.
    package var version: String?
    /// Why it may pass.
    package var reason: String
    /// The line in the file, from 1.
    package var line: Int

    /// Whether a finding is the one that is meant.
    ///
    /// What the acceptance does not say, the finding may have in any form. Who accepts a drop accepts
    /// it whatever else is new.
    package func fits(_ finding: Finding) -> Bool {
      guard
        finding.code == code
          || finding.code == .suspectedRename && FindingCode.drops.contains(code)
      else { return false }
      if let version {
        guard let found = finding.place.version,
          found == version || found.hasSuffix("/\(version)") || version.hasSuffix("/\(found)")
        else { return false }
      }
      guard let place else { return true }
      return place == finding.place.subject || place == finding.place.file
    }

    /// The code and what it is about, for sentences.
    package var text: String {
      [code.rawValue, place, version].compactMap { $0 }.joined(separator: " ")
    }
  }
}
