private import Foundation
internal import MigrationReporting
internal import Waystone

extension PageOrigin {
  /// The origin of a page about models, with what git knows of the folder around them.
  init(of modelsPath: String, _ console: Console) {
    let folder = ChangedFiles.folder(of: modelsPath)
    func ask(_ arguments: [String]) -> String? {
      let git = try? GitProcess(in: folder, environment: console.environment)
      let text = try? git?.text(arguments, orSay: "", "")
      return text?.trimmingCharacters(in: .newlines)
    }
    // The date of the sources, where a build that can be repeated names one.
    let epoch = console.environment["SOURCE_DATE_EPOCH"].flatMap { Int($0) }
    self.init(
      version: WaystoneProgram.version,
      app: ask(["rev-parse", "--show-toplevel"]).map { URL(fileURLWithPath: $0).lastPathComponent },
      commit: ask(["rev-parse", "--short=12", "HEAD"]),
      date: UniversalTime.text(epoch ?? Int(Date().timeIntervalSince1970))
        .prefix { $0 != " " }.description
    )
  }
}
