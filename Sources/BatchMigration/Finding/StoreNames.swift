internal import Files
private import Foundation
internal import ObjectModel

/// The names of the stores of a batch, and their places in its output tree, so that none has another's.
///
/// It keeps digests, and the names of stores of earlier searches: memory grows with stores, never with
/// files.
struct StoreNames {
  private struct Key: Hashable {
    private var first: UInt64
    private var second: UInt64

    init(_ text: String) {
      let bytes = SHA256.hash(text.utf8)
      first = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
      second = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  /// The places that this search found.
  private var places: Set<Key> = []
  /// The names and destinations of stores of earlier searches, by place.
  private var known: [Key: (name: String, destination: String)] = [:]
  private var names: Set<Key> = []
  private var files: Set<Key> = []
  private var folders: Set<Key> = []

  /// Keeps the name and the destination of a store for it, which an earlier search found.
  mutating func reserve(_ store: FoundStore) {
    known[Key(store.place.text)] = (store.name, store.destination)
    names.insert(Key(store.name))
    keep(store.destination)
  }

  /// Keeps a file of the output tree from stores.
  mutating func reserve(file name: String) { keep(name) }

  /// Returns whether this search has not found the store at a place yet.
  func isNew(_ place: StorePlace) -> Bool { !places.contains(Key(place.text)) }

  /// Gives a store its name, without control characters, and its destination; where they are another's,
  /// with a suffix that follows from its place and its name.
  ///
  /// One that an earlier search found has them.
  ///
  /// - Parameter ending: The ending that the destination gets in place of the name's own; nil to keep it.
  mutating func add(
    _ name: String,
    _ place: StorePlace,
    ending: String? = nil
  ) -> (name: String, destination: String) {
    let place = place.text
    places.insert(Key(place))
    if let known = known[Key(place)] { return known }
    let unique = Self.free(ShownName.of(name), place) { !names.contains(Key($0)) }
    names.insert(Key(unique))
    var components = Self.components(of: unique).map(Self.safe)
    if let last = components.indices.last {
      if let ending { components[last] = Self.ending(components[last], ending) }
      components[last] = Self.fitting(components[last], of: unique)
    }
    // A folder may not have the name of a store, nor a store that of a folder.
    for count in 1..<max(1, components.count) {
      let folder = components[..<count].joined(separator: "/")
      let free = Self.free(folder, folder) { !files.contains(Self.folded($0)) }
      components.replaceSubrange(..<count, with: Self.components(of: free))
    }
    let destination = Self.free(components.joined(separator: "/"), unique) { name in
      let key = Self.folded(name)
      return !files.contains(key) && !folders.contains(key)
    }
    keep(destination)
    return (unique, destination)
  }

  /// Keeps the name and the destination of a store that another search found, or gives it free ones as
  /// ``add(_:_:)`` does; the store that is at its place already has its own.
  mutating func adopt(_ store: FoundStore) -> (name: String, destination: String) {
    if let known = known[Key(store.place.text)] { return known }
    var own = (name: store.name, destination: store.destination)
    if names.contains(Key(own.name)) || !isFree(own.destination) {
      own = add(own.name, store.place)
    } else {
      names.insert(Key(own.name))
      keep(own.destination)
    }
    known[Key(store.place.text)] = own
    return own
  }

  /// Returns whether neither a store nor a folder has a destination, and no store that of a folder in it.
  private func isFree(_ destination: String) -> Bool {
    let key = Self.folded(destination)
    guard !files.contains(key), !folders.contains(key) else { return false }
    let components = Self.components(of: destination)
    return (1..<max(1, components.count)).allSatisfy {
      !files.contains(Self.folded(components[..<$0].joined(separator: "/")))
    }
  }

  /// Returns the components of a name, split by bytes: a slash that a combining character follows is one too.
  private static func components(of name: String) -> [String] {
    name.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  private mutating func keep(_ destination: String) {
    files.insert(Self.folded(destination))
    var folder = Substring(destination)
    while let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) {
      folder = folder[..<slash]
      guard folders.insert(Self.folded(String(folder))).inserted else { break }
    }
  }

  /// Returns a name as file systems compare it that ignore case and normal form.
  private static func folded(_ name: String) -> Key {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return Key(name.lowercased()) }
    return Key(
      name.decomposedStringWithCanonicalMapping.uppercased().lowercased()
        .decomposedStringWithCanonicalMapping
    )
  }

  /// Returns the name, or the first free one with a suffix.
  private static func free(_ name: String, _ seed: String, _ isFree: (String) -> Bool) -> String {
    if isFree(name) { return name }
    let digits = Hexadecimal.string(SHA256.hash(seed.utf8))
    for count in stride(from: 8, through: digits.count, by: 8) {
      let other = suffixed(name, String(digits.prefix(count)))
      if isFree(other) { return other }
    }
    // All are taken only where a user took them on purpose.
    return free(name, seed + "+", isFree)
  }

  /// Returns the name with a suffix before its ending: `Notes-1a2b3c4d.sqlite`.
  private static func suffixed(_ name: String, _ suffix: String) -> String {
    let start = name.utf8.index(name.endIndex, offsetBy: -FileSystem.name(of: name).utf8.count)
    let dot = name[start...].lastIndex(of: ".").flatMap { $0 > start ? $0 : nil } ?? name.endIndex
    return "\(name[..<dot])-\(suffix)\(name[dot...])"
  }

  /// Returns the name with another ending.
  private static func ending(_ name: String, _ ending: String) -> String {
    let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil }
    return "\(name[..<(dot ?? name.endIndex)]).\(ending)"
  }

  /// Returns a component that leads to no other folder, and is no name of a file that a run or SQLite keeps
  /// beside a store.
  private static func safe(_ component: String) -> String {
    if component == "." || component == ".." {
      return String(repeating: "_", count: component.utf8.count)
    }
    let lower = component.lowercased()
    let endings = [".waystone", "_support", "-wal", "-shm", "-journal"]
    return endings.contains { lower.hasSuffix($0) } ? component + "_" : component
  }

  /// Returns a file's name that leaves room for the suffixes of files beside it: names take 255 bytes.
  private static func fitting(_ name: String, of seed: String) -> String {
    guard name.utf8.count > 160 else { return name }
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let ending = name[dot...].utf8.count <= 20 ? name[dot...] : ""
    var stem = name[..<dot]
    while stem.utf8.count > 130 { stem.removeLast() }
    return "\(stem)-\(Hexadecimal.string(SHA256.hash(seed.utf8)).prefix(8))\(ending)"
  }
}

extension StorePlace {
  /// A text that identifies the place.
  fileprivate var text: String {
    switch self {
    case .file(let path): "file\0\(path)"
    case .member(let archive, let files): "member\0\(archive)\0\(files[fileName] ?? "")"
    case .backup(let folder, let files): "backup\0\(folder)\0\(files[fileName] ?? "")"
    }
  }
}

extension StoreNames {
  /// A set of names, compared as the file systems do that distinguish the fewest.
  struct Seen {
    private var keys: Set<Key> = []

    /// Returns whether no name that is alike was there before.
    mutating func insert(_ name: String) -> Bool {
      keys.insert(StoreNames.folded(name)).inserted
    }
  }
}
