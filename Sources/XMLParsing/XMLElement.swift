/// An element of a parsed XML file.
package struct XMLElement: Hashable, Sendable {
  /// The name, with its prefix where it has one.
  package var name: String
  /// The line on which the start tag ends, from 1.
  package var line: Int
  /// The attributes in the order of the file.
  package var attributes: [Attribute] = []
  /// The elements inside.
  package var children: [XMLElement] = []
  /// The characters directly inside.
  package var text = ""

  package init(
    name: String,
    line: Int,
    attributes: [Attribute] = [],
    children: [XMLElement] = []
  ) {
    self.name = name
    self.line = line
    self.attributes = attributes
    self.children = children
  }

  /// A name and a value.
  package struct Attribute: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The value of an attribute, if the element has it.
  package subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  /// Returns the direct children of a name.
  package func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }
}
