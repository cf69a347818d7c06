#if SwiftData
  import SwiftSyntax

  /// Finds the calls that say which models a container holds, among the tokens of a file.
  ///
  /// Tokens and not the tree: such calls stand anywhere, in bodies nested as deep as may be.
  struct ContainerScan {
    private let lines: SourceLocationConverter
    private let file: String

    /// The functions that take models, and the label of the argument that names them.
    static let callees: [String: Set<String>] = [
      "ModelContainer": ["for"], "modelContainer": ["for"],
      "Schema": ["", "versionedSchema"],
    ]

    /// The most tokens that a call is followed for.
    static let greatestLength = 2_000

    init(_ lines: SourceLocationConverter, _ file: String) {
      self.lines = lines
      self.file = file
    }

    /// Whether a name of a call occurs in a file.
    static func isWorthwhile(_ text: SourceText) -> Bool {
      text.contains("odelContainer(") || text.contains("Schema(")
    }

    /// The calls in the order of the file.
    func calls(in tree: SourceFileSyntax) -> [ContainerCall] {
      var calls: [ContainerCall] = []
      var previous: TokenSyntax?
      for token in tree.tokens(viewMode: .sourceAccurate) {
        defer { previous = token }
        guard token.tokenKind == .leftParen, let callee = previous?.text,
          let labels = Self.callees[callee]
        else { continue }
        if let types = types(after: token, labels) {
          calls.append(ContainerCall(callee: callee, types: types, place: place(of: token)))
        }
      }
      return calls
    }

    private func place(of token: TokenSyntax) -> SourcePlace {
      let position = token.positionAfterSkippingLeadingTrivia
      return SourcePlace(file: file, line: lines.location(for: position).line)
    }

    /// The types that a call names by `.self`; nil where its first argument has another label.
    private func types(after parenthesis: TokenSyntax, _ labels: Set<String>) -> [[String]]? {
      var token = parenthesis.nextToken(viewMode: .sourceAccurate)
      let isLabelled = token?.nextToken(viewMode: .sourceAccurate)?.tokenKind == .colon
      guard let first = token, labels.contains(isLabelled ? first.text : "") else { return nil }
      var types: [[String]] = []
      var path: [String] = []
      var depth = 1
      for _ in 0..<Self.greatestLength {
        guard let current = token else { break }
        switch current.tokenKind {
        case .leftParen, .leftSquare, .leftBrace: depth += 1
        case .rightParen, .rightSquare, .rightBrace:
          depth -= 1
          if depth == 0 { return types }
        case .identifier: path.append(current.plain)
        case .period: break
        case .keyword(.self):
          if !path.isEmpty { types.append(path) }
          path = []
        default: path = []
        }
        switch current.tokenKind {
        case .identifier, .period: break
        default: path = []
        }
        token = current.nextToken(viewMode: .sourceAccurate)
      }
      return nil
    }
  }
#endif
