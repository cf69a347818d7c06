#if SwiftData
  import SwiftSyntax

  /// Finds the calls that say which models a container holds, among the tokens of a file.
  ///
  /// Such calls stand anywhere, in bodies nested as deep as may be.
  struct ContainerScan {
    private let reader: SourceReader

    /// The functions that take models.
    private static let callees: Set<String> = ["ModelContainer", "modelContainer", "Schema"]

    /// The most calls of a file that are looked at; apps have one, and tests some.
    static let greatestCount = 64
    /// The most constants that lead from one to the next.
    static let longestChain = 8

    init(_ reader: SourceReader) { self.reader = reader }

    /// Whether a name of a call occurs in a file.
    static func isWorthwhile(_ text: SourceText) -> Bool {
      text.contains("odelContainer") || text.contains("Schema")
    }

    /// The calls in the order of the file.
    func calls(in tree: SourceFileSyntax) -> [ContainerCall] {
      var calls: [ContainerCall] = []
      for token in tree.tokens(viewMode: .sourceAccurate) {
        guard token.tokenKind == .leftParen,
          let syntax = token.parent?.as(FunctionCallExprSyntax.self),
          let callee = name(of: syntax.calledExpression), Self.callees.contains(callee),
          isCompiled(syntax), var call = call(syntax, of: callee)
        else { continue }
        if calls.count >= Self.greatestCount {
          call.models = .other("one of more than \(Self.greatestCount) calls")
        }
        calls.append(call)
        if calls.count > Self.greatestCount { break }
      }
      return calls
    }

    /// The name of a function that is called, also where its `init` is.
    private func name(of callee: ExprSyntax) -> String? {
      if let name = callee.as(DeclReferenceExprSyntax.self) { return name.baseName.plain }
      guard let member = callee.as(MemberAccessExprSyntax.self) else { return nil }
      let name = member.declName.baseName.plain
      guard name == "init", let base = member.base else { return name }
      return base.as(DeclReferenceExprSyntax.self)?.baseName.plain
        ?? base.as(MemberAccessExprSyntax.self)?.declName.baseName.plain
    }

    private func call(_ syntax: FunctionCallExprSyntax, of callee: String) -> ContainerCall? {
      let arguments = syntax.arguments.map { argument in
        SourceExpression.Argument(
          label: argument.label?.plain,
          value: reader.expression(argument.expression)
        )
      }
      // What stands behind an argument without label belongs to it.
      var labelled: [String: [SourceExpression]] = [:]
      var label = ""
      for argument in arguments {
        label = argument.label ?? label
        let value = constant(argument.value, from: Syntax(syntax), Self.longestChain)
        labelled[label, default: []].append(value)
      }
      let models: SourceExpression
      if callee == "Schema" {
        guard labelled[""] != nil || labelled["versionedSchema"] != nil else { return nil }
        models = .call(
          .reference(["Schema"]),
          arguments.map { argument in
            .init(
              label: argument.label,
              value: constant(argument.value, from: Syntax(syntax), Self.longestChain)
            )
          }
        )
      } else {
        guard let given = labelled["for"] else { return nil }
        models = given.count == 1 ? given[0] : .array(given)
      }
      let position = syntax.calledExpression.endPositionBeforeTrailingTrivia
      return ContainerCall(
        callee: callee,
        models: models,
        plan: labelled["migrationPlan"]?.first,
        isTemporary: labelled["inMemory"] == [.boolean(true)]
          || isInMemory(labelled["configurations"] ?? [], Syntax(syntax))
          || isInPreview(Syntax(syntax)),
        place: SourcePlace(file: reader.file.name, line: reader.lines.location(for: position).line)
      )
    }

    /// Whether all of some configurations are in memory.
    private func isInMemory(_ configurations: [SourceExpression], _ node: Syntax) -> Bool {
      let all = configurations.flatMap { configuration in
        if case .array(let elements) = configuration { elements } else { [configuration] }
      }
      return !all.isEmpty
        && all.allSatisfy { configuration in
          guard case .call(_, let arguments) = configuration else { return false }
          return arguments.contains {
            $0.label == "isStoredInMemoryOnly" && isTrue($0.value, node)
          }
        }
    }

    /// Whether a flag is set: by its literal, or by the default of a parameter.
    private func isTrue(_ value: SourceExpression, _ node: Syntax) -> Bool {
      guard case .reference(let path) = value, let name = path.last, path.count == 1 else {
        return value == .boolean(true)
      }
      var next = node.parent
      while let current = next {
        if let parameter = parameter(name, of: current) {
          return parameter.defaultValue.map { reader.expression($0.value) } == .boolean(true)
        }
        next = current.parent
      }
      return false
    }

    // MARK: Around a call

    /// Whether a node is compiled, as far as conditions are decided.
    private func isCompiled(_ node: some SyntaxProtocol) -> Bool {
      var next = node.parent
      while let current = next {
        if let clause = current.as(IfConfigClauseSyntax.self),
          let condition = current.parent?.parent?.as(IfConfigDeclSyntax.self),
          let chosen = reader.clause(condition), chosen?.id != clause.id
        {
          return false
        }
        next = current.parent
      }
      return true
    }

    private func isInPreview(_ node: Syntax) -> Bool {
      var next = node.parent
      while let current = next {
        let macro =
          current.as(MacroExpansionExprSyntax.self)?.macroName
          ?? current.as(MacroExpansionDeclSyntax.self)?.macroName
        let inherited = current.asProtocol((any DeclGroupSyntax).self)?.inheritanceClause
        if macro?.text == "Preview"
          || inherited?.inheritedTypes.contains(where: {
            ["PreviewProvider", "PreviewModifier"].contains($0.type.trimmedDescription)
          }) == true
        {
          return true
        }
        next = current.parent
      }
      return false
    }

    // MARK: Constants

    /// An expression with the constants of the file in place of their names.
    private func constant(
      _ value: SourceExpression,
      from node: Syntax,
      _ left: Int
    ) -> SourceExpression {
      guard left > 0 else { return value }
      switch value {
      case .reference(let path):
        let name = path.count == 2 && ["self", "Self"].contains(path[0]) ? path[1] : path[0]
        guard path.count == 1 || name == path[1], name != "self",
          let (own, place) = binding(of: name, from: node)
        else { return value }
        return constant(own, from: place, left - 1)
      case .array(let elements):
        return .array(elements.map { constant($0, from: node, left - 1) })
      case .sum(let terms): return .sum(terms.map { constant($0, from: node, left - 1) })
      case .call(let callee, let arguments):
        return .call(
          callee,
          arguments.map {
            .init(label: $0.label, value: constant($0.value, from: node, left - 1))
          }
        )
      default: return value
      }
    }

    /// What a constant means that is declared in a body, a type or a file around a node; nil where it is a
    /// variable or parameter, or its value is not written.
    private func binding(of name: String, from node: Syntax) -> (SourceExpression, Syntax)? {
      var next = node.parent
      while let current = next {
        if let items = current.as(CodeBlockItemListSyntax.self) {
          for item in items {
            guard case .decl(let declaration) = item.item,
              let found = value(of: name, in: declaration)
            else { continue }
            return found.map { ($0, Syntax(declaration)) }
          }
        } else if let members = current.as(MemberBlockItemListSyntax.self) {
          for member in members {
            guard let found = value(of: name, in: member.decl) else { continue }
            return found.map { ($0, Syntax(member.decl)) }
          }
        } else if parameter(name, of: current) != nil {
          return nil
        }
        next = current.parent
      }
      return nil
    }

    /// The parameter of a name that a function has.
    private func parameter(_ name: String, of node: Syntax) -> FunctionParameterSyntax? {
      let parameters =
        node.as(FunctionDeclSyntax.self)?.signature.parameterClause.parameters
        ?? node.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters
      return parameters?.first { ($0.secondName ?? $0.firstName).plain == name }
    }

    /// The value of a name that a declaration declares: nil where it declares none, `.some(nil)` where its
    /// value does not follow.
    private func value(of name: String, in declaration: DeclSyntax) -> SourceExpression?? {
      guard let variable = declaration.as(VariableDeclSyntax.self) else { return nil }
      for binding in variable.bindings {
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
          pattern.identifier.plain == name
        else { continue }
        let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
        guard isConstant || binding.accessorBlock != nil else { return .some(nil) }
        return .some(reader.value(of: binding))
      }
      return nil
    }
  }
#endif
