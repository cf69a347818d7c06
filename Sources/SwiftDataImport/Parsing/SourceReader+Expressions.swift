#if SwiftData
  import SwiftParser
  import SwiftSyntax

  extension SourceReader {
    /// Returns a type of the syntax tree.
    func type(_ syntax: TypeSyntax, depth: Int = 0) -> SourceType {
      guard depth < SourceType.greatestDepth else { return .other("a type nested too deep") }
      let next = depth + 1
      if let optional = syntax.as(OptionalTypeSyntax.self) {
        return .optional(type(optional.wrappedType, depth: next))
      }
      if let optional = syntax.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
        return .optional(type(optional.wrappedType, depth: next))
      }
      if let array = syntax.as(ArrayTypeSyntax.self) {
        return .array(type(array.element, depth: next))
      }
      if let dictionary = syntax.as(DictionaryTypeSyntax.self) {
        return .dictionary(type(dictionary.key, depth: next), type(dictionary.value, depth: next))
      }
      if let tuple = syntax.as(TupleTypeSyntax.self), tuple.elements.count == 1,
        let only = tuple.elements.first, only.firstName == nil
      {
        return type(only.type, depth: next)
      }
      if let attributed = syntax.as(AttributedTypeSyntax.self), attributed.specifiers.isEmpty {
        return type(attributed.baseType, depth: next)
      }
      if let name = syntax.as(IdentifierTypeSyntax.self) {
        return .named([name.name.plain], arguments: arguments(name.genericArgumentClause, next))
          .normalized
      }
      if syntax.is(MemberTypeSyntax.self) { return memberType(syntax, next) }
      return .other(short(syntax))
    }

    /// Returns a type behind a dot, whose names are gathered in a loop.
    private func memberType(_ syntax: TypeSyntax, _ depth: Int) -> SourceType {
      var path: [String] = []
      var rest = syntax
      var parameters: [SourceType] = []
      while let member = rest.as(MemberTypeSyntax.self) {
        let own = arguments(member.genericArgumentClause, depth)
        guard path.isEmpty || own.isEmpty, path.count < SourceType.greatestDepth else {
          return .other(short(syntax))
        }
        if path.isEmpty { parameters = own }
        path.append(member.name.plain)
        rest = member.baseType
      }
      guard let root = rest.as(IdentifierTypeSyntax.self), root.genericArgumentClause == nil else {
        return .other(short(syntax))
      }
      return .named([root.name.plain] + path.reversed(), arguments: parameters).normalized
    }

    private func arguments(_ clause: GenericArgumentClauseSyntax?, _ depth: Int) -> [SourceType] {
      (clause?.arguments ?? []).map { argument in
        switch argument.argument {
        case .type(let syntax): type(syntax, depth: depth)
        default: .other(short(argument))
        }
      }
    }

    /// Returns the types in angle brackets of a macro.
    func types(_ clause: GenericArgumentClauseSyntax?) -> [SourceType] { arguments(clause, 0) }

    /// Returns an expression of the syntax tree.
    func expression(_ syntax: ExprSyntax, depth: Int = 0) -> SourceExpression {
      guard depth < SourceExpression.greatestDepth else {
        return .other("an expression nested too deep")
      }
      let next = depth + 1
      switch syntax.as(ExprSyntaxEnum.self) {
      case .stringLiteralExpr(let literal):
        return literal.representedLiteralValue.map { .string($0) }
          ?? .other("text with interpolation")
      case .integerLiteralExpr(let literal): return integer(literal.literal.text)
      case .floatLiteralExpr(let literal):
        return Double(literal.literal.text.filter { $0 != "_" }).map { .real($0) }
          ?? .other(short(syntax))
      case .booleanLiteralExpr(let literal):
        return .boolean(literal.literal.tokenKind == .keyword(.true))
      case .nilLiteralExpr: return .null
      case .prefixOperatorExpr(let prefixed) where prefixed.operator.text == "-":
        switch expression(prefixed.expression, depth: next) {
        case .integer(let number) where number != .min: return .integer(-number)
        case .real(let number): return .real(-number)
        default: return .other(short(syntax))
        }
      case .declReferenceExpr(let name) where name.argumentNames == nil:
        return .reference([name.baseName.plain])
      case .memberAccessExpr: return member(syntax, next)
      case .arrayExpr(let array):
        return .array(array.elements.map { expression($0.expression, depth: next) })
      case .tupleExpr(let tuple) where tuple.elements.count == 1:
        guard let only = tuple.elements.first, only.label == nil else {
          return .other(short(syntax))
        }
        return expression(only.expression, depth: next)
      case .functionCallExpr(let call): return self.call(call, next)
      case .keyPathExpr(let path): return keyPath(path)
      case .sequenceExpr(let sequence): return number(sequence, next) ?? sum(sequence, next)
      case .tryExpr(let inner): return expression(inner.expression, depth: next)
      case .genericSpecializationExpr(let special):
        guard case .reference(let path) = expression(special.expression, depth: next) else {
          return .other(short(syntax))
        }
        let parameters = arguments(special.genericArgumentClause, next)
        return .type(SourceType.named(path, arguments: parameters).normalized)
      default: return .other(short(syntax))
      }
    }

    private func integer(_ text: String) -> SourceExpression {
      let digits = text.filter { $0 != "_" }
      let radixes: [(prefix: String, radix: Int)] = [("0x", 16), ("0b", 2), ("0o", 8)]
      let radix = radixes.first { digits.hasPrefix($0.prefix) }
      let number =
        radix.map { Int64(digits.dropFirst(2), radix: $0.radix) } ?? Int64(digits, radix: 10)
      return number.map { .integer($0) } ?? .other(text.count < 40 ? text : "a number")
    }

    /// Names behind dots, which are gathered in a loop.
    private func member(_ syntax: ExprSyntax, _ depth: Int) -> SourceExpression {
      var path: [String] = []
      var rest: ExprSyntax? = syntax
      while let member = rest?.as(MemberAccessExprSyntax.self) {
        guard path.count < SourceExpression.greatestDepth,
          member.declName.argumentNames == nil
        else { return .other(short(syntax)) }
        path.append(member.declName.baseName.plain)
        rest = member.base
      }
      let names = Array(path.reversed())
      guard let rest else { return .member(names) }
      switch expression(rest, depth: depth) {
      case .reference(let base): return .reference(base + names)
      case .type(let type) where names == ["self"] || names == ["init"]: return .type(type)
      case .array(let elements) where names == ["self"] && elements.count == 1:
        return elementType(elements[0]).map { .type(.array($0)) } ?? .other(short(syntax))
      default: return .other(short(syntax))
      }
    }

    private func elementType(_ expression: SourceExpression) -> SourceType? {
      switch expression {
      case .reference(let path): SourceType.named(path)
      case .type(let type): type
      default: nil
      }
    }

    private func call(_ call: FunctionCallExprSyntax, _ depth: Int) -> SourceExpression {
      var callee = expression(call.calledExpression, depth: depth)
      // `[String]()` is an array of one element, which is called.
      if case .array(let elements) = callee, elements.count == 1,
        let type = elementType(elements[0])
      {
        callee = .type(.array(type))
      }
      if let dictionary = call.calledExpression.as(DictionaryExprSyntax.self),
        case .elements(let elements) = dictionary.content, elements.count == 1,
        let only = elements.first, let key = elementType(expression(only.key, depth: depth)),
        let value = elementType(expression(only.value, depth: depth))
      {
        callee = .type(.dictionary(key, value))
      }
      var arguments = call.arguments.map { argument in
        SourceExpression.Argument(
          label: argument.label?.plain,
          value: expression(argument.expression, depth: depth)
        )
      }
      if call.trailingClosure != nil {
        arguments.append(.init(label: nil, value: .other("a closure")))
      }
      for closure in call.additionalTrailingClosures {
        arguments.append(.init(label: closure.label.plain, value: .other("a closure")))
      }
      return .call(callee, arguments)
    }

    private func keyPath(_ syntax: KeyPathExprSyntax) -> SourceExpression {
      var path: [String] = []
      for component in syntax.components {
        guard case .property(let property) = component.component,
          property.declName.argumentNames == nil, path.count < SourceExpression.greatestDepth
        else { return .other(short(syntax)) }
        path.append(property.declName.baseName.plain)
      }
      guard let root = syntax.root else { return .keyPath(root: [], path: path) }
      guard case .named(let names, let arguments) = type(root), arguments.isEmpty else {
        return .other(short(syntax))
      }
      return .keyPath(root: names, path: path)
    }

    /// Returns the number that literals joined by `+`, `-` and `*` are; nil for another sequence, and for one whose
    /// number is too great.
    private func number(_ sequence: SequenceExprSyntax, _ depth: Int) -> SourceExpression? {
      guard sequence.elements.count < 100 else { return nil }
      var whole: (sum: Int64, product: Int64)? = (0, 1)
      var (sum, product) = (0.0, 1.0)
      var isWhole = true
      for (index, element) in sequence.elements.enumerated() {
        if index % 2 == 0 {
          switch expression(element, depth: depth) {
          case .integer(let number):
            whole = whole.flatMap { last in
              let (result, isTooGreat) = last.product.multipliedReportingOverflow(by: number)
              return isTooGreat ? nil : (last.sum, result)
            }
            product *= Double(number)
          case .real(let number):
            isWhole = false
            product *= number
          default: return nil
          }
          continue
        }
        guard let sign = element.as(BinaryOperatorExprSyntax.self)?.operator.text,
          ["+", "-", "*"].contains(sign)
        else { return nil }
        guard sign != "*" else { continue }
        whole = whole.flatMap { last in
          let (result, isTooGreat) = last.sum.addingReportingOverflow(last.product)
          return isTooGreat ? nil : (result, sign == "+" ? 1 : -1)
        }
        sum += product
        product = sign == "+" ? 1 : -1
      }
      guard isWhole else { return .real(sum + product) }
      guard let whole else { return nil }
      let (result, isTooGreat) = whole.sum.addingReportingOverflow(whole.product)
      return isTooGreat ? nil : .integer(result)
    }

    private func sum(_ sequence: SequenceExprSyntax, _ depth: Int) -> SourceExpression {
      var terms: [SourceExpression] = []
      for (index, element) in sequence.elements.enumerated() {
        if index % 2 == 0 {
          guard terms.count < 1_000 else { return .other("a long expression") }
          terms.append(expression(element, depth: depth))
        } else {
          guard let sign = element.as(BinaryOperatorExprSyntax.self), sign.operator.text == "+"
          else {
            // `[T.self] as [any PersistentModel.Type]` means the array before `as`.
            guard index == 1, element.is(UnresolvedAsExprSyntax.self),
              case .array(let elements) = terms[0], !elements.isEmpty,
              elements.allSatisfy({
                if case .reference(let path) = $0 { path.last == "self" } else { false }
              })
            else { return .other(short(sequence)) }
            return terms[0]
          }
        }
      }
      return terms.count == 1 ? terms[0] : .sum(terms)
    }

    /// Returns the text of a syntax node where that is short.
    func short(_ node: some SyntaxProtocol) -> String {
      node.totalLength.utf8Length <= 200 ? node.trimmedDescription : SourceExpression.long
    }
  }

  extension TokenSyntax {
    /// The text without the backticks of a name that is a keyword.
    var plain: String {
      let text = text
      return text.count > 2 && text.hasPrefix("`") && text.hasSuffix("`")
        ? String(text.dropFirst().dropLast()) : text
    }
  }
#endif
