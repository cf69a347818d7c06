/// The origin of a page, which the head of the page names.
package struct PageOrigin: Hashable, Sendable {
  /// The version of the command.
  package var version: String
  /// The app, or the project's folder.
  package var app: String?
  /// The commit of the checked files.
  package var commit: String?
  /// The day when it was made.
  package var date: String?

  /// Makes an origin; the page leaves out what is nil.
  package init(version: String, app: String? = nil, commit: String? = nil, date: String? = nil) {
    self.version = version
    self.app = app
    self.commit = commit
    self.date = date
  }
}
