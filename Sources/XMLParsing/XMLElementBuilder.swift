private import CLibXML2

/// A receiver of libxml2's callbacks that builds elements from them, until the first failure.
@safe final class XMLElementBuilder {
  /// The root, once it has ended; without children where these are handed over one by one.
  private(set) var root: XMLElement?
  private(set) var failure: XMLError?
  /// The error of ``onChild``.
  private(set) var thrown: (any Error)?
  /// Receives the root's name and each of its children, which are not kept then; returns whether to go on.
  var onChild: ((_ root: String, _ child: XMLElement) throws -> Bool)?
  private let limits: XMLLimits
  /// The parser, while it runs.
  private var parser: xmlParserCtxtPtr?
  private var open: [XMLElement] = []
  private var count = 0
  private var size = 0
  /// Whether no more of the file is wanted.
  private var isEnough = false

  init(
    limits: XMLLimits,
    onChild: ((_ root: String, _ child: XMLElement) throws -> Bool)? = nil
  ) {
    self.limits = limits
    self.onChild = onChild
  }

  /// Sets libxml2 up, which must be done before several threads use it.
  static func prepare() { xmlInitParser() }

  /// Feeds bytes to a parser until there are none, or the first failure.
  ///
  /// - Parameter next: Returns the next bytes; none at the end.
  /// - Throws: ``XMLError``.
  func run(_ next: () -> ArraySlice<UInt8>) throws(XMLError) {
    var handler = unsafe Self.handler()
    let state = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard let parser = unsafe xmlCreatePushParserCtxt(&handler, state, nil, 0, nil) else {
      throw XMLError(.notWellFormed, "The file cannot be parsed.")
    }
    defer { unsafe xmlFreeParserCtxt(parser) }
    var options = XML_PARSE_NONET.rawValue
    if onChild != nil { options |= XML_PARSE_HUGE.rawValue | XML_PARSE_IGNORE_ENC.rawValue }
    _ = unsafe xmlCtxtUseOptions(parser, Int32(bitPattern: options))
    unsafe self.parser = parser
    defer { unsafe self.parser = nil }
    var tags = XMLTagGuard(greatestCount: limits.attributeCount, greatestSize: limits.size)
    while failure == nil, !isEnough {
      let part = next()
      if part.isEmpty { break }
      guard tags.accepts(part) else {
        failure = XMLError(
          .tooMany,
          line: line,
          "An element seems to have more than \(limits.attributeCount) attributes."
        )
        break
      }
      unsafe part.withUnsafeBytes { bytes in
        let text = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        _ = unsafe xmlParseChunk(parser, text, Int32(clamping: bytes.count), 0)
      }
    }
    if failure == nil, !isEnough { _ = unsafe xmlParseChunk(parser, nil, 0, 1) }
    if let failure { throw failure }
    let isWellFormed = unsafe parser.pointee.wellFormed != 0
    guard isEnough || isWellFormed else {
      throw XMLError(.notWellFormed, "The file is not well-formed XML.")
    }
  }

  private var line: Int? {
    unsafe parser?.pointee.input.map { unsafe Int($0.pointee.line) }
  }

  private func fail(_ code: XMLError.Code, _ message: String) {
    guard failure == nil else { return }
    failure = XMLError(code, line: line, element: open.last?.name, message)
    stop()
  }

  private func stop() {
    if let parser = unsafe parser { unsafe xmlStopParser(parser) }
  }

  private func refuseEntity(_ what: String) {
    fail(
      .hostile,
      "The file \(what), which no \(limits.subject) does and which is never expanded."
    )
  }

  private func start(_ name: String, _ attributes: [XMLElement.Attribute]) {
    guard failure == nil, !isEnough else { return }
    count += 1
    guard open.count < limits.depth, count <= limits.count else {
      fail(.tooMany, "The file has more than \(limits.depth) levels or \(limits.count) elements.")
      return
    }
    for attribute in attributes { add(attribute.value.utf8.count) }
    open.append(XMLElement(name: name, line: line ?? 1, attributes: attributes))
  }

