#if SwiftData
  import SwiftSyntax

  /// The names of parameters and variables that a declaration introduces for its own code.
  enum LocalNames {
    /// Returns the names; none that code also uses for what it has outside, as `if let note = note` does.
    static func of(_ syntax: Syntax) -> Set<String> {
      // The variables of a declaration that is no function are its name.
      guard !syntax.is(VariableDeclSyntax.self) else { return [] }
      let finder = Finder(viewMode: .sourceAccurate)
      finder.walk(syntax)
      return finder.names.subtracting(finder.outer)
    }

    private final class Finder: SyntaxVisitor {
      var names: Set<String> = []
      var outer: Set<String> = []

      override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        names.insert((node.secondName ?? node.firstName).text)
        return .visitChildren
      }

      override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
        names.insert((node.secondName ?? node.firstName).text)
        return .visitChildren
      }

      override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
        names.insert(node.name.text)
        return .visitChildren
      }

      override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
        names.insert(node.identifier.text)
        return .visitChildren
      }

      override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
        note(node.pattern, node.initializer)
        if node.initializer == nil { outer.formUnion(Self.names(in: Syntax(node.pattern))) }
        return .visitChildren
      }

      override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        note(node.pattern, node.initializer)
        return .visitChildren
      }

      /// Notes the names that an initial value has with the variable that it is for.
      private func note(_ pattern: PatternSyntax, _ initializer: InitializerClauseSyntax?) {
        guard let initializer else { return }
        outer.formUnion(
          Self.names(in: Syntax(pattern)).intersection(Self.names(in: Syntax(initializer)))
        )
      }

      private static func names(in syntax: Syntax) -> Set<String> {
        Set(
          syntax.tokens(viewMode: .sourceAccurate).compactMap {
            if case .identifier(let name) = $0.tokenKind { name } else { nil }
          }
        )
      }
    }
  }
#endif
