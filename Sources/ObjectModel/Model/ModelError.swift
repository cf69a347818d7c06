/// The reason why descriptions of entities are no model.
public struct ModelError: Error, Hashable, Sendable {
  /// A reason that a caller may want to branch on.
  public enum Code: String, Hashable, Sendable {
    /// Two entities, or two properties of one entity, share a name.
    case duplicateName
    /// A parent that the model does not have.
    case missingParent
    /// An entity that is its own ancestor.
    case parentCycle
    /// A relationship to an entity that the model does not have.
    case missingDestination
    /// A constraint or index over a property that the entity does not have.
    case missingProperty
    /// A composite attribute whose composite the model does not have.
    case missingComposite
    /// A hierarchy deeper than any real one.
    case tooDeep
    /// More properties, inherited ones included, than any real model has.
    case tooLarge
    /// A name that is empty or holds a NUL.
    case badName
    /// A bound of a relationship's count that cannot be one.
    case badCount
  }

  /// The reason of the error.
  public var code: Code
  /// The entity at fault.
  public var entityName: String
  /// The property at fault, where it is one.
  public var propertyName: String?
  /// A sentence that describes the error.
  public var message: String
  /// The user's next step.
  public var recovery: String
}

extension ModelError: CustomStringConvertible {
  /// The message and what to do next.
  public var description: String { "\(message) \(recovery)" }
}
