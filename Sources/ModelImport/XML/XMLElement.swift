/// An element of a parsed XML file.
struct XMLElement: Hashable, Sendable {
  /// The name, with its prefix where it has one.
  var name: String
  /// The line on which the start tag ends, from 1.
  var line: Int
  /// The attributes in the order of the file.
  var attributes: [Attribute] = []
  /// The elements inside.
  var children: [XMLElement] = []
  /// The characters directly inside.
  var text = ""

  /// A name and a value.
  struct Attribute: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// The value of an attribute, if the element has it.
  subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  /// Returns the direct children of a name.
  func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }
}
