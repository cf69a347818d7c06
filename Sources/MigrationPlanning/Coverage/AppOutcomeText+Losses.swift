import ObjectModel

extension AppOutcomeText {
  /// Returns the verdict on the app's mapping, in which a constant of an authored mapping is no default:
  /// its author meant it.
  func settled(_ verdict: EdgeVerdict) -> EdgeVerdict {
    guard case .notEquivalent(let differences, let hidden) = verdict,
      graph.historyEdges(from: source.index, to: destination.index).contains(where: {
        $0.kind == .authored
      })
    else { return verdict }
    return .notEquivalent(
      differences.map { difference in
        var difference = difference
        difference.isOfDefaults = false
        return difference
      },
      hidden: hidden
    )
  }

  /// Returns the remedy that restores the Renaming ID by which the history carries a property that the
  /// app loses; nil where that is not the cause.
  ///
  /// It advises neither an identifier that names another property of the same version, nor one that a
  /// finding of its own asks to change.
  func lostIdentifier(_ difference: MappingDifference) -> Finding.Text? {
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
      "Set the \(app.model.framework.renamingIdentifier) of \(name) to \"\(identifier)\" in "
      + "\(version: app.name) too, as an earlier version has it: that changes no version hash, and `waystone lock "
      + "--accept \(app.name) --reason ...` "
      + "takes it into the lock."
  }
}

extension AppOutcomeText {
  /// Returns the remedy for Renaming IDs that disagree on a property that the app loses; nil where none
  /// do.
  ///
  /// The app may lose the property by them version by version, too, so migrating in steps is no remedy.
  func disputedIdentifier(_ difference: MappingDifference) -> Finding.Text? {
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
      return
        "\(found.code.rawValue) of \(place) in \(version: graph.arrival(of: edge).name) is the cause, "
        + "step by step too. \(found.advice)"
    }
    return nil
  }
}

extension MappingDifference {
  /// Whether the other mapping keeps values or objects that the history drops or changes.
  var isKept: Bool { kind == .resurrected || kind == .objectsResurrected || isReduced }

  /// Whether no value of the store is lost or changed.
  var isHarmless: Bool { isKept || isOfDefaults }
}
