package import ObjectModel

/// A condition on a source object, in which `$1` is the first of the inputs.
package struct OriginCondition: Hashable, Sendable {
  /// The condition.
  package let predicate: Predicate
  /// The values that are no expressions over the source object.
  package let inputs: [ValueOrigin]

  /// A condition without the parts that are certain, and the inputs that it uses alone.
  init(_ predicate: Predicate, inputs: [ValueOrigin] = []) {
    var formula = ExpressionNormalizer()
    self.predicate = formula.substitute(in: predicate.simplified) {
      ExpressionNormalizer.input($0, among: inputs)
    }
    self.inputs = formula.inputs
  }

  /// Whether it holds of every object, or of none; nil where the objects decide.
  var certainty: Bool? { predicate.constantValue }
}
