import ObjectModel

/// A collector of inference's findings, each kept once although inherited properties recur.
///
/// A reference type, so that the owner of the collector may write the text of a finding.
final class FindingCollector {
  private struct Key: Hashable {
    let code: FindingCode
    let entity: String?
    let property: String?
  }

  /// Whether findings are only counted, by risk, and their words are never made.
  let onlyCounts: Bool
  /// The worst risk of each finding, and the place of its text in ``found``.
  private var seen: [Key: (risk: Risk?, place: Int)] = [:]
  private var found: [Finding] = []
  private var seenRefusals: Set<Key> = []
  private var refused: [Finding] = []

  init(onlyCounts: Bool = false) { self.onlyCounts = onlyCounts }

  /// The number of findings of each risk; findings without a risk are left out.
  var counts: RiskCounts {
    seen.values.reduce(into: RiskCounts()) { counts, seen in
      if let risk = seen.risk { counts.add(risk) }
    }
  }

  /// Adds an effect of the step; one without a risk does not concern rows.
  ///
  /// Entities that share a property may have different effects on it: the worst is kept.
  func add(
    _ code: FindingCode,
    _ severity: Finding.Severity,
    _ risk: Risk?,
    at place: Finding.Place,
    _ message: @autoclosure () -> Finding.Text,
    remedy: @autoclosure () -> Finding.Text = "Nothing needs to be done.",
    change: @autoclosure () -> String? = nil
  ) {
    let key = Key(code: code, entity: place.entity, property: place.property)
    let known = seen.updateValue((risk, found.count), forKey: key)
    if let known {
      guard let risk, risk >= .conditional, known.risk.map({ $0 < risk }) ?? true else {
        seen[key] = known
        return
      }
      seen[key] = (risk, known.place)
    }
    guard !onlyCounts else { return }
    var finding = Finding(
      code,
      severity,
      risk: risk,
      at: place,
      message: message(),
      advice: remedy()
    )
    finding.change = change()
    if let known { found[known.place] = finding } else { found.append(finding) }
  }

  /// Adds an effect of the step that is a mere note.
  func add(
    _ code: FindingCode,
    _ risk: Risk,
    at place: Finding.Place,
    _ message: @autoclosure () -> Finding.Text,
    remedy: @autoclosure () -> Finding.Text = "Nothing needs to be done."
  ) {
    add(code, .note, risk, at: place, message(), remedy: remedy())
  }

  /// Notes that a relationship loses the order of its links.
  func addLostOrder(
    at place: Finding.Place,
    to destination: String? = nil,
    _ message: Finding.Text? = nil
  ) {
    add(
      .becomesUnordered,
      .warning,
      .lossy,
      at: place,
      message ?? "\(subject: place.subject ?? "") \(.loses) the order of \(.its) links.",
      remedy: "If the order matters, keep it in an attribute of "
        + "\(destination ?? "the objects that it leads to")."
    )
  }

  /// Notes that large values move into or out of files beside the store.
  func addToggledStorage(at place: Finding.Place, isLeaving: Bool) {
    add(
      .externalStorageToggled,
      .conditional,
      at: place,
      "\(subject: place.subject ?? "") "
        + (isLeaving
          ? "\(.moves) large values from files beside the store into it."
          : "may move large values into files beside the store."),
      remedy: "Keep the store together with its folder of external data."
    )
  }

  /// Notes why the step cannot be inferred.
  func refuse(
    _ code: FindingCode,
    at place: Finding.Place,
    _ message: @autoclosure () -> Finding.Text,
    remedy: @autoclosure () -> Finding.Text
  ) {
    let key = Key(code: code, entity: place.entity, property: place.property)
    guard seenRefusals.insert(key).inserted else { return }
    refused.append(Finding(code, .error, at: place, message: message(), advice: remedy()))
  }

  /// Returns whether this refusal was added.
  func hasRefused(_ code: FindingCode, entity: String?, property: String?) -> Bool {
    seenRefusals.contains(Key(code: code, entity: entity, property: property))
  }

  /// The effects of the step, by entity, property and code.
  var findings: [Finding] { Self.sorted(found) }
  /// The refusals of the step, by entity, property and code.
  var refusals: [Finding] { Self.sorted(refused) }

  private static func sorted(_ findings: [Finding]) -> [Finding] {
    // Findings are large: only what they are sorted by is moved.
    let keys = findings.indices.map { index in
      let place = findings[index].place
      return (place.entity ?? "", place.property ?? "", findings[index].code.rawValue, index)
    }
    return keys.sorted { left, right in
      if left.0 != right.0 { return ByteOrder.precedes(left.0, right.0) }
      if left.1 != right.1 { return ByteOrder.precedes(left.1, right.1) }
      return left.2 < right.2
    }.map { findings[$0.3] }
  }
}
