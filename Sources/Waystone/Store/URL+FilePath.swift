internal import Foundation

extension URL {
  /// The absolute path of a file.
  ///
  /// - Throws: ``WaystoneError``, `badArgument` where the URL is of no file.
  var filePath: String {
    get throws(WaystoneError) {
      guard isFileURL else {
        throw WaystoneError(
          .badArgument,
          "\(absoluteString) is not the URL of a file.",
          recovery: "Make one with URL(filePath:)."
        )
      }
      return absolutePath
    }
  }

  /// The absolute path of a URL that is of a file.
  var absolutePath: String {
    var path = absoluteURL.path(percentEncoded: false)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
