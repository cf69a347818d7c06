package import ObjectModel

/// A place in a source file.
package struct SourcePlace: Hashable, Sendable {
  /// The file, as it was named to the reader.
  package var file: String
  /// The line, from 1.
  package var line: Int

  /// Returns the place as findings have it.
  package func finding(entity: String? = nil, property: String? = nil) -> Finding.Place {
    Finding.Place(file: file, line: line, entity: entity, property: property)
  }
}

extension SourcePlace: CustomStringConvertible {
  /// `file:line`, as editors and terminals make it a link.
  package var description: String { "\(file):\(line)" }
}
