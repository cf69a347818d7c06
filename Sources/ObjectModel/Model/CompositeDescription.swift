/// A group of attributes that composite attributes hold, since iOS 17.
///
/// Xcode writes each group once, as an element of the model, and attributes name it.
public struct CompositeDescription: Hashable, Sendable {
  /// The name by which attributes refer to it.
  public var name: String
  /// The members, in byte order of their names.
  public var attributes: [AttributeDescription]

  /// A group of attributes.
  public init(name: String, attributes: [AttributeDescription]) {
    self.name = name
    self.attributes = attributes.sorted { ByteOrder.precedes($0.name, $1.name) }
  }
}
