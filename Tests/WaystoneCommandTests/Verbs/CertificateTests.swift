import Files
import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// The certificates of runs, and stores that are held against them.
@Suite struct CertificateTests {
  private static let models = SampleArchive.root

  /// A line of a certificate, as anybody reads it.
  private func lines(_ part: Any?, _ side: String) -> [[String: Any]] {
    (part as? [String: Any])?[side] as? [[String: Any]] ?? []
  }

  private func migrate(
    _ archive: String,
    to end: String,
    in folder: String,
    more: [String] = []
  ) throws -> [String: Any] {
    let models = "\(Self.models)/\(archive).xcdatamodeld"
    let made = CommandRun("generate", "v1", "-o", "S.sqlite", "--models", models, in: folder)
    try #require(made.status == .success, "\(made.errors)")
    let run = CommandRun(
      ["migrate", "S.sqlite", "--to", end, "-o", "R.sqlite", "--models", models]
        + ["--certificate", "C.json", "--allow-sql", "--accept-changed-values"] + more,
      in: folder
    )
    try #require(run.status == .success, "\(run.errors)")
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/C.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test(arguments: [("Letters", "v4"), ("Library", "v2"), ("People", "v2"), ("Aircraft", "v3")])
  func `a certificate counts what plain SQL counts, on both sides`(archive: String, end: String)
    throws
  {
    try TemporaryFolder.with { folder in
      let certificate = try migrate(archive, to: end, in: folder)
      #expect((certificate["hops"] as? [Any])?.isEmpty == false)
      #expect(JSONSchema.mistakes(inOutput: certificate) == [])
      let other = certificate.merging(["total": 1]) { $1 }
      #expect(!JSONSchema.mistakes(inOutput: other).isEmpty)
      for (file, side) in [("S", "departures"), ("R", "arrivals")] {
        let connection = try SQLiteConnection(path: "\(folder)/\(file).sqlite", access: .readOnly)
        let numbers = try connection.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY")
        var compared = 0
        for row in numbers {
          guard let name = row[0].text, let number = row[1].integer else { continue }
          let tables = try connection.rows(
            "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c "
              + "WHERE m.type = 'table' AND c.name = 'Z_ENT' AND m.name <> 'Z_PRIMARYKEY'"
          ).compactMap { $0[0].text }
          let objects = try tables.reduce(Int64(0)) { sum, table in
            try sum + connection.count("SELECT COUNT(*) FROM \"\(table)\" WHERE Z_ENT = \(number)")
          }
          let line = lines(certificate["total"], side).first {
            $0["entity"] as? String == name && $0["property"] == nil
          }
          #expect(line?["count"] as? Int ?? 0 == Int(objects), "\(side) \(name)")
          compared += Int(objects)
        }
        #expect(compared > 50)
      }
    }
  }

  @Test func `either end of a run is known by its certificate, and no other store`() throws {
    try TemporaryFolder.with { folder in
      _ = try migrate("Letters", to: "v4", in: folder)
      func verify(_ store: String) -> CommandRun {
        CommandRun(
          "verify",
          store,
          "--certificate",
          "C.json",
          "--models",
          "\(Self.models)/Letters.xcdatamodeld",
          in: folder
        )
      }
      #expect(verify("S.sqlite").output.contains("the source of the certified migration"))
      #expect(verify("R.sqlite").output.contains("the result of the certified migration"))
      do {
        let connection = try AppDatabase("\(folder)/R.sqlite")
        try connection.execute("UPDATE ZTOPIC SET ZNAME = 'another' WHERE Z_PK = 1")
      }
      let changed = verify("R.sqlite")
      #expect(changed.status == .answerIsNo, "\(changed.output)")
      #expect(changed.output.contains("Topic: its objects are not those that were certified"))
      #expect(
        changed.errors.contains("S.sqlite") == false && changed.errors.contains("changed since")
      )
      try TemporaryFolder.write(Array("{}".utf8), to: "\(folder)/C.json")
      #expect(verify("R.sqlite").errors.contains("C.json is not a certificate"))
    }
  }

  /// An edit of a certificate, and the words of the verification then.
  private static let edits: [(edit: String, end: String, names: [String])] = [
    ("total.departures", "S", ["by the total, and the store has", "before hop 1 (v1 to v2)"]),
    ("total.arrivals", "R", ["by the total, and the store has", "after hop 3 (v3 to v4)"]),
    (
      "hops.0.arrivals", "S",
      ["Enclosure: 201 objects after hop 1 (v1 to v2), and 200 before hop 2"]
    ),
    ("hops.1.departures", "R", ["200 objects after hop 1 (v1 to v2), and 201 before hop 2"]),
    ("hops.2.arrivals", "R", ["200 objects by the total, and 201 after hop 3 (v3 to v4)"]),
    ("source.entities", "S", ["200 objects by the total, and 201 by the digests of v1"]),
  ]

