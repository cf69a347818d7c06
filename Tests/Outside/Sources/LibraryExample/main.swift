// Brings a store to the current version of its models: LibraryExample MODELS STORE
import Foundation
import NotesPolicies
import Waystone

typealias ImagePolicy = ImageAttachmentPolicy

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  print("usage: LibraryExample MODELS STORE")
  exit(2)
}
let url = URL(filePath: arguments[1])
let storeURL = URL(filePath: arguments[2])

// The example of the documentation (Waystone.docc/Library.md), line by line.
let models = try ModelArchive(contentsOf: url)
let store = try Store(reading: storeURL)
var options = MigrationOptions()
options.register(ImagePolicy.self)
let plan = try models.plan(for: store, to: .current, options)
guard plan.isSafe else { throw plan.blockers }
options.onProgress = { print($0.completedRows, $0.totalRows ?? 0) }
let outcome = try plan.migrate(store, options)
try Run(resuming: storeURL).resume()

let result = models.identify(try Store(reading: storeURL))
guard let version = result.versions.last, version.isCurrent else {
  print("The store is of no current version.")
  exit(1)
}
// What a team checks before a release, as the documentation says it.
var project = try Project(at: url)
project.registry.register(ImagePolicy.self)
let check = try project.check()
let coverage = try project.coverage()
let lock = try project.lockUpdate()
print("check: \(check.failures.count) failures, \(check.versions?.lockedCount ?? 0) locked")
print("coverage: \(coverage.totals.reachable) of \(coverage.totals.paths) versions have a path")
print("lock: \(lock.added.count) new, \(lock.locked.count) in all")

print("\(version.qualifiedName), hops: \(outcome.hops), original kept: \(outcome.backup != nil)")
