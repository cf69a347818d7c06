/// Links of one relationship of which an end is no object of the store.
///
/// They are no links that anybody can follow, and so are in no line of an account. A hop that copies the
/// columns or tables that keep them keeps them; one that makes objects anew leaves them out.
public struct DanglingLinks: Codable, Hashable, Sendable {
  /// The entity that declares the relationship.
  public var entity: String
  /// The relationship that keeps them.
  public var property: String
  /// How many there are.
  public var count: Int64

  package init(entity: String, property: String, count: Int64) {
    self.entity = entity
    self.property = property
    self.count = count
  }
}
