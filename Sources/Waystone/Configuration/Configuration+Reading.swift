private import Foundation
internal import ModelImport
internal import Yams

extension Configuration {
  /// The largest file that is read, in bytes.
  private static let limit = 1 << 20

  /// Returns the configuration in a folder or in the nearest folder above it, or nil where there is
  /// none.
  ///
  /// - Throws: ``WaystoneError`` where the file cannot be used.
  package static func find(from folder: String) throws(WaystoneError) -> Configuration? {
    var folder = URL(fileURLWithPath: folder).standardizedFileURL.path
    while true {
      let path = (folder == "/" ? "" : folder) + "/" + fileName
      if try InputFile.exists(path) { return try read(path) }
      guard folder != "/", let slash = folder.lastIndex(of: "/") else { return nil }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
  }

  /// Returns the configuration in a file.
  ///
  /// - Throws: ``WaystoneError`` naming file and line where it cannot be used.
  package static func read(_ path: String) throws(WaystoneError) -> Configuration {
    let configuration = Configuration(path: path)
    let bytes: [UInt8]
    do throws(WaystoneError) {
      bytes = try InputFile.bytes(of: path, shownAs: path, limit: limit + 1)
    } catch {
      throw configuration.error(line: nil, error.message, recovery: error.recovery)
    }
    guard bytes.count <= limit, let text = String(validating: bytes, as: UTF8.self) else {
      throw configuration.error(
        line: nil,
        "The file is larger than 1 MiB or not UTF-8.",
        recovery: "Check that it is a configuration of Waystone."
      )
    }
    return try parse(text, path: path)
  }

  /// Returns the configuration that a text contains.
  ///
  /// - Throws: ``WaystoneError`` naming file and line where it cannot be used.
  package static func parse(_ text: String, path: String) throws(WaystoneError) -> Configuration {
    var configuration = Configuration(path: path)
    let root: Node?
    do {
      root = try Parser(yaml: text).singleRoot()
    } catch {
      let fault = YAMLFault(error)
      throw configuration.error(line: fault.line, fault.message, recovery: fault.recovery)
    }
    guard let root else { return configuration }
    // A document that begins and is empty.
    if case .scalar(let scalar) = root, scalar.string.isEmpty { return configuration }
    guard case .mapping(let mapping) = root else {
      throw configuration.error(
        line: root.mark?.line,
        "The file must hold keys and values.",
        recovery: "Write for example `models: ModelArchive`."
      )
    }
    for (key, value) in mapping { try configuration.take(key, value) }
    return configuration
  }

  private mutating func take(_ key: Node, _ value: Node) throws(WaystoneError) {
    switch key.scalar?.string {
    case "models": models = try entries(value, "models", "a path", "a list of paths")
    case "target": target = try entry(value, "target", "the name of a target")
    case "mappings": mappings = try entries(value, "mappings", "a path", "a list of paths")
    case "current": current = try entries(value, "current", "a version's name", "a list of names")
    case "order": try takeOrder(value)
    case "ignore": ignored = try list(value, "ignore")
    case "samples":
      guard case .mapping(let paths) = value else {
        throw expected("a path for each version", "samples", value)
      }
      for (version, path) in paths {
        let name = try entry(version, "samples", "a version's name").text
        samples[name] = try entry(path, "samples", "a path")
      }
    case "shipped":
      if case .mapping(let models) = value {
        for (model, versions) in models {
          shipped[try entry(model, "shipped", "a model's name").text] = try list(
            versions,
            "shipped"
          )
        }
      } else {
        shipped[""] = try list(value, "shipped")
      }
    case "configurations": configurationUse = try word(value, "configurations")
    case "cloudKit":
      guard let isUsed = value.bool else { throw expected("true or false", "cloudKit", value) }
      usesCloudKit = isUsed
    case "runtime": runtime = try word(value, "runtime")
    case "relies-on": reliance = try word(value, "relies-on")
    case "policy": policy = try Policy(value, in: self)
    case "policies": policies = try entries(value, "policies", "a path", "a list of paths")
    case "allowSQL": try takeSQL(value)
    case "swiftdata": swiftData = try SwiftDataKeys(value, in: self)
    case "accept":
      guard case .sequence(let nodes) = value else {
        throw expected("a list of findings, each with a code and a reason", "accept", value)
      }
      acceptances = try nodes.map { node throws(WaystoneError) in
        try Acceptance(node, in: self)
      }
    case let name:
      throw error(
        line: key.mark?.line,
        "There is no key \(name.map { "`\($0)`" } ?? "of that kind").",
        recovery: "The keys are models, target, mappings, current, order, ignore, samples, "
          + "shipped, runtime, configurations, cloudKit, relies-on, swiftdata, policies, policy, "
          + "allowSQL and accept."
      )
    }
  }

  /// Returns a word of a closed list.
  func word<Word>(_ node: Node, _ key: String, among words: [Word] = Word.words)
    throws(WaystoneError) -> Word where Word: ConfigurationWord
  {
    let text = node.scalar?.string
    if let word = words.first(where: { $0.rawValue == text }) { return word }
    let names = words.map(\.rawValue)
    throw expected(
      names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")",
      key,
      node
    )
  }

  func entry(_ node: Node, _ key: String, _ what: String) throws(WaystoneError) -> Entry {
    guard case .scalar(let scalar) = node, !scalar.string.isEmpty else {
      throw expected(what, key, node)
    }
    guard !scalar.string.utf8.contains(0) else {
      throw error(
        line: node.mark?.line,
        "A value of `\(key)` holds a NUL character.",
        recovery: "Remove it: no name and no path has one."
      )
    }
    return Entry(text: scalar.string, line: node.mark?.line ?? 1)
  }

  /// Returns the entries of a list, or the only one.
  private func entries(_ node: Node, _ key: String, _ one: String, _ list: String)
    throws(WaystoneError) -> [Entry]
  {
    guard case .sequence(let nodes) = node else {
      return [try entry(node, key, "\(one) or \(list)")]
    }
    return try nodes.map { node throws(WaystoneError) in try entry(node, key, list) }
  }

  func list(_ node: Node, _ key: String) throws(WaystoneError) -> Order {
    guard case .sequence(let nodes) = node else {
      throw expected("a list of versions\(key == "order" ? ", oldest first" : "")", key, node)
    }
    var names: [String] = []
    for node in nodes {
      let name = try entry(node, key, "a version's name")
      guard !names.contains(name.text) else {
        throw error(
          line: name.line,
          "Version \(name.text) stands twice in `\(key)`.",
          recovery: "Remove one of the two."
        )
      }
      names.append(name.text)
    }
    return Order(versions: names, line: node.mark?.line ?? 1)
  }

  func expected(_ what: String, _ key: String, _ node: Node) -> WaystoneError {
    error(
      line: node.mark?.line,
      "`\(key)` must be \(what).",
      recovery: "Correct the line named."
    )
  }
}
