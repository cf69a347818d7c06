#if canImport(Darwin)
  private import Darwin
#elseif canImport(Musl)
  private import Musl
#else
  private import Glibc
#endif

/// A thread that runs one closure.
///
/// A thread and not a task, as what waits for it is a plain function that callers need not await.
@safe package struct WorkThread {
  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  private let thread: pthread_t

  /// Starts a thread; nil where the system has none left.
  ///
  /// - Parameter stackSize: The bytes of its stack; nil for what the system gives.
  package init?(stackSize: Int? = nil, _ run: @escaping @Sendable () -> Void) {
    self.init(stackSize: stackSize, body: Body(run))
  }

  /// Starts a thread that has a value alone until it is joined; nil where the system has none left.
  ///
  /// The compiler does not check that: until then the caller must not access the value, nor anything that
  /// it leads to.
  @unsafe package init?<Value: AnyObject>(
    lending value: Value,
    _ run: @escaping @Sendable (Value) -> Void
  ) {
    self.init(stackSize: nil, body: Body { run(value) })
  }

  private init?(stackSize: Int?, body: Body) {
    var attributes = pthread_attr_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { return nil }
    defer { unsafe pthread_attr_destroy(&attributes) }
    if let stackSize {
      guard unsafe pthread_attr_setstacksize(&attributes, stackSize) == 0 else { return nil }
    }
    let body = unsafe Unmanaged.passRetained(body)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = unsafe pthread_create(
      &thread,
      &attributes,
      { context in
        let pointer: UnsafeMutableRawPointer? = unsafe context
        if let pointer = unsafe pointer {
          unsafe Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        }
        return nil
      },
      unsafe body.toOpaque()
    )
    guard status == 0 else {
      unsafe body.release()
      return nil
    }
    #if canImport(Darwin)
      guard let thread = unsafe thread else { return nil }
      unsafe self.thread = thread
    #else
      self.thread = thread
    #endif
  }

  /// The number of threads that can run at once.
  package static var processorCount: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Waits for its end.
  package func join() {
    #if canImport(Darwin)
      _ = unsafe pthread_join(thread, nil)
    #else
      _ = pthread_join(thread, nil)
    #endif
  }
}
