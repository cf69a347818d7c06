import ObjectModel

/// The destination objects that a relationship's expression asks the migration manager for: those made of
/// the objects at the end of a path.
package struct LinkRequest: Hashable, Sendable {
  /// The path from the source object; empty for itself.
  package let path: [String]
  /// The entity mapping whose objects are wanted; nil for those of all that fit.
  package let mapping: String?

  /// The source relationship whose links are carried, where it is just one.
  package var relationship: String? { path.count == 1 ? path[0] : nil }

  /// What an expression asks for; nil where it is another value.
  init?(_ expression: Expression) {
    switch expression {
    case .keyPath(.variable("source"), let path): self.init(path: path, mapping: nil)
    case .function(.variable("manager"), let selector, let arguments) where arguments.count == 2:
      guard case .constant(.string(let name)?) = arguments[0] else { return nil }
      let path: [String]
      switch arguments[1] {
      case .variable("source"): path = []
      case .keyPath(.variable("source"), let names): path = names
      default: return nil
      }
      switch selector {
      case Expression.destinationInstancesForSourceRelationship:
        self.init(path: path, mapping: nil)
      case Expression.destinationInstancesForEntityMapping:
        self.init(path: path, mapping: name)
      default: return nil
      }
    default: return nil
    }
  }

  private init(path: [String], mapping: String?) {
    self.path = path
    self.mapping = mapping
  }
}

extension Expression {
  /// Whether it asks the migration manager for what becomes of no objects.
  var asksForNothing: Bool {
    guard case .function(.variable("manager"), let selector, let arguments) = self,
      [
        Expression.destinationInstancesForSourceRelationship,
        Expression.destinationInstancesForEntityMapping,
      ].contains(selector)
    else { return false }
    return arguments.count == 2 && arguments[1] == .constant(nil)
  }
}
