import Files
import SwiftDataImport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Swift files of a folder, as tests read them.
enum SourceFolder {
  /// All Swift files below a folder.
  static func texts(below folder: String) throws -> [SourceText] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    return try names.filter { $0.hasSuffix(".swift") }.map { name in
      let data = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
      return SourceText(name: name, bytes: Array(data))
    }
  }
}
