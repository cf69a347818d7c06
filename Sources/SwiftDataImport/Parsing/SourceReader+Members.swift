#if SwiftData
  import SwiftSyntax

  extension SourceReader {
    /// Reads the members of a type; nested types become declarations of their own.
    mutating func read(_ members: MemberBlockItemListSyntax, into type: inout TypeDeclaration) {
      for member in members {
        // Two declarations on one line; Swift's own parser reads both, and its compiler neither.
        if member.semicolon?.presence == .missing {
          doubt(member, "it has a syntax error", &type)
        }
        switch member.decl.as(DeclSyntaxEnum.self) {
        case .variableDecl(let variable): read(variable, into: &type)
        case .enumCaseDecl(let syntax): read(syntax, into: &type)
        case .functionDecl(let function):
          type.functions.insert(name(of: function))
          if let property = constant(function) { type.properties.append(property) }
        case .initializerDecl(let initializer):
          type.functions.insert("init" + labels(initializer.signature))
        case .macroExpansionDecl(let macro):
          if macro.hasError { doubt(macro, "it has a syntax error", &type) }
          type.macros.append(
            MacroUse(
              name: macro.macroName.plain,
              arguments: arguments(macro.arguments),
              types: types(macro.genericArgumentClause),
              place: place(macro)
            )
          )
        case .ifConfigDecl(let condition): read(condition, into: &type)
        case .subscriptDecl, .deinitializerDecl, .operatorDecl, .associatedTypeDecl,
          .precedenceGroupDecl, .poundSourceLocation, .importDecl:
          continue
        default:
          if !read(member.decl, in: type.path) { doubt(member, "it has a syntax error", &type) }
        }
      }
    }

    private func doubt(
      _ node: some SyntaxProtocol,
      _ reason: String,
      _ type: inout TypeDeclaration
    ) {
      type.doubts.append(.init(reason: reason, place: place(node)))
    }

    private mutating func read(
      _ condition: IfConfigDeclSyntax,
      into type: inout TypeDeclaration
    ) {
      guard let clause = clause(condition) else {
        doubt(condition, "whether its `#if` holds depends on the build", &type)
        let members = condition.clauses.map(\.elements)
        if members.contains(where: { Self.declaresTypes($0) }) {
          hide(condition, SourceFinding.undecidedCondition(place(condition)))
        }
        return
      }
      if case .decls(let members)? = clause?.elements { read(members, into: &type) }
    }

    private static func declaresTypes(_ elements: IfConfigClauseSyntax.Elements?) -> Bool {
      guard case .decls(let members)? = elements else { return false }
      return members.contains { member in
        member.decl.is(TypeAliasDeclSyntax.self) || member.decl.is(IfConfigDeclSyntax.self)
          || member.decl.asProtocol((any DeclGroupSyntax).self) != nil
      }
    }

    private func read(_ syntax: EnumCaseDeclSyntax, into type: inout TypeDeclaration) {
      if syntax.hasError { doubt(syntax, "it has a syntax error", &type) }
      for element in syntax.elements {
        type.cases.append(
          EnumerationCase(
            name: element.name.plain,
            payload: element.parameterClause?.parameters.map { parameter in
              .init(label: parameter.firstName?.plain, type: self.type(parameter.type))
            },
            rawValue: element.rawValue.map { expression($0.value) },
            place: place(element)
          )
        )
      }
    }

    /// Returns a static function without parameters as a property that is called with its parentheses; nil for
    /// another, or where returning an expression is not all that it does.
    private func constant(_ function: FunctionDeclSyntax) -> PropertyDeclaration? {
      let isStatic = function.modifiers.contains { ["static", "class"].contains($0.name.text) }
      guard isStatic, function.signature.parameterClause.parameters.isEmpty,
        let value = function.body.flatMap({ returned(by: $0.statements) })
      else { return nil }
      return PropertyDeclaration(
        name: name(of: function),
        type: function.signature.returnClause.map { type($0.type) },
        value: value,
        storage: .computed,
        isStatic: true,
        isConstant: true,
        isLazy: false,
        attributes: [],
        place: place(function.name)
      )
    }

    private func name(of function: FunctionDeclSyntax) -> String {
      function.name.plain + labels(function.signature)
    }

    private func labels(_ signature: FunctionSignatureSyntax) -> String {
      "(\(signature.parameterClause.parameters.map { "\($0.firstName.plain):" }.joined()))"
    }

    private func read(_ syntax: VariableDeclSyntax, into type: inout TypeDeclaration) {
      let modifiers = syntax.modifiers.map(\.name.text)
      let isStatic = modifiers.contains("static") || modifiers.contains("class")
      let attributes = attributes(syntax.attributes, doubts: &type.doubts)
      var written: SourceType?
      var properties: [PropertyDeclaration] = []
      // In `var a, b: Int` the last type counts for those before it.
      for binding in syntax.bindings.reversed() {
        if let annotation = binding.typeAnnotation { written = self.type(annotation.type) }
        let storage = storage(of: binding)
        let isBroken =
          binding.pattern.hasError || binding.typeAnnotation?.hasError == true
          || (storage == .stored && binding.initializer?.hasError == true)
        if isBroken, !isStatic { doubt(binding, "it has a syntax error", &type) }
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
          if !isStatic { doubt(binding, "it declares several properties by one pattern", &type) }
          continue
        }
        properties.append(
          PropertyDeclaration(
            name: pattern.identifier.plain,
            type: binding.typeAnnotation == nil && binding.initializer != nil ? nil : written,
            value: value(of: binding),
            storage: storage,
            isStatic: isStatic,
            isConstant: syntax.bindingSpecifier.tokenKind == .keyword(.let),
            isLazy: modifiers.contains("lazy"),
            attributes: attributes,
            place: place(pattern)
          )
        )
      }
      type.properties += properties.reversed()
    }

    private func storage(of binding: PatternBindingSyntax) -> PropertyDeclaration.Storage {
      switch binding.accessorBlock?.accessors {
      case nil: .stored
      case .getter: .computed
      case .accessors(let accessors):
        accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
          ? .stored : .computed
      }
    }

    /// Returns the initial value of a variable, or what its getter returns where that is all it does.
    func value(of binding: PatternBindingSyntax) -> SourceExpression? {
      binding.initializer.map { expression($0.value) } ?? returned(by: binding)
    }

    private func returned(by binding: PatternBindingSyntax) -> SourceExpression? {
      let body: CodeBlockItemListSyntax?
      switch binding.accessorBlock?.accessors {
      case .getter(let items): body = items
      case .accessors(let accessors):
        body =
          accessors.count == 1 && accessors.first?.accessorSpecifier.text == "get"
          ? accessors.first?.body?.statements : nil
      case nil: body = nil
      }
      return body.flatMap { returned(by: $0) }
    }

    /// Returns what a body returns, where that is all it does.
    private func returned(by body: CodeBlockItemListSyntax) -> SourceExpression? {
      guard body.count == 1, let item = body.first?.item else { return nil }
      switch item {
      case .expr(let syntax): return expression(syntax)
      case .stmt(let statement):
        return statement.as(ReturnStmtSyntax.self)?.expression.map { expression($0) }
      case .decl: return nil
      }
    }

    /// Returns the attributes before a declaration, those in a `#if` that holds among them.
    func attributes(
      _ list: AttributeListSyntax,
      doubts: inout [TypeDeclaration.Doubt],
      depth: Int = 0
    ) -> [MacroUse] {
      guard depth < SourceExpression.greatestDepth else { return [] }
      var result: [MacroUse] = []
      for element in list {
        switch element {
        case .attribute(let attribute):
          guard case .named(let path, let types) = type(attribute.attributeName),
            let name = path.last
          else { continue }
          var arguments: [SourceExpression.Argument] = []
          if case .argumentList(let list)? = attribute.arguments {
            arguments = self.arguments(list)
          }
          result.append(
            MacroUse(name: name, arguments: arguments, types: types, place: place(attribute))
          )
          if attribute.hasError, MacroUse.known.contains(name) {
            doubts.append(.init(reason: "it has a syntax error", place: place(attribute)))
          }
        case .ifConfigDecl(let condition):
          guard let clause = clause(condition) else {
            doubts.append(
              .init(
                reason: "whether its `#if` holds depends on the build",
                place: place(condition)
              )
            )
            continue
          }
          if case .attributes(let inner)? = clause?.elements {
            result += attributes(inner, doubts: &doubts, depth: depth + 1)
          }
        }
      }
      return result
    }

    private func arguments(_ list: LabeledExprListSyntax) -> [SourceExpression.Argument] {
      list.map { .init(label: $0.label?.plain, value: expression($0.expression)) }
    }
  }
#endif
