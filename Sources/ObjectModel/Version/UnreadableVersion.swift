/// A version of a model whose file cannot be read.
///
/// Its declarations are not known, so that no step into it or out of it is known either.
public struct UnreadableVersion: Hashable, Sendable {
  /// The version's own name: that of the `.xcdatamodel`, without extension.
  public var name: String
  /// The name of the model that declares it, where it is in a history of several models; nil else.
  package var modelName: String?
  /// Whether `.xccurrentversion` names it.
  public var isCurrent = false
  /// The names of the versions that come next after it, of those that can be read.
  public var followers: [String] = []
  /// The reason that it cannot be read, in one sentence.
  public var reason: String
  /// The user's remedy.
  public var remedy = "Restore it from version control."

  /// A version by its name.
  public init(name: String, reason: String) {
    self.name = name
    self.reason = reason
  }
}

extension VersionedModel {
  /// Returns whether a name is that of a version that cannot be read, and of none that can.
  package func hasUnreadable(_ wanted: String) -> Bool {
    func isNamed(_ version: String) -> Bool {
      version == wanted || qualifiedName(of: version) == wanted
    }
    return unreadable.contains { isNamed($0.name) } && !versions.contains { isNamed($0.name) }
  }

  /// Returns whether a name is that of a version that the project leaves out, and of none that it has.
  package func hasIgnored(_ wanted: String) -> Bool {
    func isNamed(_ version: String) -> Bool {
      version == wanted || qualifiedName(of: version) == wanted
    }
    return ignoredNames.contains(where: isNamed) && !versions.contains { isNamed($0.name) }
  }

  /// Returns the versions that cannot be read and are between two positions of the versions, the lesser
  /// excluded.
  package func unreadable(between first: Int, and last: Int) -> [UnreadableVersion] {
    guard !unreadable.isEmpty else { return [] }
    var passed: Set<String> = []
    var seen: Set<Int> = []
    var rest = [Swift.max(first, last)]
    while let position = rest.popLast() {
      guard position > Swift.min(first, last), seen.insert(position).inserted else { continue }
      passed.insert(versions[position].name)
      rest += parentPositions(of: position)
    }
    return unreadable.filter { version in version.followers.contains { passed.contains($0) } }
  }

  /// Returns the model with the followers of its unreadable versions, which are part of a list of all names.
  package func placingUnreadable(in names: [String]) -> VersionedModel {
    var result = self
    let readable = Set(versions.map(\.name))
    for index in result.unreadable.indices {
      let place = names.firstIndex(of: result.unreadable[index].name) ?? names.endIndex
      let next = names[place...].first { readable.contains($0) }
      result.unreadable[index].followers = next.map { [$0] } ?? []
    }
    return result
  }

  /// Returns the model with the followers of its unreadable versions, and the parents of the others:
  /// where one follows an unreadable version, it follows what that does.
  package func bridged(
    _ parents: [String: [String]]
  ) -> (model: VersionedModel, parents: [String: [String]]) {
    guard !unreadable.isEmpty else { return (self, parents) }
    let gone = Set(unreadable.map(\.name))
    var result = self
    for index in result.unreadable.indices { result.unreadable[index].followers = [] }
    var bridged = parents.filter { !gone.contains($0.key) }
    for (name, direct) in bridged {
      var found: [String] = []
      var seen: Set<String> = []
      var rest = Array(direct.reversed())
      while let parent = rest.popLast() {
        guard seen.insert(parent).inserted else { continue }
        if gone.contains(parent) {
          rest += parents[parent] ?? []
          for index in result.unreadable.indices where result.unreadable[index].name == parent {
            result.unreadable[index].followers.append(name)
          }
        } else {
          found.append(parent)
        }
      }
      bridged[name] = found
    }
    for index in result.unreadable.indices { result.unreadable[index].followers.sort() }
    return (result, bridged)
  }
}