  private func end() {
    guard failure == nil, !isEnough, let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else if open.count == 1, let onChild {
      (count, size) = (1, 0)
      do {
        guard try onChild(open[0].name, element) else {
          isEnough = true
          return stop()
        }
      } catch {
        thrown = error
        isEnough = true
        stop()
      }
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  private func characters(_ text: UnsafeBufferPointer<UInt8>) {
    guard failure == nil, !isEnough, !open.isEmpty else { return }
    if onChild != nil, open.count == 1 {
      // Space between the children, which nothing keeps.
      if unsafe text.contains(where: { $0 > 0x20 }) {
        fail(.notWellFormed, "There is text between the elements.")
      }
      return
    }
    add(text.count)
    // Where the limit stops the parser, it has let go of the text.
    guard failure == nil else { return }
    open[open.count - 1].text += unsafe String(decoding: text, as: UTF8.self)
  }

  /// Counts bytes that are kept.
  private func add(_ bytes: Int) {
    size += bytes
    if size > limits.size {
      fail(.tooLarge, "An element is larger than \(limits.size >> 20) MiB.")
    }
  }

  private func report(level: xmlErrorLevel, line: Int, code: Int32, message: String) {
    guard failure == nil, !isEnough, level.rawValue >= XML_ERR_ERROR.rawValue else { return }
    // Where rows are read, a message of libxml2's may quote a part of a value that looks like a tag.
    let text =
      onChild == nil
      ? message.split(separator: "\n").first.map(String.init) ?? "unknown error"
      : Self.words(code) ?? "libxml2 reports error \(code)"
    failure = XMLError(
      .notWellFormed,
      line: line,
      element: open.last?.name,
      "The file is not well-formed XML: \(text.prefix(200))."
    )
  }
}

extension XMLElementBuilder {
  /// Returns the meaning of an error of libxml2's (`xmlParserErrors`), without anything of the file.
  private static func words(_ code: Int32) -> String? {
    switch UInt32(bitPattern: code) {
    case XML_ERR_TAG_NAME_MISMATCH.rawValue: "an opening and a closing tag do not match"
    case XML_ERR_TAG_NOT_FINISHED.rawValue, XML_ERR_DOCUMENT_EMPTY.rawValue: "it ends too early"
    case XML_ERR_DOCUMENT_END.rawValue: "something follows its last element"
    case XML_ERR_INVALID_CHAR.rawValue, XML_ERR_INVALID_ENCODING.rawValue:
      "it has bytes that are no text"
    case XML_NS_ERR_UNDEFINED_NAMESPACE.rawValue: "a prefix of a name has no namespace"
    case XML_ERR_ATTRIBUTE_REDEFINED.rawValue: "an element has one attribute twice"
    default: nil
    }
  }

  /// Returns the callbacks; each finds its builder in the parser's user data.
  private static func handler() -> xmlSAXHandler {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = XML_SAX2_MAGIC
    unsafe handler.startElementNs = {
      state,
      name,
      prefix,
      _,
      _,
      _,
      attributeCount,
      _,
      attributes in
      guard let builder = unsafe XMLElementBuilder.of(state) else { return }
      unsafe builder.start(
        XMLElementBuilder.name(name, prefix),
        XMLElementBuilder.attributes(attributes, count: Int(attributeCount))
      )
    }
    unsafe handler.endElementNs = { state, _, _, _ in unsafe XMLElementBuilder.of(state)?.end() }
    unsafe handler.characters = { state, text, length in
      unsafe XMLElementBuilder.of(state)?.characters(
        UnsafeBufferPointer(start: text, count: Int(length))
      )
    }
    unsafe handler.cdataBlock = unsafe handler.characters
    unsafe handler.internalSubset = { state, _, _, _ in
      guard let builder = unsafe XMLElementBuilder.of(state) else { return }
      // The parser is before the bracket that opens an internal subset, if there is one.
      let next = unsafe builder.parser?.pointee.input?.pointee.cur?.pointee
      if next == UInt8(ascii: "[") { builder.refuseEntity("declares a document type of its own") }
    }
    unsafe handler.entityDecl = { state, _, _, _, _, _ in
      unsafe XMLElementBuilder.of(state)?.refuseEntity("declares an entity")
    }
    unsafe handler.getEntity = { state, _ in
      unsafe XMLElementBuilder.of(state)?.refuseEntity("refers to an entity")
      return nil
    }
    unsafe handler.reference = { state, _ in
      unsafe XMLElementBuilder.of(state)?.refuseEntity("refers to an entity")
    }
    unsafe handler.serror = { state, error in
      guard let builder = unsafe XMLElementBuilder.of(state), let error = unsafe error else {
        return
      }
      unsafe builder.report(
        level: error.pointee.level,
        line: Int(error.pointee.line),
        code: error.pointee.code,
        message: error.pointee.message.map { unsafe String(cString: $0) } ?? ""
      )
    }
    return unsafe handler
  }

  private static func of(_ state: UnsafeMutableRawPointer?) -> XMLElementBuilder? {
    unsafe state.map {
      unsafe Unmanaged<XMLElementBuilder>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private static func name(
    _ name: UnsafePointer<xmlChar>?,
    _ prefix: UnsafePointer<xmlChar>?
  ) -> String {
    let local = unsafe name.map { unsafe String(cString: $0) } ?? ""
    guard let prefix = unsafe prefix else { return local }
    return unsafe String(cString: prefix) + ":" + local
  }

  /// Returns attributes from groups of five pointers: name, prefix, namespace, value, end of value.
  private static func attributes(
    _ pointers: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    count: Int
  ) -> [XMLElement.Attribute] {
    guard let pointers = unsafe pointers, count > 0 else { return [] }
    return (0..<count).map { index in
      let group = unsafe pointers + index * 5
      var value = ""
      if let start = unsafe group[3], let end = unsafe group[4] {
        value = unsafe decoded(UnsafeBufferPointer(start: start, count: end - start))
      }
      return unsafe XMLElement.Attribute(name: name(group[0], group[1]), value: value)
    }
  }

  /// Returns the value that the parser means: where it does not replace entities, it spells every
  /// ampersand as `&#38;`, for any spelling in the file.
  private static func decoded(_ value: UnsafeBufferPointer<xmlChar>) -> String {
    guard unsafe value.contains(UInt8(ascii: "&")) else {
      return unsafe String(decoding: value, as: UTF8.self)
    }
    let ampersand = Array("&#38;".utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < value.count {
      let rest = unsafe value[index...]
      let byte = unsafe value[index]
      bytes.append(byte)
      index += unsafe byte == ampersand[0] && rest.starts(with: ampersand) ? ampersand.count : 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
