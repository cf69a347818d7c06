#if SwiftData
  import SwiftSyntax

  /// A search for the calls that list the models of a container, among the tokens of a file.
  ///
  /// Such calls may be anywhere, in bodies of any depth.
  struct ContainerScan {
    private let reader: SourceReader
    /// The calls that make configurations of stores, in the order of the file.
    private(set) var configurations: [ConfigurationCall] = []
    /// The number of expressions that may still replace names in the call that is read.
    private var left = 0

    /// The number of declarations that may still be searched for a name, in the whole file.
    private var search = 100_000
    /// The clause that each `#if` around a call compiles.
    private var compiled: [SyntaxIdentifier: IfConfigClauseSyntax??] = [:]

    /// The functions that take models.
    private static let callees: Set<String> = [
      "ModelContainer", "modelContainer", "DocumentGroup", "Schema", implicit,
    ]
    /// The type of a store's configuration, and Core Data's containers.
    private static let configuration = "ModelConfiguration"
    private static let persistent: Set<String> = [
      "NSPersistentContainer", "NSPersistentCloudKitContainer",
    ]
    /// `.init(for:)`, whose type is written elsewhere: a container's where it is given classes.
    private static let implicit = ".init"

    /// The greatest number of a file's calls that are read; apps have one, and tests some.
    static let greatestCount = 64
    /// The most expressions that a call is followed through.
    static let greatestSize = 2_000

    init(_ reader: SourceReader) { self.reader = reader }

    /// Returns whether a name of a call occurs in a file.
    static func isWorthwhile(_ text: SourceText) -> Bool {
      text.contains("odelContainer") || text.contains("DocumentGroup") || text.contains("Schema")
        || text.contains(configuration) || persistent.contains(where: text.contains)
    }

    /// Returns the calls in the order of the file.
    mutating func calls(in tree: SourceFileSyntax) -> [ContainerCall] {
      var calls: [ContainerCall] = []
      for token in tree.tokens(viewMode: .sourceAccurate) {
        guard token.tokenKind == .leftParen,
          let syntax = token.parent?.as(FunctionCallExprSyntax.self),
          let callee = name(of: syntax.calledExpression)
        else { continue }
        let isOfCoreData = Self.persistent.contains(callee)
        if isOfCoreData || callee == Self.configuration, configurations.count < Self.greatestCount,
          isCompiled(syntax)
        {
          configurations.append(configuration(syntax, isOfCoreData: isOfCoreData))
        }
        guard Self.callees.contains(callee), isCompiled(syntax), var call = call(syntax, of: callee)
        else { continue }
        if calls.count >= Self.greatestCount {
          call.models = .other("one of more than \(Self.greatestCount) calls")
        }
        calls.append(call)
        if calls.count > Self.greatestCount { break }
      }
      return calls
    }

    /// Returns the name of a function that is called, also where its `init` is.
    private func name(of callee: ExprSyntax) -> String? {
      if let name = callee.as(DeclReferenceExprSyntax.self) { return name.baseName.plain }
      guard let member = callee.as(MemberAccessExprSyntax.self) else { return nil }
      let name = member.declName.baseName.plain
      guard name == "init" else { return name }
      guard let base = member.base else { return Self.implicit }
      return base.as(DeclReferenceExprSyntax.self)?.baseName.plain
        ?? base.as(MemberAccessExprSyntax.self)?.declName.baseName.plain
    }

    private mutating func configuration(
      _ syntax: FunctionCallExprSyntax,
      isOfCoreData: Bool
    ) -> ConfigurationCall {
      left = Self.greatestSize
      func argument(_ label: String) -> ExprSyntax? {
        syntax.arguments.first { $0.label?.plain == label }?.expression
      }
      func value(_ argument: ExprSyntax?) -> SourceExpression? {
        argument.map { constant(reader.expression($0), from: Syntax(syntax)) }
      }
      // Later arguments without a label are classes: `ModelConfiguration(for: A.self, B.self)`.
      let first = syntax.arguments.first.flatMap { $0.label == nil ? $0.expression : nil }
      let group = argument("groupContainer").map { reader.expression($0) }
      let isInMemory = argument("isStoredInMemoryOnly").map { reader.expression($0) }
      let position = syntax.calledExpression.endPositionBeforeTrailingTrivia
      return ConfigurationCall(
        isOfCoreData: isOfCoreData,
        name: value(isOfCoreData ? argument("name") : first),
        url: value(argument("url")),
        hasGroupContainer: group != nil && group != .member(["none"]),
        isTemporary: isInMemory == .boolean(true) || isInPreview(Syntax(syntax)),
        place: SourcePlace(file: reader.file.name, line: reader.lines.location(for: position).line)
      )
    }

    private mutating func call(_ syntax: FunctionCallExprSyntax, of callee: String)
      -> ContainerCall?
    {
      left = Self.greatestSize
      var arguments: [SourceExpression.Argument] = []
      for argument in syntax.arguments {
        let value = constant(reader.expression(argument.expression), from: Syntax(syntax))
        arguments.append(.init(label: argument.label?.plain, value: value))
      }
      // Arguments without a label belong to the label before them.
      var labelled: [String: [SourceExpression]] = [:]
      var label = ""
      for argument in arguments {
        label = argument.label ?? label
        labelled[label, default: []].append(argument.value)
      }
      let models: SourceExpression
      if callee == "Schema" {
        guard labelled[""] != nil || labelled["versionedSchema"] != nil else { return nil }
        models = .call(.reference(["Schema"]), arguments)
      } else {
        guard let given = labelled["for"] ?? labelled["editing"] ?? labelled["viewing"],
          callee != Self.implicit || given.allSatisfy(Self.isOfClasses)
        else { return nil }
        models = given.count == 1 ? given[0] : .array(given)
      }
      let configurations = labelled["configurations"] ?? []
      let position = syntax.calledExpression.endPositionBeforeTrailingTrivia
      return ContainerCall(
        callee: callee,
        models: models,
        plan: labelled["migrationPlan"]?.first { $0 != .null },
        configurations: Self.flattened(configurations),
        isTemporary: labelled["inMemory"] == [.boolean(true)] || isInPreview(Syntax(syntax))
          ? true : isInMemory(configurations, Syntax(syntax)),
        place: SourcePlace(file: reader.file.name, line: reader.lines.location(for: position).line)
      )
    }

    private static func flattened(_ configurations: [SourceExpression]) -> [SourceExpression] {
      configurations.flatMap { configuration in
        if case .array(let elements) = configuration { elements } else { [configuration] }
      }
    }

    /// Returns whether all of some configurations are in memory; nil where parameters decide.
    private func isInMemory(_ configurations: [SourceExpression], _ node: Syntax) -> Bool? {
      let flags = Self.flattened(configurations).map { configuration -> Bool? in
        guard case .call(_, let arguments) = configuration,
          let flag = arguments.first(where: { $0.label == "isStoredInMemoryOnly" })
        else { return false }
        return isTrue(flag.value, node)
      }
      if flags.isEmpty || flags.contains(false) { return false }
      return flags.contains(nil) ? nil : true
    }

    /// Returns whether a flag is set by its literal; nil where it is a parameter whose default sets it.
    private func isTrue(_ value: SourceExpression, _ node: Syntax) -> Bool? {
      guard case .reference(let path) = value, let name = path.last, path.count == 1 else {
        return value == .boolean(true)
      }
      var next = node.parent
      while let current = next {
        if let parameter = parameter(name, of: current) {
          let isSet = parameter.defaultValue.map { reader.expression($0.value) } == .boolean(true)
          return isSet ? nil : false
        }
        next = current.parent
      }
      return false
    }

    /// Returns whether an expression names classes alone, or a schema.
    private static func isOfClasses(_ value: SourceExpression) -> Bool {
      switch value {
      case .reference(let path): path.count > 1 && path.last == "self"
      case .array(let elements): !elements.isEmpty && elements.allSatisfy(isOfClasses)
      case .call(.reference(let path), _): path.last == "Schema"
      default: false
      }
    }

    // MARK: Around a call

    /// Returns whether a syntax node is compiled, as far as conditions are decided.
    private mutating func isCompiled(_ node: some SyntaxProtocol) -> Bool {
      var next = node.parent
      while let current = next {
        if let clause = current.as(IfConfigClauseSyntax.self),
          let condition = current.parent?.parent?.as(IfConfigDeclSyntax.self),
          let chosen = self.clause(condition), chosen?.id != clause.id
        {
          return false
        }
        next = current.parent
      }
      return true
    }

    private mutating func clause(_ condition: IfConfigDeclSyntax) -> IfConfigClauseSyntax?? {
      if let known = compiled[condition.id] { return known }
      let chosen = reader.clause(condition)
      compiled[condition.id] = .some(chosen)
      return chosen
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

    /// Returns an expression with the constants of the file in place of their names.
    private mutating func constant(_ value: SourceExpression, from node: Syntax)
      -> SourceExpression
    {
      guard left > 0, search > 0 else { return .other("a long expression") }
      left -= 1
      switch value {
      case .reference(let path):
        let name = path.count == 2 && ["self", "Self"].contains(path[0]) ? path[1] : path[0]
        guard path.count == 1 || name == path[1], name != "self",
          let (own, place) = binding(of: name, from: node)
        else { return value }
        return constant(own, from: place)
      case .array(let elements): return .array(constants(elements, node))
      case .sum(let terms): return .sum(constants(terms, node))
      case .call(let callee, let arguments):
        let values = constants(arguments.map(\.value), node)
        return .call(
          callee,
          zip(arguments, values).map { .init(label: $0.label, value: $1) }
        )
      default: return value
      }
    }

    private mutating func constants(_ values: [SourceExpression], _ node: Syntax)
      -> [SourceExpression]
    {
      var result: [SourceExpression] = []
      for value in values { result.append(constant(value, from: node)) }
      return result
    }

    /// Returns the value of a constant that is declared in a body, a type or a file around a syntax node; nil
    /// for a variable or parameter, or a constant without a written value.
    private mutating func binding(of name: String, from node: Syntax) -> (SourceExpression, Syntax)?
    {
      var next = node.parent
      while let current = next {
        if let items = current.as(CodeBlockItemListSyntax.self) {
          if let found = value(of: name, in: items) {
            return found.map { ($0.value, $0.declaration) }
          }
        } else if let members = current.as(MemberBlockItemListSyntax.self) {
          for member in members {
            search -= 1
            guard search > 0 else { return nil }
            guard let found = value(of: name, in: member.decl) else { continue }
            return found.map { ($0, Syntax(member.decl)) }
          }
        } else if parameter(name, of: current) != nil || binds(name, current) {
          return nil
        }
        next = current.parent
      }
      return nil
    }

    private typealias Found = (value: SourceExpression, declaration: Syntax)

    /// Returns the value of a name that statements declare: nil where they declare none, `.some(nil)` where
    /// its value does not follow.
    private mutating func value(of name: String, in items: CodeBlockItemListSyntax) -> Found?? {
      for item in items {
        search -= 1
        guard search > 0 else { return .some(nil) }
        switch item.item {
        case .decl(let declaration):
          if let condition = declaration.as(IfConfigDeclSyntax.self) {
            guard let found = value(of: name, in: condition) else { continue }
            return found
          }
          guard let found = value(of: name, in: declaration) else { continue }
          return .some(found.map { ($0, Syntax(declaration)) })
        case .stmt(let statement):
          guard let conditions = statement.as(GuardStmtSyntax.self)?.conditions,
            Self.binds(name, Syntax(conditions))
          else { continue }
          return .some(nil)
        case .expr: continue
        }
      }
      return nil
    }

    /// Returns the value of a name in the statements that a `#if` compiles; none where the condition is
    /// not decided.
    private mutating func value(of name: String, in condition: IfConfigDeclSyntax) -> Found?? {
      let chosen = clause(condition)
      for clause in condition.clauses {
        guard chosen == nil || chosen??.id == clause.id,
          case .statements(let items)? = clause.elements,
          let found = value(of: name, in: items)
        else { continue }
        return chosen == nil ? .some(nil) : found
      }
      return nil
    }

    /// Returns whether a closure, a loop or a condition around a syntax node gives a name another meaning.
    private func binds(_ name: String, _ node: Syntax) -> Bool {
      let header: Syntax? =
        switch node.as(SyntaxEnum.self) {
        case .closureExpr(let closure): closure.signature.map { Syntax($0) }
        case .ifExpr(let condition): Syntax(condition.conditions)
        case .whileStmt(let loop): Syntax(loop.conditions)
        case .forStmt(let loop): Syntax(loop.pattern)
        case .switchCase(let one): Syntax(one.label)
        case .catchClause(let clause): Syntax(clause.catchItems)
        default: nil
        }
      return header.map { Self.binds(name, $0) } ?? false
    }

    /// Returns whether a pattern or a closure's parameter in a syntax node has a name.
    private static func binds(_ name: String, _ header: Syntax) -> Bool {
      header.tokens(viewMode: .sourceAccurate).contains { token in
        guard token.plain == name, let parent = token.parent else { return false }
        return parent.is(IdentifierPatternSyntax.self) || parent.is(ClosureParameterSyntax.self)
          || parent.is(ClosureShorthandParameterSyntax.self)
      }
    }

    /// Returns the parameter of a name that a function has.
    private func parameter(_ name: String, of node: Syntax) -> FunctionParameterSyntax? {
      let parameters =
        node.as(FunctionDeclSyntax.self)?.signature.parameterClause.parameters
        ?? node.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters
      return parameters?.first { ($0.secondName ?? $0.firstName).plain == name }
    }

    /// Returns the value of a name that a declaration declares: nil where it declares none, `.some(nil)`
    /// where its value does not follow.
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
