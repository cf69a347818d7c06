internal import Files
private import Foundation
internal import MigrationReporting
internal import Waystone

extension PageOrigin {
  /// Makes the origin of a page about models, with git's facts on the folder around them.
  init(of modelsPath: String, _ console: Console) {
    let repository = try? GitRepository(around: modelsPath, environment: console.environment)
    // The date of the sources, where a build that can be repeated names one.
    let epoch = console.environment["SOURCE_DATE_EPOCH"].flatMap { Int($0) }
    self.init(
      version: WaystoneProgram.version,
      app: repository.map { FileSystem.name(of: $0.root) },
      commit: (try? repository?.commit("HEAD"))?.prefix(12).description,
      date: UniversalTime.text(epoch ?? Int(Date().timeIntervalSince1970))
        .prefix { $0 != " " }.description
    )
  }
}
