public import Foundation
public import StoreMigration

extension MigrationOptions {
  /// The file for the result; nil replaces the store itself, whose original is kept beside it.
  public var outputURL: URL? {
    get { output.map { URL(filePath: $0) } }
    set { output = newValue?.path(percentEncoded: false) }
  }

  /// The mappings, or folders of them, that count instead of those that lie with the models.
  public var mappingURLs: [URL] {
    get { mappings.map { URL(filePath: $0) } }
    set { mappings = newValue.map { $0.path(percentEncoded: false) } }
  }

  /// A new file for the certificate of what the run carried.
  public var certificateURL: URL? {
    get { settings.certificate.map { URL(filePath: $0) } }
    set { settings.certificate = newValue?.path(percentEncoded: false) }
  }

  /// A store that Core Data made at the version wanted, which settles the names of join tables that
  /// the model leaves open.
  public var sampleURL: URL? {
    get { settings.sample.map { URL(filePath: $0) } }
    set { settings.sample = newValue?.path(percentEncoded: false) }
  }
}
