package import Foundation

/// The task of a batch, which no later command changes but for the place of its output tree.
package struct BatchDescription: Hashable, Sendable {
  /// The identifier of the batch, which no other batch has.
  package var id: String
  /// The time when its ledger was made.
  package var created: Date
  /// The program that made the ledger, and its version.
  package var tool: String
  /// The version that stores are brought to.
  package var version: String
  /// The absolute path of the output tree; nil for stores that are migrated in place.
  ///
  /// A tree that was moved or copied with its ledger in it is at the ledger's place.
  package var output: String?
  /// The options that decide what becomes of a store, by name.
  package var options: [String: String]
  /// The part of the stores that the ledger is for; nil for all.
  package var shard: BatchShard?

  /// The description of a new batch.
  package init(
    id: String = UUID().uuidString.lowercased(),
    created: Date = Date(),
    tool: String,
    version: String,
    output: String?,
    options: [String: String] = [:],
    shard: BatchShard? = nil
  ) {
    self.id = id
    self.created = created
    self.tool = tool
    self.version = version
    self.output = output
    self.options = options
    self.shard = shard
  }
}
