import ObjectModel

extension StagedMigrationManager {
  /// A reason why Core Data does not start the migration.
  enum Obstacle: Error, Hashable, Sendable {
    /// The store's version is named by no stage.
    case unknownStore
    /// The version of the app's own model is named by no stage.
    case unknownDestination
    /// The stages place the versions elsewhere than the graph does, so that their steps are unknown.
    case otherPlaces
    /// The app's migration plan is not there, or not understood.
    case unknownStages
  }

  /// Returns the steps from one version to a later one, by the positions of their ends.
  ///
  /// Core Data looks for the store's version, and for that of the coordinator's model, among the
  /// versions of all stages, and refuses to begin where either is missing ("Cannot use staged
  /// migration with an unknown model version", NSCocoaErrorDomain 134504; the same with "coordinator
  /// model version"). Lightweight stages in a row are one inference from where the store is straight
  /// to where the next custom stage begins (https://developer.apple.com/forums/thread/804902).
  func steps(from source: Int, to destination: Int) throws(Obstacle) -> [NodePair] {
    guard positions.contains(where: { $0.contains(destination) }) else { throw .unknownDestination }
    guard var first = positions.lastIndex(where: { $0.contains(source) }) else {
      throw .unknownStore
    }
    if case .custom = stages[first].kind, positions[first][1] == source { first += 1 }
    var steps: [NodePair] = []
    var place = source
    for index in first..<stages.count {
      guard case .custom = stages[index].kind else { continue }
      let (current, next) = (positions[index][0], positions[index][1])
      guard current >= place, next <= destination else { continue }
      if current != place { steps.append(NodePair(source: place, destination: current)) }
      steps.append(NodePair(source: current, destination: next))
      place = next
    }
    if place != destination { steps.append(NodePair(source: place, destination: destination)) }
    return steps
  }
}
