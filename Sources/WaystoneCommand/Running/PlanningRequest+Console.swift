internal import Waystone

extension PlanningRequest {
  /// Finds both ends.
  ///
  /// - Parameter start: A version's name or a store's path; a name comes first.
  init(
    from start: String,
    to end: String,
    assuming assumed: String? = nil,
    in loaded: LoadedArchive,
    console: Console
  ) throws {
    try self.init(
      from: start,
      to: end,
      assuming: assumed,
      in: loaded.mapped,
      resolved: console.resolved
    )
  }

  /// Finds both ends of a plan for a store.
  ///
  /// - Parameter assumed: The version that the store is taken for, where its hashes are of none.
  init(
    store path: String,
    to end: String,
    assuming assumed: String? = nil,
    in loaded: LoadedArchive,
    console: Console
  ) throws {
    try self.init(
      store: path,
      at: console.resolved(path),
      to: end,
      assuming: assumed,
      in: loaded.mapped
    )
  }
}