  @Test(arguments: edits.indices)
  func `an edited certificate is refused, and the finding says where`(edit number: Int) throws {
    let (edit, end, names) = Self.edits[number]
    try TemporaryFolder.with { folder in
      var certificate: Any = try migrate(
        "Letters",
        to: "v4",
        in: folder,
        more: ["--history", "--no-fuse"]
      )
      func verify() -> CommandRun {
        CommandRun(
          ["verify", "\(end).sqlite", "--certificate", "C.json"]
            + ["--models", "\(Self.models)/Letters.xcdatamodeld"],
          in: folder
        )
      }
      #expect(verify().status == .success, "\(verify().output)")
      Self.raise(&certificate, edit.split(separator: ".").map(String.init))
      try JSONSerialization.data(withJSONObject: certificate)
        .write(to: URL(fileURLWithPath: "\(folder)/C.json"))
      let run = verify()
      #expect(run.status == .answerIsNo, "\(run.output)")
      #expect(run.errors.contains("contradicts"), "\(run.errors)")
      for name in names { #expect(run.words.contains(name), "\(name) in \(run.output)") }
    }
  }

  /// Adds one to the first number of a list at a path.
  private static func raise(_ value: inout Any, _ path: [String]) {
    guard let key = path.first else {
      guard var lines = value as? [[String: Any]], !lines.isEmpty else { return }
      for key in ["count", "objects"] {
        if let count = lines[0][key] as? Int { lines[0][key] = count + 1 }
      }
      value = lines
      return
    }
    if var list = value as? [Any], let index = Int(key) {
      raise(&list[index], Array(path.dropFirst()))
      value = list
    } else if var object = value as? [String: Any], var member = object[key] {
      raise(&member, Array(path.dropFirst()))
      object[key] = member
      value = object
    }
  }

  /// An edit in the first line of some fate, and the words of the verification then.
  private static let fates: [(fate: String, new: String?, to: [String]?, name: String)] = [
    ("chosen", nil, [], "chosen in hop 1 (v1 to v2), and goes to nothing"),
    ("carried", "dropped", nil, "dropped in hop 1 (v1 to v2), and goes to"),
    ("carried", nil, [], "by its own line"),
    ("carried", nil, ["Category"], "which is not made of it by its own line"),
  ]

  @Test(arguments: fates.indices)
  func `what becomes of a line cannot be edited alone`(edit number: Int) throws {
    let (fate, new, to, name) = Self.fates[number]
    try TemporaryFolder.with { folder in
      var certificate = try migrate("Library", to: "v2", in: folder)
      var hops = try #require(certificate["hops"] as? [[String: Any]])
      var lines = lines(hops[0], "departures")
      let index = try #require(
        lines.firstIndex { $0["fate"] as? String == fate && $0["property"] != nil },
        "\(lines)"
      )
      if let new { lines[index]["fate"] = new }
      if let to { lines[index]["to"] = to }
      hops[0]["departures"] = lines
      certificate["hops"] = hops
      try JSONSerialization.data(withJSONObject: certificate)
        .write(to: URL(fileURLWithPath: "\(folder)/C.json"))
      let run = CommandRun(
        "verify",
        "R.sqlite",
        "--certificate",
        "C.json",
        "--models",
        "\(Self.models)/Library.xcdatamodeld",
        in: folder
      )
      #expect(run.status == .answerIsNo && run.words.contains(name), "\(run.output)")
    }
  }

  @Test func `what actions change is in no account, and a certificate says so`() throws {
    try TemporaryFolder.with { folder in
      let certificate = try migrate("Aircraft", to: "v3", in: folder)
      #expect((certificate["actions"] as? [Any])?.isEmpty == false)
      for end in ["S", "R"] {
        let run = CommandRun(
          ["verify", "\(end).sqlite", "--certificate", "C.json"]
            + ["--models", "\(Self.models)/Aircraft.xcdatamodeld", "--verbose"],
          in: folder
        )
        #expect(run.status == .success, "\(run.output)")
        #expect(run.words.contains("what the actions of hop"), "\(run.output)")
      }
    }
  }

