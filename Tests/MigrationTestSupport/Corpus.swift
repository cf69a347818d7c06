#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Models, mapping models and stores of public apps, which the project tests against and never
/// contains.
///
/// The folder is named by the environment variable `WAYSTONE_CORPUS`, else it is `shared/corpus`
/// beside the project's folder. Tests that need it say so and are skipped where it is absent.
public enum Corpus {
  /// The folder, or nil where there is none.
  public static let root: String? = {
    let environment = ProcessInfo.processInfo.environment
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let candidate = environment["WAYSTONE_CORPUS"] ?? "/\(package)/../shared/corpus"
    var isDirectory: Bool = false
    guard FileManager.default.fileExists(atPath: candidate, isDirectory: &isDirectory),
      isDirectory
    else {
      print("The corpus of public apps is absent (set WAYSTONE_CORPUS): its tests are skipped.")
      return nil
    }
    return candidate
  }()

  /// Whether the folder is there, for `.enabled(if:)`.
  public static var isPresent: Bool { root != nil }

  /// The paths of all files below the folder for which the predicate holds, in byte order.
  public static func files(where isWanted: (String) -> Bool) -> [String] {
    guard let root, let walk = try? FileManager.default.subpathsOfDirectory(atPath: root) else {
      return []
    }
    return walk.filter { isWanted($0) }.sorted().map { root + "/" + $0 }
  }

  /// The path of one file or folder of the corpus, whether or not it exists.
  public static func path(_ relative: String) -> String { (root ?? "") + "/" + relative }
}
