import ObjectModel

extension AppOutcomeText {
  /// The verdict on what the app does, in which a constant that people wrote into a mapping is no default:
  /// they meant it.
  func settled(_ verdict: EdgeVerdict) -> EdgeVerdict {
    guard case .notEquivalent(let differences) = verdict,
      graph.historyEdges(from: source.index, to: destination.index).contains(where: {
        $0.kind == .authored
      })
    else { return verdict }
    return .notEquivalent(
      differences.map { difference in
        var difference = difference
        difference.isOfDefaults = false
        return difference
      }
    )
  }

  /// How to give back the renaming identifier by which the history carries what the app loses; nil where
  /// that is not the reason.
  ///
  /// One that would name another property of the same version is none to give back, nor is one that a finding
  /// of its own wants changed.
  func lostIdentifier(_ difference: MappingDifference) -> String? {
    let app = destination.ofApp.arrivalVersion(from: source)
    guard difference.kind == .lost, let name = difference.propertyName,
      app.model.property(name, of: difference.entityName)?.property.canonicalName == name
    else { return nil }
    let earlier = names.identifier(
      of: name,
      in: difference.entityName,
      from: source.index,
      to: destination.index
    )
    guard let identifier = earlier,
      !app.model.properties(of: difference.entityName).contains(where: {
        $0.property.name == identifier || $0.property.canonicalName == identifier
      }),
      !names.disputes(from: source.index, to: destination.index).flatMap(\.findings).contains(
        where: {
          $0.code == .renamingIdentifierNamesOldName && $0.place.entity == difference.entityName
            && $0.place.property == name
        })
    else { return nil }
    return
      "Set the \(app.model.framework.renamingIdentifier) of \(name) to \"\(identifier)\" in \(app.name) too, as an earlier "
      + "version has it: that changes no version hash."
  }
}

extension AppOutcomeText {
  /// How to mend the renaming identifiers that disagree on what the app loses; nil where none do.
  ///
  /// Version by version the app may lose the same by them, so that this is no advice.
  func disputedIdentifier(_ difference: MappingDifference) -> String? {
    guard difference.kind == .lost, let name = difference.propertyName else { return nil }
    // The history's value is named by the property that it is read from, unless another one has the name.
    let former = difference.reference?.split(separator: " ").first.map(String.init)
    let isTaken = former.map {
      destination.model.property($0, of: difference.entityName) != nil
    }
    let own = [name] + (isTaken == false ? [former].compactMap(\.self) : [])
    for edge in names.disputes(from: source.index, to: destination.index) {
      let found = edge.findings.first { finding in
        finding.disputesIdentifier && finding.place.property.map(own.contains) == true
      }
      guard let found, let place = found.place.subject else { continue }
      return "\(found.code.rawValue) of \(place) in \(graph.arrival(of: edge).name) is the cause, "
        + "step by step too. "
        + found.remedy
    }
    return nil
  }
}

extension MappingDifference {
  /// Whether the other way keeps what the history drops or changes.
  var isKept: Bool { kind == .resurrected || kind == .objectsResurrected || isReduced }

  /// Whether no value of the store is lost or changed.
  var isHarmless: Bool { isKept || isOfDefaults }
}
