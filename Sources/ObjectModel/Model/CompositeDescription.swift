/// A group of attributes that composite attributes hold, since iOS 17.
///
/// Xcode writes each group once, as an element of the model, and attributes name it. A compiled model
/// has no names for groups; there a group is named after the attribute that holds it.
public struct CompositeDescription: Hashable, Sendable {
  /// The name by which attributes refer to it.
  public var name: String
  /// The members as declared: their order decides that of the columns, and no version hash.
  public var attributes: [AttributeDescription]

  /// A group of attributes.
  public init(name: String, attributes: [AttributeDescription]) {
    self.name = name
    self.attributes = attributes
  }

  /// The members in byte order of their names, in which version hashes take them.
  public var sortedAttributes: [AttributeDescription] {
    attributes.sorted { ByteOrder.precedes($0.name, $1.name) }
  }
}

/// The composite attribute that an attribute is an element of.
package struct CompositeMembership: Hashable, Sendable {
  /// The name of the composite attribute.
  package let attributeName: String
  /// The name under which versions match the composite attribute.
  package let canonicalName: String
  /// Whether the composite itself declares the element as optional.
  package let isOptional: Bool
}

extension ManagedObjectModel {
  /// Returns the composite that an attribute holds, or nil where it is of another type or none is known.
  ///
  /// - Complexity: O(log *c*) in the model's composites.
  public func composite(of attribute: AttributeDescription) -> CompositeDescription? {
    attribute.composite(in: composites)
  }

  /// Returns the elements of a composite attribute as the attributes that a store has, in declared order;
  /// nil for any other attribute, and where no store has shown the form: a composite without elements, or
  /// with one that is a composite, derived or transient.
  ///
  /// An element's name, and the name under which versions match, is the composite's with its own behind
  /// a dot, as in a key path. A composite that is nil has elements that are nil, so that an element of
  /// an optional composite is optional, also where its own declaration is not.
  ///
  /// - Complexity: O(*e*) in the elements.
  public func elements(of attribute: AttributeDescription) -> [AttributeDescription]? {
    attribute.elements(in: composites)
  }

  /// Returns the attributes that an entity itself declares and that have values of their own, in the
  /// order of their names as declared, with the elements of a composite in its place and in their
  /// order.
  package func ownAttributes(of entityName: String) -> [AttributeDescription] {
    let declared = self[entityName]?.attributes ?? []
    return composites.isEmpty ? declared : declared.flatMap { elements(of: $0) ?? [$0] }
  }
}

extension PropertyDescription {
  /// Whether it is a composite attribute, as one that is declared.
  package var isComposite: Bool { attribute?.attributeType == .composite }
}

extension AttributeDescription {
  /// The name that an element has in its composite; that of any other attribute is its name.
  package var ownName: String {
    membership.map { String(name.dropFirst($0.attributeName.count + 1)) } ?? name
  }

  /// The name under which versions match an element within its composite; that of any other attribute is
  /// its canonical name.
  package var ownCanonicalName: String {
    membership.map { String(canonicalName.dropFirst($0.canonicalName.count + 1)) } ?? canonicalName
  }

  /// Returns the composite that the attribute holds, of some in byte order of their names.
  func composite(in composites: [CompositeDescription]) -> CompositeDescription? {
    guard attributeType == .composite, let name = compositeName else { return nil }
    var range = composites.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if composites[middle].name == name { return composites[middle] }
      range =
        ByteOrder.precedes(composites[middle].name, name)
        ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// Returns the elements as ``ManagedObjectModel/elements(of:)`` gives them.
  func elements(in composites: [CompositeDescription]) -> [AttributeDescription]? {
    guard let members = composite(in: composites)?.attributes, !members.isEmpty,
      derivationExpression == nil,
      members.allSatisfy({
        $0.attributeType != .composite && $0.derivationExpression == nil && $0.isPersistent
      })
    else { return nil }
    return members.map { member in
      var element = member
      element.membership = CompositeMembership(
        attributeName: name,
        canonicalName: canonicalName,
        isOptional: member.isOptional
      )
      element.name = "\(name).\(member.name)"
      element.isOptional = isOptional || member.isOptional
      element.isTransient = isTransient
      let canonical = "\(canonicalName).\(member.canonicalName)"
      element.renamingIdentifier = canonical == element.name ? nil : canonical
      return element
    }
  }
}
