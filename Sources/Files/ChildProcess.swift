private import Synchronization

#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// A program that this one started, whose output is read as it comes.
///
/// It has no input and no terminal, so that it cannot ask anybody anything, and waits as long as its
/// output is not read. It ends with its owner at the latest.
package struct ChildProcess: ~Copyable {
  /// How a program ended.
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// The most bytes that a program may say on its standard error; one that says more is ended.
  private static let greatestComplaint = 64 << 10

  private let process: pid_t
  private let output: OpenFile
  private let errors: OpenFile
  private var said: [UInt8] = []
  private var saysMore = true
  private var isEnded = false

  /// What it said on its standard error so far.
  package var complaint: String { String(decoding: said, as: UTF8.self) }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: Its absolute path.
  ///   - environment: All that it gets of one.
  /// - Throws: ``FileError``.
  package init(
    _ executable: String,
    _ arguments: [String],
    environment: [String: String]
  ) throws(FileError) {
    try FileSystem.check(executable)
    for text in arguments { try FileSystem.check(text) }
    let started = try Self.starting.withLock { (_: inout ()) throws(FileError) in
      try Self.start(
        executable,
        [executable] + arguments,
        environment.map { "\($0)=\($1)" }.sorted()
      )
    }
    process = started.process
    output = OpenFile(adopting: started.output, path: executable)
    errors = OpenFile(adopting: started.errors, path: executable)
  }

  deinit {
    guard !isEnded else { return }
    kill(process, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
  }

  /// Fills bytes with what comes next, waiting for at least one.
  ///
  /// - Returns: How many came; 0 at the end of the output, and where the program was ended as it said
  ///   too much.
  /// - Throws: ``FileError``.
  package mutating func read(into bytes: inout [UInt8]) throws(FileError) -> Int {
    while true {
      let ready = try waitForEither()
      if ready.errors { try hear() }
      guard said.count <= Self.greatestComplaint else { return 0 }
      guard ready.output else { continue }
      return try Self.receive(output.descriptor, &bytes, output.path)
    }
  }

  /// Ends the program, where it did not end by itself.
  package func end() { if !isEnded { kill(process, SIGKILL) } }

  /// Waits until the program ended; what it still says on its standard error is heard.
  ///
  /// Only where its output was read to the end, or after ``end()``: else it waits itself.
  ///
  /// - Throws: ``FileError``.
  package mutating func wait() throws(FileError) -> Ending {
    while saysMore, said.count <= Self.greatestComplaint { try hear() }
    if saysMore { end() }
    var status: Int32 = 0
    let process = process
    _ = try FileSystem.retrying("wait for", output.path) { unsafe waitpid(process, &status, 0) }
    isEnded = true
    let signal = status & 0x7f
    return signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: signal)
  }

  /// Takes what is said on the standard error.
  private mutating func hear() throws(FileError) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try Self.receive(errors.descriptor, &bytes, errors.path)
    said += bytes[..<count]
    saysMore = count > 0
  }

  private func waitForEither() throws(FileError) -> (output: Bool, errors: Bool) {
    var polled = [
      pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0),
      // A negative number is passed over.
      pollfd(fd: saysMore ? errors.descriptor : -1, events: Int16(POLLIN), revents: 0),
    ]
    _ = try FileSystem.retrying("read from", output.path) {
      unsafe polled.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, 2, -1) }
    }
    return (polled[0].revents != 0, polled[1].revents != 0)
  }

  private static func receive(
    _ descriptor: Int32,
    _ bytes: inout [UInt8],
    _ path: String
  ) throws(FileError) -> Int {
    try FileSystem.retrying("read from", path) {
      unsafe bytes.withUnsafeMutableBytes { unsafe receiving(descriptor, $0.baseAddress, $0.count) }
    }
  }

  /// One at a time: another child that begins between a pipe and its flag would keep it open.
  private static let starting = Mutex(())

  /// Starts a program whose outputs are two new pipes.
  ///
  /// - Returns: Its number, and the ends to read from.
  private static func start(
    _ executable: String,
    _ arguments: [String],
    _ environment: [String]
  ) throws(FileError) -> (process: pid_t, output: Int32, errors: Int32) {
    let output = try pipe(executable)
    let errors: [Int32]
    do throws(FileError) { errors = try pipe(executable) } catch {
      for end in output { _ = close(end) }
      throw error
    }
    defer { for end in [output[1], errors[1]] { _ = close(end) } }
    do throws(FileError) {
      let process = try spawn(executable, arguments, environment, output[1], errors[1])
      return (process, output[0], errors[0])
    } catch {
      for end in [output[0], errors[0]] { _ = close(end) }
      throw error
    }
  }

  /// Makes a pipe: the end to read from, and the one to write to.
  private static func pipe(_ path: String) throws(FileError) -> [Int32] {
    var ends: [Int32] = [-1, -1]
    _ = try FileSystem.retrying("make a pipe to", path) { making(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  private static func spawn(
    _ executable: String,
    _ arguments: [String],
    _ environment: [String],
    _ output: Int32,
    _ errors: Int32
  ) throws(FileError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let newSession = Int16(POSIX_SPAWN_SETSID)
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      // POSIX_SPAWN_SETSID of <spawn.h>, which Swift sees only with _GNU_SOURCE.
      let newSession: Int16 = 0x80
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
    // What this process ignores or blocks, the child does not.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes,
      newSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
    )
    let argv = unsafe arguments.map { unsafe strdup($0) }
    let envp = unsafe environment.map { unsafe strdup($0) }
    defer { unsafe (argv + envp).forEach { unsafe free($0) } }
    var process: pid_t = 0
    let number = unsafe posix_spawn(
      &process,
      executable,
      &actions,
      &attributes,
      argv + [nil],
      envp + [nil]
    )
    guard number == 0 else { throw FileError(number: number, deed: "run", path: executable) }
    return process
  }
}

private func making(_ ends: inout [Int32]) -> Int32 { unsafe pipe(&ends) }
private func receiving(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  unsafe read(descriptor, start, count)
}
