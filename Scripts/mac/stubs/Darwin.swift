// The part of Darwin in which its C library differs from Linux's, as far as the Darwin branches of Sources use it:
// enough to type-check them. All else is Linux's own.
@_exported import Glibc

public let F_FULLFSYNC: Int32 = 51
public let POSIX_SPAWN_SETSID: Int32 = 0x0400

extension stat {
  public var st_mtimespec: timespec { st_mtim }
}

// MARK: Extended attributes, with a position and options

@discardableResult public func setxattr(
  _ path: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?, _ value: UnsafeRawPointer?, _ size: Int,
  _ position: UInt32, _ options: Int32
) -> Int32 { 0 }
@discardableResult public func getxattr(
  _ path: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?, _ value: UnsafeMutableRawPointer?, _ size: Int,
  _ position: UInt32, _ options: Int32
) -> Int { 0 }
@discardableResult public func listxattr(
  _ path: UnsafePointer<CChar>?, _ names: UnsafeMutablePointer<CChar>?, _ size: Int, _ options: Int32
) -> Int { 0 }
@discardableResult public func fclonefileat(
  _ source: Int32, _ folder: Int32, _ path: UnsafePointer<CChar>?, _ flags: Int32
) -> Int32 { 0 }

// MARK: Types that are pointers there, and structures on Linux

public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer
public typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t?>
public typealias Attributes = UnsafeMutablePointer<posix_spawnattr_t?>
@discardableResult public func posix_spawn_file_actions_init(_ actions: Actions?) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_destroy(_ actions: Actions?) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_addclose(_ actions: Actions?, _ file: Int32) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_addopen(
  _ actions: Actions?, _ file: Int32, _ path: UnsafePointer<CChar>?, _ flags: Int32, _ mode: mode_t
) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_adddup2(_ actions: Actions?, _ from: Int32, _ to: Int32) -> Int32 { 0 }
@discardableResult public func posix_spawnattr_init(_ attributes: Attributes?) -> Int32 { 0 }
@discardableResult public func posix_spawnattr_destroy(_ attributes: Attributes?) -> Int32 { 0 }
@discardableResult public func posix_spawnattr_setflags(_ attributes: Attributes?, _ flags: Int16) -> Int32 { 0 }
@discardableResult public func posix_spawnattr_setpgroup(_ attributes: Attributes?, _ group: pid_t) -> Int32 { 0 }
@discardableResult public func posix_spawnattr_setsigdefault(_ attributes: Attributes?, _ set: UnsafePointer<sigset_t>?) -> Int32 { 0 }
@discardableResult public func posix_spawnattr_setsigmask(_ attributes: Attributes?, _ set: UnsafePointer<sigset_t>?) -> Int32 { 0 }
@discardableResult public func posix_spawn(
  _ process: UnsafeMutablePointer<pid_t>?, _ path: UnsafePointer<CChar>?,
  _ actions: UnsafePointer<posix_spawn_file_actions_t?>?, _ attributes: UnsafePointer<posix_spawnattr_t?>?,
  _ words: UnsafePointer<UnsafeMutablePointer<CChar>?>?, _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 { 0 }
@discardableResult public func posix_spawnp(
  _ process: UnsafeMutablePointer<pid_t>?, _ path: UnsafePointer<CChar>?,
  _ actions: UnsafePointer<posix_spawn_file_actions_t?>?, _ attributes: UnsafePointer<posix_spawnattr_t?>?,
  _ words: UnsafePointer<UnsafeMutablePointer<CChar>?>?, _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 { 0 }

public typealias pthread_t = UnsafeMutablePointer<Int>
@discardableResult public func pthread_create(
  _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafePointer<pthread_attr_t>?,
  _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }
@discardableResult public func pthread_join(
  _ thread: pthread_t, _ value: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 { 0 }
@discardableResult public func pthread_self() -> pthread_t { fatalError("only to type-check") }

// MARK: Limits, whose kinds are numbers there

public let RLIMIT_FSIZE: Int32 = 1
@discardableResult public func getrlimit(_ kind: Int32, _ limit: UnsafeMutablePointer<rlimit>?) -> Int32 { 0 }
@discardableResult public func setrlimit(_ kind: Int32, _ limit: UnsafePointer<rlimit>?) -> Int32 { 0 }
