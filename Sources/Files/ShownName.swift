/// A name as a report shows it.
package enum ShownName {
  /// Returns the name with its control characters escaped.
  package static func of(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "") { text, scalar in
      text +=
        scalar.properties.generalCategory == .control
        ? scalar.escaped(asASCII: true) : String(scalar)
    }
  }
}
