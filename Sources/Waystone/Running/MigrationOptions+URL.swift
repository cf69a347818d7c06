public import Foundation
internal import MigrationPlanning
public import StoreMigration

/// Files as URLs. One that is of no file is kept as it was given, and refused where it is to be used.
extension MigrationOptions {
  /// The file for the result; nil replaces the store itself, whose original is kept beside it.
  public var outputURL: URL? {
    get { url(output, "outputURL") }
    set { output = path(newValue, "outputURL") }
  }

  /// The mappings, or folders of them, that count instead of those beside the models.
  public var mappingURLs: [URL] {
    get {
      let foreign = foreignURLs["mappingURLs"].flatMap { URL(string: $0) }
      return mappings.map { URL(filePath: $0) } + [foreign].compactMap(\.self)
    }
    set {
      foreignURLs["mappingURLs"] = nil
      mappings = newValue.compactMap { url in
        guard url.isFileURL else {
          foreignURLs["mappingURLs"] = url.absoluteString
          return nil
        }
        return url.absolutePath
      }
    }
  }

  /// A new file for the run's certificate.
  public var certificateURL: URL? {
    get { url(settings.certificate, "certificateURL") }
    set { settings.certificate = path(newValue, "certificateURL") }
  }

  /// A store that Core Data made at the version wanted, which settles the names of join tables that
  /// the model leaves open.
  public var sampleURL: URL? {
    get { url(settings.sample, "sampleURL") }
    set { settings.sample = path(newValue, "sampleURL") }
  }

  private func url(_ path: String?, _ option: String) -> URL? {
    if let foreign = foreignURLs[option] { return URL(string: foreign) }
    return path.map { URL(filePath: $0) }
  }

  private mutating func path(_ url: URL?, _ option: String) -> String? {
    foreignURLs[option] = nil
    guard let url else { return nil }
    if url.isFileURL { return url.absolutePath }
    foreignURLs[option] = url.absoluteString
    return nil
  }

  /// Refuses URLs that are of no file.
  ///
  /// - Throws: ``WaystoneError`` with `badArgument`.
  func checkURLs() throws(WaystoneError) {
    do throws(MigrationError) { try requireFileURLs() } catch {
      throw WaystoneError(.badArgument, error.message, recovery: error.recovery)
    }
  }
}
