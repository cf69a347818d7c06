internal import MigrationPlanning
internal import ModelImport
internal import ObjectModel

extension Project {
  /// Returns a report on whether the project is fit to be shipped.
  ///
  /// Each mapping is compared with the versions and the registered policies, the versions with the
  /// lock, and new findings with `policy:` and `accept:` of `waystone.yml`. All findings are in the
  /// report.
  ///
  /// - Parameter options: The scope of the check, and the severity that fails.
  /// - Throws: ``WaystoneError`` where the lock, a mapping, `waystone.yml` or a sample that it
  ///   names cannot be used.
  /// - Complexity: A pass over all versions, and a search where a step is refused.
  public func check(
    _ options: CheckOptions = CheckOptions()
  ) throws(WaystoneError) -> CheckReport {
    try WaystoneError.converting {
      try checkSamples()
      var audit = try LockAudit(self)
      audit.commitWithLock = options.commitWithLock
      let losses = UnacceptedLosses(self, settled: audit.settledNames)
      var report = try checkMappings(losses)
      let check = ProjectCheck(audit: audit, looksAtAll: options.looksAtAll, losses: losses)
      let reported = Set(report.allFindings)
      report.findings += try check.findings().filter { !reported.contains($0) }
      report.findings = report.findings.worstFirst
      report.versions = check.versions
      report.learned = lessons.learned.map(CheckReport.Learned.init)
      if let configuration {
        report.threshold = configuration.policy.maximum
        report.accept(
          configuration.acceptances,
          in: folder.shortened(configuration.path),
          unless: check.isElsewhere
        )
      }
      report.threshold = options.threshold ?? report.threshold
      if let baseline = options.baseline { report.accept(baseline) }
      if let changes = options.changes { report.limit(to: changes, in: self) }
      return report
    }
  }

  /// Returns the same report on the mappings alone; every warning fails, and so does a named mapping
  /// that is left out.
  ///
  /// - Throws: ``WaystoneError`` where the lock or a mapping cannot be read.
  public func checkMappings() throws(WaystoneError) -> CheckReport {
    let audit = try LockAudit(self)
    var report = try checkMappings(UnacceptedLosses(self, settled: audit.settledNames))
    if let configuration {
      // An acceptance without a finding here is of a part that is not checked.
      report.accept(
        configuration.acceptances,
        in: folder.shortened(configuration.path),
        unless: { _ in true }
      )
    }
    report.findings += binding.findings.filter { $0.code == .unreadableForm }.map { finding in
      guard !mapped.givenMappings.isEmpty else { return finding }
      var finding = finding
      finding.severity = .error
      return finding
    }
    return report
  }

  private func checkMappings(_ losses: UnacceptedLosses?) throws(WaystoneError) -> CheckReport {
    try WaystoneError.converting {
      let inspections = try mapped.mappingPaths.flatMap { path in
        do {
          return try MappingInspection.read(folder.shortened(path), in: self)
        } catch let error as ModelImportError where mapped.leavesOut(path, error) {
          // The findings of the binding report that it is left out.
          return []
        }
      }
      var reported: Set<[String]> = []
      let mappings = inspections.map { inspection in
        let set = self.set(of: inspection)
        // Effects of several files together are reported at the first.
        let isFirst = set.map { reported.insert($0.origins.map(\.path)).inserted } ?? true
        return checked(inspection, as: set, isFirst: isFirst, losses)
      }
      // Errors of one file are reported at that file.
      let own = Set(mappings.flatMap(\.findings).map(\.statement))
      return CheckReport(
        mappings: mappings,
        findings: authored.flatMap(\.refusals).filter { !own.contains($0.statement) }
      )
    }
  }

  /// Returns the edge of all mappings between a mapping's versions, where it is not the only one.
  private func set(of inspection: MappingInspection) -> AuthoredEdge? {
    guard let bound = inspection.bound else { return nil }
    return authored.first { edge in
      edge.origins.count > 1 && edge.origins.contains { $0.path == inspection.mapping.path }
        && edge.source == bound.source.model.entityVersionHashes
        && edge.destination == bound.destination.model.entityVersionHashes
    }
  }

  private func checked(
    _ inspection: MappingInspection,
    as set: AuthoredEdge?,
    isFirst: Bool,
    _ losses: UnacceptedLosses?
  ) -> CheckReport.Mapping {
    let mapping = inspection.mapping
    let to = inspection.bound.map { names.name(of: $0.destination) }
    var findings = inspection.findings
    // A stage is what can be inferred, and its handlers and SQL see to all else.
    if mapping.form != .stage, isFirst,
      let source = inspection.bound?.source.model ?? mapping.source.model,
      let destination = inspection.bound?.destination.model ?? mapping.destination.model
    {
      let whole = set?.mapping ?? mapping.mapping
      let uncovered = MappingAudit.uncoveredAttributes(of: whole, from: source, to: destination)
      let audited = MappingAudit.findings(of: whole, from: source, to: destination)
      findings += audited.filter { finding in
        finding.code != .requiredWithoutDefault
          || !uncovered.contains {
            $0.code == finding.code && $0.place.entity == finding.place.entity
              && $0.place.property == finding.place.property
          }
      }
      findings += uncovered.map { finding in
        var finding = finding
        // Values that such a mapping leaves empty are empty in users' stores already.
        if finding.severity == .warning, let bound = inspection.bound, let losses,
          !losses.isNew(bound.source), !losses.isNew(bound.destination)
        {
          finding.severity = .note
        }
        return finding
      }
    }
    // For a stage, the step to its version reports that.
    if mapping.form != .stage { findings += MappingAudit.unseenEffects(of: mapping.mapping) }
    findings += UnresolvedNames.findings(
      in: mapping.mapping,
      of: mapping.path,
      isApps: mapping.form != .hopFile,
      to: nil,
      registry: registry
    )
    .map { finding in
      var finding = finding
      if !reliance.includesWaystone { finding.severity = .note }
      return finding
    }
    return CheckReport.Mapping(
      path: mapping.path,
      from: inspection.bound.map { names.name(of: $0.source) },
      to: to,
      findings: raised(findings, by: inspection, losses).worstFirst
    )
  }

  /// Returns the findings on a mapping, its losses as errors where it leads into a version that is new.
  private func raised(
    _ findings: [Finding],
    by inspection: MappingInspection,
    _ losses: UnacceptedLosses?
  ) -> [Finding] {
    guard let losses, let version = inspection.bound?.destination, losses.isNew(version) else {
      return findings
    }
    let isApps = inspection.mapping.form != .hopFile
    return losses.raised(findings, into: version.model, isApps: isApps).map { finding in
      var finding = finding
      finding.place.version = finding.place.version ?? names.name(of: version)
      return finding
    }
  }
}
