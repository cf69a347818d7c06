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

extension ManagedObjectModel {
  /// The composite that an attribute holds, or nil where it is of another type or none is known.
  ///
  /// - Complexity: O(log *c*) in the model's composites.
  public func composite(of attribute: AttributeDescription) -> CompositeDescription? {
    guard attribute.attributeType == .composite, let name = attribute.compositeName else {
      return nil
    }
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
}
