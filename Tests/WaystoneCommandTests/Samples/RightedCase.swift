import Testing

/// A project of `Cases` whose verdict or migration was wrong once, and what the command has to say of it.
struct RightedCase: Sendable, CustomTestStringConvertible {
  /// A run of the command in a copy of the project, and what it has to say.
  struct Run: Sendable {
    let arguments: [String]
    let status: Int32
    let says: [String]
    let never: [String]
    /// A file that is gone, or written, before the run.
    var change: (file: String, text: String?)?

    init(
      _ command: String,
      _ status: Int32 = 0,
      _ says: String...,
      never: [String] = [],
      change: (file: String, text: String?)? = nil
    ) {
      arguments = command.split(separator: " ").map(String.init)
      (self.status, self.says, self.never, self.change) = (status, says, never, change)
    }
  }

  /// The name of the folder.
  let name: String
  /// The commands to run, one after the other.
  let runs: [Run]
  /// Counts in the tables of the results, by file and query.
  var counts: [(file: String, query: String, count: Int64)] = []

  var testDescription: String { name }

  /// Two results of one store, by the path that a plan takes and by the history, are the same.
  private static func sameByHistory(to version: String, _ more: String = "") -> [Run] {
    [
      Run("migrate s.sqlite --to \(version) -o r.sqlite\(more)"),
      Run("migrate s.sqlite --to \(version) --history -o h.sqlite\(more)"),
      Run("compare r.sqlite h.sqlite", 0, "equal"),
    ]
  }

  private static let falseLoss = ["loses", "WS722"]

  static let all = [
    RightedCase(
      name: "default-of-equal-hash",
      runs: [
        Run(
          "explain v1 v4",
          0,
          "inferred additive not equivalent",
          #"WS411 A.n gets "e" by the shortcut from v1 to v4; the history leaves it empty."#
        )
      ] + sameByHistory(to: "v4"),
      counts: [
        ("r.sqlite", "SELECT COUNT(*) FROM ZA", 60), ("r.sqlite", "SELECT COUNT(ZN) FROM ZA", 0),
      ]
    ),
    RightedCase(
      name: "int-to-double-default",
      runs: [
        Run("coverage", 0, "of 2 older versions, 2 arrive without loss.", never: falseLoss)
      ] + sameByHistory(to: "v3"),
      counts: [("r.sqlite", "SELECT COUNT(*) FROM ZA WHERE ZN = 0", 60)]
    ),
    RightedCase(
      name: "inverse-added-authored",
      runs: [
        Run(
          "plan s.sqlite --to v2",
          1,
          "authored conditional",
          "15 of 30 rows have more than one link"
        ),
        Run("migrate s.sqlite --to v2 -o r.sqlite", 4, "WS317: in G.cs, 15 rows"),
        Run(
          "migrate s.sqlite --to v2 -o r.sqlite --accept-changed-values",
          0,
          "WS317: in G.cs, 15 rows have more than one link"
        ),
        // The same step without the file.
        Run(
          "plan s.sqlite --to v2",
          1,
          "extended conditional",
          "15 of 30 rows have more than one link",
          change: ("v1-to-v2.hop.yml", nil)
        ),
        Run("migrate s.sqlite --to v2 -o i.sqlite", 4, "WS317: in G.cs, 15 rows"),
        Run("migrate s.sqlite --to v2 -o i.sqlite --accept-changed-values", 0, "WS317"),
        Run("compare r.sqlite i.sqlite", 0, "equal"),
      ]
    ),
    RightedCase(
      name: "inverse-added-inferred",
      runs: [
        Run("plan s.sqlite --to v2", 0, "In the store, 0 of 30 rows share a linked object"),
        Run("migrate s.sqlite --to v2 -o s2.sqlite"),
        Run(
          "plan shared.sqlite --to v2",
          1,
          "inferred conditional",
          "30 of 30 rows share a linked"
        ),
        Run(
          "migrate shared.sqlite --to v2 -o r.sqlite",
          4,
          "WS317: in B.a, 30 rows share a linked"
        ),
        Run(
          "migrate shared.sqlite --to v2 -o r.sqlite --accept-changed-values",
          0,
          "WS317: in B.a"
        ),
      ],
      counts: [
        ("shared.sqlite", "SELECT COUNT(ZB) FROM ZA", 30),
        ("r.sqlite", "SELECT COUNT(ZB) FROM ZA", 1),
        ("r.sqlite", "SELECT COUNT(ZA) FROM ZB", 1),
      ]
    ),
    RightedCase(
      name: "not-least-for-store",
      runs: [
        Run("explain s.sqlite v6", 0, "v1 → v4 → v6 It drops more, 5 against 4: E1.r0x is dropped"),
        Run("plan s.sqlite --to v6", 3, "v1 → v6 3 hops", "Drops data of 4 properties."),
      ]
    ),
    RightedCase(
      name: "one-many-one",
      runs: [
        Run(
          "coverage",
          1,
          "v1 arrives arrives, 1 hop",
          "error WS317",
          "of 2 older versions, 1 is unknown, 1 arrives without loss.",
          never: falseLoss
        ),
        Run(
          "coverage",
          0,
          "v1 arrives arrives, 1 hop",
          never: falseLoss,
          change: (
            "waystone.yml",
            "models: .\naccept: [{code: WS317, place: A.r, version: v3, reason: v2 was a beta.}]\n"
          )
        ),
      ] + sameByHistory(to: "v3")
    ),
    RightedCase(
      name: "out-of-hierarchy",
      runs: [
        Run("check", 1, "error WS707 v2 Folder.items:", never: ["Core Data infers no mapping"]),
        Run(
          "coverage",
          1,
          "v1 unknown no path",
          "WS325 Folder.items:",
          "v1: what the app does is unknown, Waystone has no path.",
          "of 1 older version, 1 is unknown.",
          never: ["Core Data infers no mapping", "fails"]
        ),
      ]
    ),
    RightedCase(
      name: "required-optional-required",
      runs: [
        Run("coverage", 0, "of 2 older versions, 2 arrive without loss.", never: falseLoss)
      ] + sameByHistory(to: "v3")
    ),
    RightedCase(
      name: "shipped-after-current",
      runs: [
        Run(
          "coverage",
          1,
          "Fails error WS105 Zeta: The order of the versions of M is in doubt: Zeta stands after",
          "Until it is known, what becomes of the versions of M is not told.",
          never: ["No gap", "WS721"]
        ),
        Run(
          "check",
          1,
          "error WS105 Zeta: The order of the versions of M is in doubt: Zeta stands after the current "
            + "version App 2 by the alphabet alone.",
          "waystone.lock 3 versions as locked"
        ),
      ]
    ),
    RightedCase(
      name: "to-one-to-subentity",
      runs: [
        Run(
          "migrate s.sqlite --to v2 -o r.sqlite",
          4,
          "WS317: in E.y, 2 rows have more than one link"
        ),
        Run(
          "migrate s.sqlite --to v2 -o r.sqlite --accept-changed-values",
          0,
          "E.y: 7 links find no place in the result",
          "F.x: 7 links find no place in the result",
          "verified"
        ),
        Run("verify r.sqlite", 0, "verified"),
      ]
    ),
  ]
}
