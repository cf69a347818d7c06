internal import ObjectModel

/// The key of findings that have the same text on one subject in several versions.
private struct SharedFinding: Hashable {
  let code: FindingCode
  let severity: Finding.Severity
  let subject: String
  let message: String
  let advice: Finding.Advice
}

extension [Finding] {
  /// The findings, with those that have the same text on one subject in several versions merged.
  ///
  /// - Complexity: O(*n*) in the findings.
  var mergedOverVersions: [Finding] {
    var places: [SharedFinding: Int] = [:]
    var merged: [(finding: Finding, versions: [String])] = []
    // The words for the version in the texts of several.
    let each = "each of these versions"
    for finding in self {
      guard let version = finding.place.version,
        let subject = finding.place.subject ?? (finding.code.has(.appOutcome) ? "" : nil)
      else {
        merged.append((finding, []))
        continue
      }
      let key = SharedFinding(
        code: finding.code,
        severity: finding.severity,
        subject: subject,
        message: finding.message.replacing(ownVersion: version, with: each),
        advice: finding.advice.mapWords {
          $0.replacing(ownVersion: version, with: each).replacing(
            version.shellWord,
            with: "VERSION"
          )
        }
      )
      if let place = places[key] {
        merged[place].versions.append(version)
        merged[place].finding.message = key.message
        merged[place].finding.advice = key.advice
        merged[place].finding.place.file = nil
        merged[place].finding.place.line = nil
      } else {
        places[key] = merged.count
        merged.append((finding, [version]))
      }
    }
    return merged.map { finding, versions in
      var finding = finding
      let names = VersionRuns(versions, in: [])
      if names.count > 1 { finding.place.version = names.text() }
      return finding
    }
  }
}

extension String {
  /// Returns the text with other words for the version that it is about, where it names it as the start of a
  /// step or as that of a store.
  fileprivate func replacing(ownVersion version: String, with words: String) -> String {
    replacing("from \(version) to ", with: "from \(words) to ")
      .replacing("store of \(version) ", with: "store of \(words) ")
  }
}
