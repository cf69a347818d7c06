#if SwiftData
  import SwiftSyntax

  extension SourceReader {
    /// Returns the clause of a `#if` that is compiled, or none; nil where that depends on a flag that
    /// the project does not state.
    func clause(_ syntax: IfConfigDeclSyntax) -> IfConfigClauseSyntax?? {
      for clause in syntax.clauses {
        guard let condition = clause.condition else { return .some(clause) }
        switch holds(condition) {
        case true?: return .some(clause)
        case false?: continue
        case nil: return .none
        }
      }
      return .some(nil)
    }

    /// Returns whether a condition holds; nil where that depends on facts that the project does not
    /// state.
    private func holds(_ condition: ExprSyntax, depth: Int = 0) -> Bool? {
      guard depth < SourceExpression.greatestDepth else { return nil }
      let next = depth + 1
      switch condition.as(ExprSyntaxEnum.self) {
      case .booleanLiteralExpr(let literal): return literal.literal.tokenKind == .keyword(.true)
      case .declReferenceExpr(let name): return conditions.isSet(name.baseName.plain)
      case .prefixOperatorExpr(let prefixed) where prefixed.operator.text == "!":
        return holds(prefixed.expression, depth: next).map { !$0 }
      case .tupleExpr(let tuple) where tuple.elements.count == 1:
        return tuple.elements.first.flatMap { holds($0.expression, depth: next) }
      case .functionCallExpr(let call):
        guard let name = call.calledExpression.as(DeclReferenceExprSyntax.self) else { return nil }
        let argument = short(call.arguments).filter { !$0.isWhitespace }
        return conditions.holds(name.baseName.plain, argument)
      case .sequenceExpr(let sequence): return holds(Array(sequence.elements), next)
      default: return nil
      }
    }

    /// Returns whether conditions joined by `||` and `&&` hold; `&&` binds first.
    private func holds(_ elements: [ExprSyntax], _ depth: Int) -> Bool? {
      var alternatives: [Bool?] = []
      var all: Bool? = true
      for (index, element) in elements.enumerated() {
        if index % 2 == 0 {
          let next = holds(element, depth: depth)
          // A false element makes all of them false, also beside unknown ones.
          all = all == false || next == false ? false : all == nil || next == nil ? nil : true
          continue
        }
        switch element.as(BinaryOperatorExprSyntax.self)?.operator.text {
        case "&&": continue
        case "||":
          alternatives.append(all)
          all = true
        default: return nil
        }
      }
      alternatives.append(all)
      if alternatives.contains(true) { return true }
      return alternatives.contains(nil) ? nil : false
    }
  }
#endif
