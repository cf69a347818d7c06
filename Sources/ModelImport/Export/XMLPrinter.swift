import XMLParsing

/// A printer of elements in the form of Xcode's model files: four spaces a level, no newline at the end.
struct XMLPrinter {
  private var text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#

  /// Returns the text of a file with this root, or nil where a value holds a character that no XML file
  /// can.
  static func file(_ root: XMLElement) -> String? {
    var printer = XMLPrinter()
    return printer.print(root, depth: 0) ? printer.text : nil
  }

  /// Returns a value as written in a file, or nil where it has a character that XML cannot contain.
  static func escaped(_ value: String) -> String? {
    var printer = XMLPrinter()
    printer.text = ""
    return printer.append(value) ? printer.text : nil
  }

  private mutating func print(_ element: XMLElement, depth: Int) -> Bool {
    let margin = "\n" + String(repeating: "    ", count: depth)
    text += margin + "<" + element.name
    for attribute in element.attributes {
      text += " \(attribute.name)=\""
      guard append(attribute.value) else { return false }
      text += "\""
    }
    guard !element.children.isEmpty else {
      text += "/>"
      return true
    }
    text += ">"
    for child in element.children {
      guard print(child, depth: depth + 1) else { return false }
    }
    text += margin + "</\(element.name)>"
    return true
  }

  /// Appends a value so that a parser gives back the same: newlines and tabs as references, since
  /// XML turns bare ones into spaces (XML 1.0, 3.3.3).
  private mutating func append(_ value: String) -> Bool {
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\t", "\n", "\r": text += "&#\(scalar.value);"
      // XML 1.0, 2.2: these are no characters.
      case "\0"..."\u{1f}", "\u{fffe}", "\u{ffff}": return false
      default: text.unicodeScalars.append(scalar)
      }
    }
    return true
  }
}

extension XMLElement {
  /// An element to be printed, without the attributes whose value is nil.
  init(_ name: String, _ attributes: [(String, String?)], children: [XMLElement] = []) {
    self.init(name: name, line: 0)
    self.attributes = attributes.compactMap { name, value in
      value.map { Attribute(name: name, value: $0) }
    }
    self.children = children
  }
}
