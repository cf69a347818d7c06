private import Synchronization

#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// A program that this one started, whose output is read as it comes.
///
/// It has no input and no terminal, so it cannot prompt the user, and blocks while its output is not
/// read. It and the programs that it starts are one group, which ends with its owner at the latest;
/// where this process is killed meanwhile, only if that was asked for.
package struct ChildProcess: ~Copyable {
  /// The end of a program.
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// The most bytes that a program may write to its standard error; one that writes more is ended.
  private static let greatestComplaint = 64 << 10

  /// A shell that becomes the program, and leaves a guard in its group: the guard ends the group when the
  /// other end of its input is closed, as the system does however this process ends.
  private static let guarding =
    "exec 3<&0 </dev/null; (read x <&3; kill -s KILL -- -$$) >/dev/null 2>&1 & exec \"$@\" 3<&-"

  private let process: pid_t
  private let output: OpenFile
  private let errors: OpenFile
  /// The end of the guarded program's input that is held open.
  private let lifeline: OpenFile?
  /// Milliseconds to wait for a byte; negative where there is no limit.
  private let patience: Int32
  private var said: [UInt8] = []
  private var saysMore = true
  private var isEnded = false
  /// Whether it was ended as it wrote nothing for longer than it may take.
  package private(set) var isOverdue = false

  /// The text that the program has written to its standard error so far.
  package var complaint: String { String(decoding: said, as: UTF8.self) }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: Its absolute path.
  ///   - environment: All that it gets of one.
  ///   - patience: The seconds for which it may write nothing before it is ended; nil for any number.
  ///   - isGuarded: Whether it also ends where this process is killed. It then needs a shell.
  /// - Throws: ``FileError``.
  package init(
    _ executable: String,
    _ arguments: [String],
    environment: [String: String],
    patience: Int? = nil,
    isGuarded: Bool = false
  ) throws(FileError) {
    try FileSystem.check(executable)
    for text in arguments { try FileSystem.check(text) }
    let words = [executable] + arguments
    let started = try Self.starting.withLock { (_: inout ()) throws(FileError) in
      try Self.start(
        isGuarded ? "/bin/sh" : executable,
        isGuarded ? ["sh", "-c", Self.guarding, "sh"] + words : words,
        environment.map { "\($0)=\($1)" }.sorted(),
        isGuarded: isGuarded
      )
    }
    process = started.process
    output = OpenFile(adopting: started.output, path: executable)
    errors = OpenFile(adopting: started.errors, path: executable)
    lifeline = started.lifeline.map { OpenFile(adopting: $0, path: executable) }
    self.patience = patience.map { Int32(clamping: $0 * 1000) } ?? -1
  }

  deinit {
    guard !isEnded else { return }
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
  }

  /// Fills bytes with the next ones, waiting for at least one.
  ///
  /// - Returns: The number of bytes; 0 at the end of the output, and where the program was ended because it
  ///   wrote too much to its standard error, or nothing for too long.
  /// - Throws: ``FileError``.
  package mutating func read(into bytes: inout [UInt8]) throws(FileError) -> Int {
    while true {
      let ready = try waitForEither()
      guard !isOverdue else { return 0 }
      if ready.errors { try hear() }
      guard said.count <= Self.greatestComplaint else { return 0 }
      guard ready.output else { continue }
      return try Self.receive(output.descriptor, &bytes, output.path)
    }
  }

  /// Ends the program, where it did not end by itself.
  package func end() { if !isEnded { kill(-process, SIGKILL) } }

  /// Waits until the program ended, and reads the rest of its standard error.
  ///
  /// Only where its output was read to the end, or after ``end()``: else it waits itself.
  ///
  /// - Throws: ``FileError``.
  package mutating func wait() throws(FileError) -> Ending {
    while saysMore, !isOverdue, said.count <= Self.greatestComplaint {
      if try waitForEither(output: false).errors { try hear() }
    }
    if saysMore { end() }
    var status: Int32 = 0
    let process = process
    _ = try FileSystem.retrying("wait for", output.path) { unsafe waitpid(process, &status, 0) }
    isEnded = true
    let signal = status & 0x7f
    return signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: signal)
  }

  /// Reads the next bytes of the standard error.
  private mutating func hear() throws(FileError) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try Self.receive(errors.descriptor, &bytes, errors.path)
    said += bytes[..<count]
    saysMore = count > 0
  }

  /// Waits for bytes of the outputs; a program that writes none for too long is ended.
  private mutating func waitForEither(
    output hasOutput: Bool = true
  ) throws(FileError) -> (output: Bool, errors: Bool) {
    var polled = [
      pollfd(fd: hasOutput ? output.descriptor : -1, events: Int16(POLLIN), revents: 0),
      // A negative number is passed over.
      pollfd(fd: saysMore ? errors.descriptor : -1, events: Int16(POLLIN), revents: 0),
    ]
    let patience = patience
    let count = try FileSystem.retrying("read from", output.path) {
      unsafe polled.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, 2, patience) }
    }
    if count == 0 {
      isOverdue = true
      end()
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

  /// A lock on starting a child: another child that begins between a pipe and its flag would keep it
  /// open.
  private static let starting = Mutex(())

  /// Starts a program whose outputs are two new pipes, and its input one where it is guarded.
  ///
  /// - Returns: Its number, the ends to read from, and the other end of its input.
  private static func start(
    _ executable: String,
    _ arguments: [String],
    _ environment: [String],
    isGuarded: Bool
  ) throws(FileError) -> (process: pid_t, output: Int32, errors: Int32, lifeline: Int32?) {
    var pipes: [[Int32]] = []
    do throws(FileError) {
      for _ in 0..<(isGuarded ? 3 : 2) { pipes.append(try pipe(executable)) }
      let ends = [pipes.count > 2 ? pipes[2][0] : nil, pipes[0][1], pipes[1][1]]
      let process = try spawn(executable, arguments, environment, ends)
      for end in ends.compactMap(\.self) { _ = close(end) }
      return (process, pipes[0][0], pipes[1][0], isGuarded ? pipes[2][1] : nil)
    } catch {
      for end in pipes.joined() { _ = close(end) }
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
    _ ends: [Int32?]
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
    for (number, end) in ends.enumerated() {
      if let end {
        unsafe posix_spawn_file_actions_adddup2(&actions, end, Int32(number))
      } else {
        unsafe posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDONLY, 0)
      }
    }
    // The child does not ignore or block the signals that this process does.
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
