internal import MigrationReporting
internal import ObjectModel

/// The topics of `waystone help TOPIC` besides the verbs.
enum HelpTopic: String, CaseIterable {
  case exitCodes = "exit-codes"
  case findings
  case hopFiles = "hop-files"

  /// The topic that arguments ask for; nil where they ask for something else.
  init?(_ arguments: [String]) {
    guard arguments.count == 2, arguments[0] == "help" else { return nil }
    self.init(rawValue: arguments[1])
  }

  /// The text.
  var text: String {
    switch self {
    case .exitCodes:
      let rows = CommandStatus.allCases.map { status in
        let number = "\(status.rawValue)"
        return String(repeating: " ", count: 4 - number.count) + number + "  " + status.meaning
      }
      return "Exit codes of every verb:\n\n" + rows.joined(separator: "\n") + "\n"
    case .findings:
      return """
        A finding has a code, a severity, a place, its effect on data, and a fix.

          error    fails `check` and `coverage`, unless it is accepted with a reason
          warning  fails on a mapping, and where `policy: {maximum: warning}` says so
          note     fails nothing

          WS1xx    reading models
          WS2xx    models themselves
          WS3xx    steps between versions
          WS4xx    mappings, paths and runs
          WS5xx    stores
          WS6xx    objects that break the rules of their model
          WS7xx    the lock and what was shipped (WS70x, WS71x); the app itself, and trials (WS72x)

        `waystone rules` lists all codes; `waystone rules WS302` explains one.
        Accept a finding in waystone.yml:

          accept:
            - {code: WS302, place: Note.draft, version: v4, reason: Drafts live in files now.}

        Place and version are those that the finding names. Without a version it is accepted in all. One
        that converts numbers needs `change: integer64 to integer32` too.
        `coverage` takes a version that does not arrive (WS721, WS723, WS724) as accepted where each
        cause is, by its own code or as WS707, at the version that has it.

        """
    case .hopFiles:
      return """
        A hop file says how one version becomes another where that cannot be inferred. It is called
        v2-to-v3.hop.yml and lies with the models.

          waystone init --hop v2 v3        writes one, with a TODO where you decide
          waystone check --mappings FILE   says what it forgets

          from: v2
          to: v3
          entities:
            - source: Note
              where: title != nil                      # a filter
              attributes:
                body: null                             # the default, or nothing
                year: CAST($source.year, "NSNumber")   # an expression
              relationships:
                images: {from: pictures}
            - drop: Draft

        What the file does not name is carried. The article HopFiles of the documentation has the rest:
        split, merge, join, deduplicate, lookups, policies and SQL.

        """
    }
  }
}

extension CommandStatus {
  /// The meaning in a few words.
  var meaning: String {
    switch self {
    case .success: "done, or nothing to do"
    case .answerIsNo: "the answer is no: a check fails, a path has a gap, rows stand in the way"
    case .usage: "wrong usage or configuration"
    case .noPath: "no safe path, or the version of the store is unknown"
    case .migrationFailed: "the migration failed; the original is kept"
    case .verificationFailed: "verification failed; the original is kept"
    case .locked: "locked, or in use by another process"
    case .interrupted: "interrupted; `waystone resume` goes on"
    case .damagedInput: "an input file is damaged, or not what it should be"
    case .missingInput: "an input file is missing or cannot be read"
    case .cannotCreate: "the output cannot be created"
    case .inputOutput: "an I/O error, or the disk is full"
    }
  }
}
