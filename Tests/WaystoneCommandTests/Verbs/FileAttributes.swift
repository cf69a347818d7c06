import Foundation

/// Extended attributes of files, by the tools of the system.
struct FileAttributes: Sendable {
  /// Gives a file an attribute.
  ///
  /// - Returns: Whether the file system has such attributes.
  func set(_ path: String, _ name: String, _ value: String) -> Bool {
    run(
      ["-c", "import os,sys; os.setxattr(sys.argv[1], sys.argv[2], sys.argv[3].encode())"]
        + [path, name, value]
    ) != nil
  }

  /// The text of an attribute; nil where there is none.
  func get(_ path: String, _ name: String) -> String? {
    run(
      ["-c", "import os,sys; print(os.getxattr(sys.argv[1], sys.argv[2]).decode(), end='')"]
        + [path, name]
    )
  }

  private func run(_ arguments: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? text : nil
  }
}
