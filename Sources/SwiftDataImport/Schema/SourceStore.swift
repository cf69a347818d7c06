/// A store that an app's sources give a container of SwiftData.
package struct SourceStore: Hashable, Sendable {
  /// The file of the store, as far as the sources give it.
  package enum File: Hashable, Sendable {
    /// The file that SwiftData chooses without a name or URL.
    case standard
    /// The file of a configuration with this name; nil where the sources compute the name.
    case named(String?)
    /// A file that a URL names; nil where the sources compute the name.
    case atURL(String?)
  }

  /// The file.
  package let file: File
  /// Whether it is in a group container.
  package let isInGroup: Bool
  /// The call that gives it.
  package let place: SourcePlace

  /// Returns the stores of the configurations that some files make, each file once; where they make none, that of
  /// the first container.
  ///
  /// Stores in memory and those of previews are left out.
  static func stores(of files: [SourceFile]) -> [SourceStore] {
    let calls = files.flatMap(\.configurations).filter { !$0.isOfCoreData && !$0.isTemporary }
    let stores = calls.map { call in
      SourceStore(file: file(of: call), isInGroup: call.hasGroupContainer, place: call.place)
    }
    guard stores.isEmpty else {
      var seen: Set<File> = []
      return stores.filter { seen.insert($0.file).inserted }
    }
    let container = files.flatMap(\.containers).first {
      $0.callee != "Schema" && $0.isTemporary == false
    }
    return container.map { [SourceStore(file: .standard, isInGroup: false, place: $0.place)] } ?? []
  }

  private static func file(of call: ConfigurationCall) -> File {
    file(name: call.name, url: call.url)
  }

  private static func file(name: SourceExpression?, url: SourceExpression?) -> File {
    if let url {
      let text = lastText(in: url)
      return .atURL(text.flatMap { $0.split(separator: "/").last.map(String.init) })
    }
    guard let name, name != .null else { return .standard }
    if case .string(let text) = name { return .named(text) }
    return .named(nil)
  }

  /// Returns the stores that a call's container opens, without those in memory; empty where the call does not
  /// show them.
  static func stores(of call: ContainerCall) -> [SourceStore] {
    guard call.callee != "Schema", call.callee != "DocumentGroup" else { return [] }
    guard !call.configurations.isEmpty else {
      return [SourceStore(file: .standard, isInGroup: false, place: call.place)]
    }
    return call.configurations.compactMap { store(of: $0, at: call.place) }
  }

  /// Returns the store of a configuration that a call is given; nil where it is in memory.
  static func store(of configuration: SourceExpression, at place: SourcePlace) -> SourceStore? {
    guard case .call(_, let arguments) = configuration else {
      return SourceStore(file: .named(nil), isInGroup: false, place: place)
    }
    func value(_ label: String) -> SourceExpression? {
      arguments.first { $0.label == label }?.value
    }
    guard value("isStoredInMemoryOnly") != .boolean(true) else { return nil }
    let group = value("groupContainer")
    // Later arguments without a label are classes: `ModelConfiguration(for: A.self, B.self)`.
    let name = arguments.first.flatMap { $0.label == nil ? $0.value : nil }
    return SourceStore(
      file: file(name: name, url: value("url")),
      isInGroup: group != nil && group != .member(["none"]),
      place: place
    )
  }

  /// The name of the file without extension, as far as the sources give it.
  var fileName: String? {
    switch file {
    case .standard: "default"
    case .named(let name): name
    case .atURL(let name):
      name.map { name in
        name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
      }
    }
  }

  /// Returns the last literal text of an expression that makes a URL.
  private static func lastText(in value: SourceExpression) -> String? {
    switch value {
    case .string(let text): text
    case .call(let callee, let arguments):
      arguments.reversed().lazy.compactMap { lastText(in: $0.value) }.first ?? lastText(in: callee)
    default: nil
    }
  }
}
