extension PlanningRequest {
  /// Finds both ends.
  ///
  /// - Parameter start: A version's name or a store's path; a name comes first.
  package init(
    from start: String,
    to end: String,
    assuming assumed: String? = nil,
    in project: Project
  ) throws {
    try self.init(
      from: start,
      to: end,
      assuming: assumed,
      in: project.mapped,
      resolved: project.folder.resolved
    )
  }

  /// Finds both ends of a plan for a store.
  ///
  /// - Parameter assumed: The version that the store is taken for, where its hashes are of none.
  package init(
    store path: String,
    to end: String,
    assuming assumed: String? = nil,
    in project: Project
  ) throws {
    try self.init(
      store: path,
      at: project.folder.resolved(path),
      to: end,
      assuming: assumed,
      in: project.mapped
    )
  }
}
