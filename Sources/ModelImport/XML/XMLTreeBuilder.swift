private import CLibXML2
private import ObjectModel

/// A receiver of libxml2's callbacks that builds elements from them, until the first failure.
@safe final class XMLTreeBuilder {
  let file: String
  private(set) var root: XMLElement?
  private(set) var failure: ModelImportError?
  /// The parser, while it runs.
  private var parser: xmlParserCtxtPtr?
  private var open: [XMLElement] = []
  private var count = 0

  init(file: String) { self.file = file }

  /// Feeds the bytes to a parser until the first failure; whether they are well-formed.
  func run(_ bytes: [UInt8]) -> Bool {
    var handler = unsafe Self.handler()
    let state = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard let parser = unsafe xmlCreatePushParserCtxt(&handler, state, nil, 0, nil) else {
      return false
    }
    defer { unsafe xmlFreeParserCtxt(parser) }
    _ = unsafe xmlCtxtUseOptions(parser, Int32(XML_PARSE_NONET.rawValue))
    unsafe self.parser = parser
    unsafe bytes.withUnsafeBytes { buffer in
      let step = 65_536
      for start in stride(from: 0, to: buffer.count, by: step) where failure == nil {
        let part = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...].prefix(step))
        let text = unsafe part.baseAddress?.assumingMemoryBound(to: CChar.self)
        _ = unsafe xmlParseChunk(parser, text, Int32(part.count), 0)
      }
      if failure == nil { _ = unsafe xmlParseChunk(parser, nil, 0, 1) }
    }
    unsafe self.parser = nil
    return unsafe parser.pointee.wellFormed != 0
  }

  func error(
    _ code: ModelImportError.Code,
    line: Int?,
    _ message: String,
    _ recovery: String
  ) -> ModelImportError {
    ModelImportError(
      code,
      file: file,
      line: line,
      element: open.last?.name,
      message: message,
      recovery: recovery
    )
  }

  private var line: Int? {
    unsafe parser?.pointee.input.map { unsafe Int($0.pointee.line) }
  }

  private func fail(_ code: ModelImportError.Code, _ message: String, _ recovery: String) {
    guard failure == nil else { return }
    failure = error(code, line: line, message, recovery)
    if let parser = unsafe parser { unsafe xmlStopParser(parser) }
  }

  private func refuseEntity(_ what: String) {
    fail(
      .hostileXML,
      "The file \(what), which no model does and which is never expanded.",
      "Do not trust this file; restore it from version control."
    )
  }

  private func start(_ name: String, _ attributes: [XMLElement.Attribute]) {
    guard failure == nil else { return }
    count += 1
    guard open.count < XMLTree.greatestDepth, count <= XMLTree.greatestCount else {
      fail(
        .tooLarge,
        "The file has more than \(XMLTree.greatestDepth) levels or \(XMLTree.greatestCount) "
          + "elements.",
        "Models have far less; check that this is one."
      )
      return
    }
    open.append(XMLElement(name: name, line: line ?? 1, attributes: attributes))
  }

  private func end() {
    guard failure == nil, let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  private func characters(_ text: String) {
    guard failure == nil, !open.isEmpty else { return }
    open[open.count - 1].text += text
  }

  private func report(level: xmlErrorLevel, line: Int, message: String) {
    guard failure == nil, level.rawValue >= XML_ERR_ERROR.rawValue else { return }
    let text = message.split(separator: "\n").first.map(String.init) ?? "unknown error"
    failure = error(
      .notXML,
      line: line,
      "The file is not well-formed XML: \(text.prefix(200)).",
      "Restore it from version control."
    )
  }
}

extension XMLTreeBuilder {
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
      guard let builder = unsafe XMLTreeBuilder.of(state) else { return }
      unsafe builder.start(
        XMLTreeBuilder.name(name, prefix),
        XMLTreeBuilder.attributes(attributes, count: Int(attributeCount))
      )
    }
    unsafe handler.endElementNs = { state, _, _, _ in unsafe XMLTreeBuilder.of(state)?.end() }
    unsafe handler.characters = { state, text, length in
      unsafe XMLTreeBuilder.of(state)?.characters(
        String(decoding: UnsafeBufferPointer(start: text, count: Int(length)), as: UTF8.self)
      )
    }
    unsafe handler.cdataBlock = unsafe handler.characters
    unsafe handler.internalSubset = { state, _, _, _ in
      guard let builder = unsafe XMLTreeBuilder.of(state) else { return }
      // The parser is before the bracket that opens an internal subset, if there is one.
      let next = unsafe builder.parser?.pointee.input?.pointee.cur?.pointee
      if next == UInt8(ascii: "[") { builder.refuseEntity("declares a document type of its own") }
    }
    unsafe handler.entityDecl = { state, _, _, _, _, _ in
      unsafe XMLTreeBuilder.of(state)?.refuseEntity("declares an entity")
    }
    unsafe handler.getEntity = { state, _ in
      unsafe XMLTreeBuilder.of(state)?.refuseEntity("refers to an entity")
      return nil
    }
    unsafe handler.reference = { state, _ in
      unsafe XMLTreeBuilder.of(state)?.refuseEntity("refers to an entity")
    }
    unsafe handler.serror = { state, error in
      guard let builder = unsafe XMLTreeBuilder.of(state), let error = unsafe error else { return }
      unsafe builder.report(
        level: error.pointee.level,
        line: Int(error.pointee.line),
        message: error.pointee.message.map { unsafe String(cString: $0) } ?? ""
      )
    }
    return unsafe handler
  }

  private static func of(_ state: UnsafeMutableRawPointer?) -> XMLTreeBuilder? {
    unsafe state.map {
      unsafe Unmanaged<XMLTreeBuilder>.fromOpaque($0).takeUnretainedValue()
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
