import Files
import Testing

/// Programs that are started, and read as they go.
@Suite struct ChildProcessTests {
  private func shell(_ script: String) throws -> ChildProcess {
    try ChildProcess("/bin/sh", ["-c", script], environment: ["A": "b", "PATH": "/usr/bin:/bin"])
  }

  private func output(of child: inout ChildProcess) throws -> String {
    var all: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1000)
    while true {
      let count = try child.read(into: &bytes)
      if count == 0 { return String(decoding: all, as: UTF8.self) }
      all += bytes[..<count]
    }
  }

  @Test func `what it says comes by two ways, and its status at the end`() throws {
    var child = try shell("echo $A; echo wrong >&2; exit 3")
    #expect(try output(of: &child) == "b\n")
    #expect(try child.wait() == .exited(3))
    #expect(child.complaint == "wrong\n")
  }

  @Test func `it has no input`() throws {
    var child = try shell("cat; echo end")
    #expect(try output(of: &child) == "end\n")
    #expect(try child.wait() == .exited(0))
  }

  @Test(.timeLimit(.minutes(1)))
  func `one that writes nothing for too long is ended, with what it started`() throws {
    var child = try ChildProcess(
      "/bin/sh",
      ["-c", "sleep 600 & echo begun; wait"],
      environment: ["PATH": "/usr/bin:/bin"],
      patience: 1,
      isGuarded: true
    )
    #expect(try output(of: &child) == "begun\n")
    let isOverdue = child.isOverdue
    #expect(isOverdue)
    #expect(try child.wait() == .killed(signal: 9))
  }

  @Test func `a guarded one has no input, and its status at the end`() throws {
    var child = try ChildProcess(
      "/bin/sh",
      ["-c", "cat; echo \"$1\"; exit 3", "sh", "a b"],
      environment: ["PATH": "/usr/bin:/bin"],
      isGuarded: true
    )
    #expect(try output(of: &child) == "a b\n")
    #expect(try child.wait() == .exited(3))
  }

  @Test func `one that goes on for ever is ended`() throws {
    var child = try shell("while :; do echo more; done")
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(try child.read(into: &bytes) > 0)
    child.end()
    #expect(try child.wait() == .killed(signal: 9))
  }

  @Test func `one that complains for ever is ended`() throws {
    var child = try shell("while :; do echo password: >&2; done")
    #expect(try output(of: &child) == "")
    #expect(try child.wait() == .killed(signal: 9))
    #expect(child.complaint.hasPrefix("password:"))
  }

  @Test func `a program that is not there is an error`() {
    #expect(throws: FileError.self) {
      _ = try ChildProcess("/no/such", [], environment: [:]).complaint
    }
  }
}
