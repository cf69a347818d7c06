/// The links of one relationship that have an end without an object in the store.
///
/// No object can be reached by them, so no line of an account counts them. A hop that copies the columns
/// or tables that keep them keeps them; one that makes objects anew leaves them out.
public struct DanglingLinks: Codable, Hashable, Sendable {
  /// The entity that declares the relationship.
  public var entity: String
  /// The relationship that keeps them.
  public var property: String
  /// The number of dangling links.
  public var count: Int64

  package init(entity: String, property: String, count: Int64) {
    self.entity = entity
    self.property = property
    self.count = count
  }
}
