internal import SwiftDataImport

extension CheckReport.Learned {
  /// The form that a store shows.
  init(_ learned: LearnedType) {
    self.init(
      type: learned.key,
      form: "\(learned.form)",
      assumed: learned.expected.map { "\($0)" },
      store: learned.store,
      isOfModel: learned.isOfModel,
      property: "\(learned.entity).\(learned.property)",
      line: learned.line
    )
  }
}