  @Test(
    arguments: [["--verify", "none"], ["--accept-damaged-source", "-o", "R.sqlite"]]
  )
  func `a certificate needs a run that is verified, and a store that is whole`(more: [String]) {
    let run = CommandRun(["migrate", "S.sqlite", "--certificate", "C.json"] + more)
    #expect(run.status == .usage, "\(run.errors)")
  }

  @Test(arguments: [
    "R.sqlite", "R.sqlite-wal", "S.sqlite-journal", "R.sqlite.waystone", ".R_SUPPORT",
    "S.sqlite.waystone/hop-9.sqlite",
  ])
  func `a certificate takes no place that a store needs`(path: String) throws {
    try TemporaryFolder.with { folder in
      let models = "\(Self.models)/Letters.xcdatamodeld"
      let made = CommandRun("generate", "v1", "-o", "S.sqlite", "--models", models, in: folder)
      try #require(made.status == .success, "\(made.errors)")
      // What an earlier migration left; a run removes its checkpoints there.
      try FileSystem.ensureFolder(folder + "/S.sqlite.waystone")
      let run = CommandRun(
        ["migrate", "S.sqlite", "--to", "v4", "-o", "R.sqlite", "--models", models]
          + ["--certificate", path, "--accept-changed-values"],
        in: folder
      )
      #expect(run.status.rawValue == 73, "\(run.errors)")
      #expect(run.errors.contains("take the place of a file of the migration"), "\(run.errors)")
      #expect(Set(try FileSystem.names(inFolder: folder)) == ["S.sqlite", "S.sqlite.waystone"])
    }
  }

  @Test func `where nothing is to do, there is no certificate and the answer is no`() throws {
    try TemporaryFolder.with { folder in
      let models = "\(Self.models)/Letters.xcdatamodeld"
      let made = CommandRun("generate", "v4", "-o", "S.sqlite", "--models", models, in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let run = CommandRun(
        ["migrate", "S.sqlite", "--to", "v4", "--models", models, "--certificate", "C.json"],
        in: folder
      )
      #expect(
        run.status == .answerIsNo && run.output.contains("C.json is not written"),
        "\(run.output)"
      )
      #expect(run.errors.contains("C.json is not written, since nothing was migrated"))
      let arguments = ["migrate", "S.sqlite", "--to", "v4", "--models", models]
      #expect(CommandRun(arguments, in: folder).status == .success)
      #expect(
        CommandRun(arguments + ["--dry-run", "--certificate", "C.json"], in: folder).status
          == .answerIsNo
      )
      #expect(try !FileSystem.exists(folder + "/C.json"))
    }
  }

  @Test func `links that live on at their other end alone do not contradict a certificate`() throws
  {
    try TemporaryFolder.with { folder in
      func relationship(_ name: String, _ count: String, _ other: String, _ inverse: String)
        -> String
      {
        #"<relationship name="\#(name)" optional="YES" \#(count) deletionRule="Nullify" "#
          + #"destinationEntity="\#(other)" inverseName="\#(inverse)" inverseEntity="\#(other)"/>"#
      }
      let base = relationship("kids", #"toMany="YES" ordered="YES""#, "Sub", "up")
      let sub = relationship("up", #"maxCount="1""#, "Base", "kids")
      // What was a Sub owns no kids any more.
      try SketchedModel.write(
        [("v1", #"parentEntity="Base""#), ("v2", "")].map { version, parent in
          (
            version,
            #"<entity name="Base" syncable="YES">\#(base)</entity>"#
              + #"<entity name="Sub" \#(parent) syncable="YES">\#(sub)</entity>"#
          )
        },
        into: "\(folder)/ModelArchive"
      )
      try SketchedModel.write(
        """
        from: v1
        to: v2
        entities:
          - {source: Base, relationships: {kids: {from: kids}}}
          - {source: Sub, relationships: {up: {from: up}}}
        """,
        to: "\(folder)/ModelArchive/v1-v2.hop.yml"
      )
      let made = CommandRun("generate", "v1", "--rows", "40", "-o", "S.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let arguments =
        "migrate S.sqlite --to v2 -o R.sqlite --certificate C.json --accept-loss any"
        + " --accept-changed-values"
      let run = CommandRun(arguments.split(separator: " ").map(String.init), in: folder)
      try #require(run.status == .success, "\(run.errors)")
      let text = try String(contentsOfFile: "\(folder)/C.json", encoding: .utf8)
      #expect(text.contains(#""fate" : "unordered""#))
      let verified = CommandRun("verify", "R.sqlite", "--certificate", "C.json", in: folder)
      #expect(verified.status == .success, "\(verified.errors)")
    }
  }
}
