/// The declarations of an app's sources, by name.
///
/// Files count as one module, as an app's target does. Where a name is declared in several
/// files, the file that uses it wins, then its target, then the target that alone it imports of those; otherwise
/// the name is ambiguous. A name may begin with that of a target, `Sync.Item`.
package struct SourceModule: Sendable {
  /// A type, or an alias of one, found by name.
  enum Found: Hashable {
    case type(TypeDeclaration)
    case alias(TypeAlias)
  }

  /// The meaning of a name.
  enum Meaning: Hashable {
    /// A type that the sources declare.
    case type(TypeDeclaration)
    /// A spelling of a type that is no declaration of the sources, from inside of an alias.
    case spelled(SourceType, scope: [String], file: String)
    /// Declarations that differ, in several files.
    case ambiguous([SourcePlace])
    /// A name that a file may declare which was not read, or not as a whole.
    case hidden(String)
    /// The sources do not declare the name.
    case missing
  }

  /// The files, in the order in which they were read.
  package let files: [SourceFile]
  /// The forms of Swift types that stores of the app show, by their keys.
  var learned: [String: TypeForm] = [:]
  private let declared: [[String]: [Found]]
  private let extensions: [[String]: [TypeDeclaration]]
  /// The files that were not read as a whole, or not at all.
  private let gaps: [SourceFile]
  /// The target of each file, empty where it is not known, and the file's imports; none where no file has one.
  private let targets: [String: (module: String, imports: Set<String>)]

  /// The greatest number of aliases that lead from one to the next.
  static let longestChain = 32

  /// The module of some files.
  package init(_ files: [SourceFile]) {
    self.files = files
    var declared: [[String]: [Found]] = [:]
    for file in files {
      for type in file.types where type.kind != .extension {
        declared[type.path, default: []].append(.type(type))
      }
      for alias in file.aliases { declared[alias.path, default: []].append(.alias(alias)) }
    }
    // The contents of an alias's extension belong to the type that the alias names.
    var moved: [[String]: [Found]] = [:]
    for (path, found) in declared {
      let canonical = Self.canonical(path, in: declared)
      for var item in found {
        if case .type(var type) = item, canonical != path {
          type.path = canonical
          item = .type(type)
        }
        moved[canonical, default: []].append(item)
      }
    }
    self.declared = moved
    var extensions: [[String]: [TypeDeclaration]] = [:]
    for type in files.flatMap(\.types) where type.kind == .extension {
      extensions[Self.canonical(type.path, including: true, in: moved), default: []].append(type)
    }
    self.extensions = extensions
    gaps = files.filter { $0.hidden != HiddenDeclarations() }
    let hasTargets = files.contains { !$0.module.isEmpty }
    targets = Dictionary(
      (hasTargets ? files : []).map { ($0.name, ($0.module, Set($0.imports))) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns a path whose outer names are no aliases; its last name may be one unless it is included.
  private static func canonical(
    _ path: [String],
    including last: Bool = false,
    in declared: [[String]: [Found]]
  ) -> [String] {
    var left = longestChain
    return canonical(path, including: last, in: declared, &left)
  }

  private static func canonical(
    _ path: [String],
    including last: Bool,
    in declared: [[String]: [Found]],
    _ left: inout Int
  ) -> [String] {
    var result: [String] = []
    for (index, name) in path.enumerated() {
      result.append(name)
      guard last || index < path.count - 1 else { break }
      while left > 0, case .alias(let alias)? = declared[result]?.first,
        case .named(let target, let arguments) = alias.type, arguments.isEmpty
      {
        left -= 1
        let around = Array(alias.path.dropLast())
        let scopes = (0...around.count).reversed().map { Array(around.prefix($0)) + target }
        func isKnown(_ path: [String]) -> Bool { declared[path] != nil && path != result }
        // The outer names of what an alias names may be aliases, too.
        var next = scopes.first(where: isKnown)
        if next == nil {
          for scope in scopes where next == nil {
            let path = canonical(scope, including: false, in: declared, &left)
            if isKnown(path) { next = path }
          }
        }
        guard let next else { break }
        result = next
      }
    }
    return result
  }

  /// All types with a body, in the order of files and lines.
  package var types: [TypeDeclaration] {
    files.flatMap(\.types).filter { $0.kind != .extension }.compactMap { type in
      let path = Self.canonical(type.path, in: declared)
      return declared[path]?.lazy.compactMap { found in
        if case .type(let own) = found, own.place == type.place { own } else { nil }
      }.first
    }
  }

  /// Returns the extensions of a type.
  func extensions(of type: TypeDeclaration) -> [TypeDeclaration] { extensions[type.path] ?? [] }

  /// Returns a static property that extensions of a type of SwiftData's declare.
  func staticProperty(_ name: String, ofSwiftDataType type: String) -> PropertyDeclaration? {
    [[type], ["SwiftData", type]].lazy.flatMap { self.extensions[$0] ?? [] }
      .compactMap { $0.staticProperty(name) }.first
  }

  /// Returns the names behind the colons of a type and of its extensions.
  func conformances(of type: TypeDeclaration) -> Set<String> {
    let inherited = ([type] + extensions(of: type)).flatMap(\.inherited)
    return Set(
      inherited.compactMap { if case .named(let path, _) = $0 { path.last } else { nil } }
    )
  }

  /// Returns a type, and the classes and protocols of the sources from which it inherits.
  func ancestry(of type: TypeDeclaration) -> [TypeDeclaration] {
    [type]
      + parents(of: type.path).flatMap { declared[$0] ?? [] }.compactMap { found in
        if case .type(let parent) = found { parent } else { nil }
      }
  }

  /// Returns whether a type conforms to Codable, itself or by a protocol of the sources.
  func isCodable(_ type: TypeDeclaration) -> Bool {
    let names = ancestry(of: type).reduce(into: Set<String>()) {
      $0.formUnion(conformances(of: $1))
    }
    return names.contains("Codable") || names.isSuperset(of: ["Encodable", "Decodable"])
  }

  /// Returns a static property of a type or of its extensions.
  func staticProperty(_ name: String, of type: TypeDeclaration) -> PropertyDeclaration? {
    ([type] + extensions(of: type)).lazy.compactMap { $0.staticProperty(name) }.first
  }

  /// Returns whether a type, or an extension of it, declares a type of a name.
  func declares(_ name: String, in type: TypeDeclaration) -> Bool {
    declares(name, below: type.path)
  }

  /// Returns whether a namespace declares a type of a name.
  func declares(_ name: String, below path: [String]) -> Bool {
    declared[path + [name]] != nil
  }

  /// Returns the meaning of names joined by dots in a scope.
  ///
  /// - Parameters:
  ///   - scope: The names of the types around, the outermost first.
  ///   - file: The file that uses the name.
  func meaning(of path: [String], in scope: [String], file: String) -> Meaning {
    let hidden = gaps.first { !$0.hidden.names.isDisjoint(with: path) }
    if let hidden { return .hidden(hidden.name) }
    return meaning(of: path, in: scope, file: file, left: Self.longestChain)
  }

  /// Returns the file that was not read and that extends a type of a name, where there is one.
  func hiddenExtension(of type: TypeDeclaration) -> String? {
    gaps.first { $0.hidden.extended.contains(type.name) }?.name
  }

  private func meaning(of path: [String], in scope: [String], file: String, left: Int) -> Meaning {
    guard left > 0, let first = path.first else { return .missing }
    for depth in (0...scope.count).reversed() {
      let around = Array(scope.prefix(depth))
      if declared[around + [first]] != nil {
        return member(path, of: around, file: file, left: left)
      }
      if let parent = parents(of: around).first(where: { declared[$0 + [first]] != nil }) {
        return member(path, of: parent, file: file, left: left)
      }
    }
    return qualified(path, left: left)
  }

  /// Returns the meaning of a name that begins with that of a target.
  private func qualified(_ path: [String], left: Int) -> Meaning {
    guard path.count > 1,
      let found = declared[[path[1]]]?.first(where: { targets[$0.place.file]?.module == path[0] })
    else { return .missing }
    return member(Array(path.dropFirst()), of: [], file: found.place.file, left: left)
  }

  /// The greatest number of classes and protocols that are searched for an inherited name.
  private static let greatestAncestry = 256

  /// Returns the classes and protocols of the sources from which a type inherits, the nearest first; their
  /// own names are those of the scopes around.
  private func parents(of scope: [String]) -> [[String]] {
    var found = [scope]
    var next = 0
    while next < found.count, found.count <= Self.greatestAncestry {
      let path = found[next]
      next += 1
      let bodies = (declared[path] ?? []).compactMap { item in
        if case .type(let type) = item { type } else { nil }
      }
      for case .named(let name, _) in (bodies + (extensions[path] ?? [])).flatMap(\.inherited) {
        let around = path.dropLast()
        let parent = (0...around.count).reversed().lazy.map { around.prefix($0) + name }.first {
          declared[Array($0)] != nil
        }
        guard let parent else { continue }
        let canonical = Self.canonical(Array(parent), including: true, in: declared)
        if !found.contains(canonical) { found.append(canonical) }
      }
    }
    return Array(found.dropFirst())
  }

  /// Returns the meaning of names whose first one is declared directly in a scope.
  private func member(_ path: [String], of scope: [String], file: String, left: Int) -> Meaning {
    var scope = scope
    for (index, name) in path.enumerated() {
      let found: Found
      switch choice(scope + [name], file) {
      case .none: return .missing
      case .several(let places): return .ambiguous(places)
      case .one(let only): found = only
      }
      let rest = Array(path[(index + 1)...])
      switch found {
      case .type(let type):
        if rest.isEmpty { return .type(type) }
        scope = type.path
      case .alias(let alias):
        let around = Array(alias.path.dropLast())
        guard case .named(let target, let arguments) = alias.type, arguments.isEmpty else {
          return rest.isEmpty
            ? .spelled(alias.type, scope: around, file: alias.place.file) : .missing
        }
        // An alias of its own name means what is farther out.
        let outside = target.first == alias.path.last ? Array(around.dropLast()) : around
        let file = alias.place.file
        let next = meaning(of: target + rest, in: outside, file: file, left: left - 1)
        guard next == .missing else { return next }
        return .spelled(.named(target + rest), scope: [], file: file)
      }
    }
    return .missing
  }

  /// Returns the one of several declarations that is of a file's target, or of the only target that it
  /// imports of theirs.
  ///
  /// A file whose target is not known may be of the same one as any other such file.
  private func nearest(_ found: [Found], to file: String) -> Found? {
    guard let target = targets[file] else { return nil }
    let modules = found.map { targets[$0.place.file]?.module ?? "" }
    let own = found.indices.filter { modules[$0] == target.module }
    let imported = found.indices.filter { target.imports.contains(modules[$0]) }
    let seen = target.module.isEmpty ? own + imported : own.isEmpty ? imported : own
    return seen.count == 1 ? found[seen[0]] : nil
  }

  private enum Choice {
    case none
    case one(Found)
    case several([SourcePlace])
  }

  /// Returns the declaration of a path that counts for a file.
  private func choice(_ path: [String], _ file: String) -> Choice {
    guard let found = declared[path], let first = found.first else { return .none }
    if found.count == 1 { return .one(first) }
    let own = found.filter { $0.place.file == file }
    if own.count == 1 { return .one(own[0]) }
    if let near = nearest(found, to: file) { return .one(near) }
    return .several(found.map(\.place))
  }
}

extension SourceModule.Found {
  /// The place of the declaration.
  var place: SourcePlace {
    switch self {
    case .type(let type): type.place
    case .alias(let alias): alias.place
    }
  }
}
