internal import ObjectModel

/// The key of findings that have the same text on one subject in several versions.
private struct SharedFinding: Hashable {
  let code: FindingCode
  let severity: Finding.Severity
  let subject: String
  let statement: Finding.Text
  let advice: Finding.Text
}

extension [Finding] {
  /// The findings, with those that have the same text on one subject in several versions merged.
  ///
  /// - Complexity: O(*n*) in the findings.
  var mergedOverVersions: [Finding] {
    var places: [SharedFinding: Int] = [:]
    var merged: [(finding: Finding, versions: [String])] = []
    let each = Finding.Text.Reader.versions("each of these versions")
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
        statement: finding.statement.naming(version, as: each),
        advice: finding.advice.naming(version, as: each)
      )
      if let place = places[key] {
        merged[place].versions.append(version)
        merged[place].finding.statement = key.statement
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
