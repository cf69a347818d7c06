package import MigrationPlanning
package import ObjectModel
package import StoreAccess
package import StoreVerification

/// A comparison of a certificate with itself and with a store at one end of its run.
///
/// Digests decide whether a store is the certified one; the counts beside them may have been edited
/// all the same. Numbers come from a file that anything may have written, so that no sum may trap.
package struct CertificateAudit {
  private let certificate: MigrationCertificate

  /// The audit of a certificate.
  package init(_ certificate: MigrationCertificate) { self.certificate = certificate }

  private typealias Line = HopReconciliation.Place

  /// Checks the certificate and a store.
  ///
  /// - Parameters:
  ///   - digest: The digest of the store.
  ///   - hashes: The version hashes of its entities.
  ///   - identity: The store's identity.
  ///   - counts: The store's counts, read from its tables.
  ///   - model: The model by which it was counted.
  package func report(
    digest: LogicalDigest,
    hashes: [String: VersionHash],
    identity: StoreIdentity,
    counts: StoreCounts,
    model: ManagedObjectModel
  ) -> VerificationReport {
    let end = certificate.end(digest, hashes)
    var checks = [endCheck(end, digest, hashes), accountsCheck]
    if let end { checks += [linesCheck(end, digest, counts, model), identityCheck(end, identity)] }
    return VerificationReport(checks: checks)
  }

  // MARK: The store

  /// Checks that the store is an end of the run.
  private func endCheck(
    _ end: MigrationCertificate.End?,
    _ digest: LogicalDigest,
    _ hashes: [String: VersionHash]
  ) -> VerificationReport.Check {
    let what = end?.rawValue ?? "source or the result"
    var check = VerificationReport.Check(
      "certificate",
      "the store is the \(what) of the certified migration",
      count: Int64(digest.entities.count)
    )
    guard let end else {
      // Held against the side of its version.
      let isSource =
        certificate.source.isOfVersion(hashes) && !certificate.result.isOfVersion(hashes)
      let side = isSource ? certificate.source : certificate.result
      for name in side.differences(from: digest) {
        check.details.append(.init(entity: name, "its objects are not those that were certified"))
      }
      check.failures = Int64(max(1, check.details.count))
      return check
    }
    if !certificate.side(end).isOfVersion(hashes) {
      check.fail(.init("the version hashes of the \(end.rawValue) are not the store's"))
    }
    return check
  }

  /// Checks that the store holds as much as the certificate states for its end.
  private func linesCheck(
    _ end: MigrationCertificate.End,
    _ digest: LogicalDigest,
    _ counts: StoreCounts,
    _ model: ManagedObjectModel
  ) -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "certificate-store",
      "the store holds as many objects, values and links as the certificate says"
    )
    let side = certificate.side(end)
    for name in side.differences(from: digest) {
      check.fail(.init(entity: name, "its digest is not the one that was certified"))
    }
    let certified = end == .source ? departures(certificate.total) : arrivals(certificate.total)
    compare(certified, lines(counts, model), in: &check) {
      "\($0) \($2.rawValue) by the total, and the store has \($1)"
    }
    compare(dangling(side.dangling ?? []), dangling(counts.dangling), in: &check) {
      "\($0) \($2.rawValue) without an object at an end by the certificate, and the store has \($1)"
    }
    return check
  }

  /// Checks that the store has the certified identifier, triggers and tables of the app's own.
  private func identityCheck(
    _ end: MigrationCertificate.End,
    _ identity: StoreIdentity
  ) -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "certificate-identity",
      "the store has the identifier, the triggers and the app's own tables that were certified",
      count: 1 + Int64((identity.triggers?.count ?? 0) + (identity.tables?.count ?? 0))
    )
    for difference in certificate.side(end).identity.differences(from: identity) {
      check.fail(.init(difference))
    }
    return check
  }

  private func dangling(_ links: [DanglingLinks]) -> [Line: Int64] {
    sums(links.map { (Line(entity: $0.entity, property: $0.property, kind: .links), $0.count) })
  }

  /// Returns the counts of a store as lines of an account.
  private func lines(_ counts: StoreCounts, _ model: ManagedObjectModel) -> [Line: Int64] {
    var lines: [Line: Int64] = [:]
    for (entity, held) in counts.entities {
      lines[Line(entity: entity, property: nil, kind: .objects)] = held.objects
      for (name, count) in held.values {
        lines[Line(entity: entity, property: name, kind: .values)] = count
      }
      for (name, links) in held.links
      where model.property(name, of: entity)?.property.isPersistent == true {
        let count = links.values.reduce(0, &+)
        lines[Line(entity: entity, property: name, kind: .links)] = count
      }
    }
    return lines
  }

  // MARK: The certificate alone

  /// Whether the accounts agree with each other: a hop's end counts are the next one's first
  /// counts, the total has the first and the last counts, and no number is outside of its bounds.
  private var accountsCheck: VerificationReport.Check {
    var check = VerificationReport.Check(
      "certificate-accounts",
      "the accounts of the certificate agree with each other" + unknown
    )
    let hops = certificate.hops
    for (index, hop) in hops.enumerated() {
      examine(hop, "hop \(index + 1) (\(hop.source) to \(hop.destination))", in: &check)
    }
    examine(certificate.total, "all hops", in: &check)
    for index in hops.indices.dropLast() {
      compareSteps(index, hops[index], hops[index + 1], in: &check)
    }
    compareEnds(in: &check)
    return check
  }

  /// The part of a check's message that names the hops whose actions come between two counts.
  private var unknown: String {
    let numbers = (certificate.actions ?? []).map { "\($0.hop)" }
    guard !numbers.isEmpty else { return "" }
    return numbers.count == 1
      ? "; what the actions of hop \(numbers[0]) changed is not counted"
      : "; what the actions of hops \(numbers.joined(separator: ", ")) changed is not counted"
  }

  private func acts(before hop: Int) -> Bool {
    certificate.actions?.contains { $0.hop == hop && $0.before } ?? false
  }

  private func acts(after hop: Int) -> Bool {
    certificate.actions?.contains { $0.hop == hop && $0.after } ?? false
  }

  /// Compares the counts that a hop leaves with those that the next one finds.
  private func compareSteps(
    _ index: Int,
    _ hop: HopReconciliation,
    _ next: HopReconciliation,
    in check: inout VerificationReport.Check
  ) {
    let (first, second) = (index + 1, index + 2)
    if hop.destination != next.source {
      check.fail(
        .init(
          "hop \(first) leads to \(hop.destination), and hop \(second) begins at \(next.source)"
        )
      )
    }
    guard !acts(after: first), !acts(before: second) else { return }
    compare(arrivals(hop), departures(next), in: &check) {
      "\($0) \($2.rawValue) after hop \(first) (\(hop.source) to \(hop.destination)), and \($1) "
        + "before hop \(second)"
    }
  }

  /// Compares the total with the first hop, the last hop and both sides.
  private func compareEnds(in check: inout VerificationReport.Check) {
    let total = certificate.total
    let start = certificate.hops.first?.source ?? total.destination
    if start != total.source || total.source != certificate.source.version {
      check.fail(.init("the total begins at \(total.source), and the first hop at \(start)"))
    }
    let end = certificate.hops.last?.destination ?? total.source
    if end != total.destination || total.destination != certificate.result.version {
      check.fail(.init("the total leads to \(total.destination), and the last hop to \(end)"))
    }
    if let first = certificate.hops.first, !acts(before: 1) {
      compare(departures(total), departures(first), in: &check) {
        "\($0) \($2.rawValue) by the total, and \($1) before hop 1 (\(first.source) to "
          + "\(first.destination))"
      }
    }
    let count = certificate.hops.count
    if let last = certificate.hops.last, !acts(after: count) {
      compare(arrivals(total), arrivals(last), in: &check) {
        "\($0) \($2.rawValue) by the total, and \($1) after hop \(count) (\(last.source) to "
          + "\(last.destination))"
      }
    }
    for (side, lines) in [
      (certificate.source, departures(total)), (certificate.result, arrivals(total)),
    ] {
      var objects: [Line: Int64] = [:]
      for entity in side.entities {
        objects[Line(entity: entity.name, property: nil, kind: .objects)] = entity.objects
      }
      compare(lines.filter { $0.key.kind == .objects }, objects, in: &check) {
        "\($0) \($2.rawValue) by the total, and \($1) by the digests of \(side.version)"
      }
    }
  }

  // MARK: One account

  /// Holds the numbers of one account against each other.
  private func examine(
    _ account: HopReconciliation,
    _ name: String,
    in check: inout VerificationReport.Check
  ) {
    let (before, after) = (departures(account), arrivals(account))
    for (side, lines) in [("before", before), ("after", after)] {
      for (line, count) in lines where line.kind != .links {
        let objects = lines[Line(entity: line.entity, property: nil, kind: .objects)] ?? 0
        guard count < 0 || count > objects else { continue }
        fail(line, "\(count) \(line.kind.rawValue) of \(objects) objects \(side) \(name)", &check)
      }
    }
    for arrival in account.arrivals {
      let line = arrival.place
      if !arrival.isKept {
        fail(
          line,
          "\(arrival.count) \(line.kind.rawValue) after \(name) are not as many as its "
            + "mapping makes",
          &check
        )
      }
      guard line.kind == .objects else { continue }
      // Each object is made of one; a filter or a shared key makes fewer.
      let origins = arrival.from.reduce(Int64(0)) {
        $0 &+ (before[Line(entity: $1, property: nil, kind: .objects)] ?? 0)
      }
      guard arrival.least > origins || arrival.greatest.map({ $0 != origins }) ?? false else {
        continue
      }
      fail(line, "made of \(origins) objects in \(name), and the bounds say otherwise", &check)
    }
    compareFates(account, name, in: &check)
    for line in account.unnamed {
      fail(
        line.place,
        "\(line.count) \(line.kind.rawValue) go in \(name), and no finding of the plan says so",
        &check
      )
    }
    for work in account.works {
      let line = Line(entity: work.source, property: nil, kind: .objects)
      let objects = before[line] ?? 0
      guard
        work.given != objects || !(0...max(0, objects)).contains(work.withoutTrace)
          || work.made < 0
      else { continue }
      fail(
        line,
        "\(work.policy) got \(work.given) objects in \(name), which begins with \(objects) "
          + "of them",
        &check
      )
    }
  }

  /// Compares the departures of each line with the arrivals of the other side; a certificate leaves
  /// out empty lines, which are not missed.
  private func compareFates(
    _ account: HopReconciliation,
    _ name: String,
    in check: inout VerificationReport.Check
  ) {
    var makers: [String: Set<Substring>] = [:]
    for line in account.arrivals {
      let from = line.from.flatMap { $0.split(separator: ", ") }
      makers[line.place.name, default: []].formUnion(from)
    }
    var results: [String: Set<String>] = [:]
    for departure in account.departures {
      let line = departure.place
      let own = line.name
      // Links that are dropped with their targets are no evidence about the others.
      if departure.targets == nil { results[own, default: []].formUnion(departure.to) }
      // Links that no mapping reads may live on at their other end.
      let livesAtOtherEnd =
        departure.kind == .links && [.chosen, .unordered].contains(departure.fate)
      let goesOn = [.carried, .merged, .chosen, .unordered].contains(departure.fate)
      if goesOn && !livesAtOtherEnd && departure.to.isEmpty
        || departure.fate == .dropped && !departure.to.isEmpty
      {
        let to = departure.to.isEmpty ? "nothing" : departure.to.joined(separator: ", ")
        fail(line, "\(departure.fate.rawValue) in \(name), and goes to \(to)", &check)
      }
      for result in departure.to where makers[result]?.contains(Substring(own)) == false {
        fail(line, "goes to \(result) in \(name), which is not made of it by its own line", &check)
      }
    }
    compareCarried(account, name, in: &check)
    for (result, made) in makers.sorted(by: { $0.key < $1.key }) {
      for source in made.sorted() where results[String(source)]?.contains(result) == false {
        check.fail(
          .init(
            "\(result) is made of \(source) in \(name), which does not go there by its own line"
          )
        )
      }
    }
  }

  /// Compares each line's carried count with the count that arrives.
  private func compareCarried(
    _ account: HopReconciliation,
    _ name: String,
    in check: inout VerificationReport.Check
  ) {
    func key(_ place: String, _ kind: HopReconciliation.Kind) -> String {
      "\(kind.rawValue) \(place)"
    }
    var coming: [String: Int64] = [:]
    for line in account.arrivals {
      coming[key(line.place.name, line.kind), default: 0] &+= line.count
    }
    var leaving: [String: Int64] = [:]
    for line in account.departures where line.fate == .carried {
      let carried = line.to.count == 1 ? leaving[key(line.to[0], line.kind)] ?? 0 : 0
      let sum = carried &+ line.count
      if line.to.count == 1 { leaving[key(line.to[0], line.kind)] = sum }
      let arriving = line.to.reduce(Int64(0)) { $0 &+ (coming[key($1, line.kind)] ?? 0) }
      guard sum > arriving else { continue }
      fail(
        line.place,
        "\(sum) \(line.kind.rawValue) are carried to \(line.to.joined(separator: ", ")) in "
          + "\(name), and \(arriving) arrive",
        &check
      )
    }
  }

  private func fail(
    _ line: Line,
    _ message: String,
    _ check: inout VerificationReport.Check
  ) {
    check.fail(.init(entity: line.entity, property: line.property, message))
  }

  private func departures(_ account: HopReconciliation) -> [Line: Int64] {
    sums(account.departures.map { ($0.place, $0.count) })
  }

  private func arrivals(_ account: HopReconciliation) -> [Line: Int64] {
    sums(account.arrivals.map { ($0.place, $0.count) })
  }

  private func sums(_ lines: [(Line, Int64)]) -> [Line: Int64] {
    Dictionary(lines, uniquingKeysWith: &+)
  }

  /// Compares two lists of lines, in which lines of nothing may be left out.
  private func compare(
    _ first: [Line: Int64],
    _ second: [Line: Int64],
    in check: inout VerificationReport.Check,
    message: (Int64, Int64, HopReconciliation.Kind) -> String
  ) {
    let lines = Set(first.keys).union(second.keys).sorted {
      ($0.entity, $0.property ?? "", $0.kind.rawValue)
        < ($1.entity, $1.property ?? "", $1.kind.rawValue)
    }
    check.count += Int64(lines.count)
    for line in lines {
      let (one, other) = (first[line] ?? 0, second[line] ?? 0)
      if one != other { fail(line, message(one, other, line.kind), &check) }
    }
  }
}
