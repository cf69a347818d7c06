internal import ObjectModel

extension Rule {
  /// Rules about objects that do not obey their model.
  static let objects: [FindingCode: Rule] = [
    .requiredValueMissing: Rule(
      "Objects lack a value or destination that is required.",
      why: "Core Data refuses to save them, and what else was changed along with them.",
      fix: "Give them one. In a new version, make the property optional or give it a default."
    ),
    .valueTooSmall: Rule(
      "Objects have a number or date below the minimum.",
      why: "Core Data refuses to save them once they are changed.",
      fix: "Correct the values, or lower the minimum."
    ),
    .valueTooGreat: Rule(
      "Objects have a number or date above the maximum.",
      why: "Core Data refuses to save them once they are changed.",
      fix: "Correct the values, or raise the maximum."
    ),
    .textTooShort: Rule(
      "Objects have text that is shorter than allowed.",
      why: "Core Data refuses to save them once they are changed. It counts UTF-16 units.",
      fix: "Correct the texts, or lower the minimum length."
    ),
    .textTooLong: Rule(
      "Objects have text that is longer than allowed.",
      why: "Core Data refuses to save them once they are changed. It counts UTF-16 units.",
      fix: "Correct the texts, or raise the maximum length."
    ),
    .patternNotMatched: Rule(
      "Objects have text that its regular expression does not match.",
      why: "Core Data refuses to save them once they are changed. It matches the text as a whole.",
      fix: "Correct the texts, or the expression."
    ),
    .tooFewDestinations: Rule(
      "Objects have fewer destinations than a relationship's minimum.",
      why: "Core Data refuses to save them once they are changed. An optional relationship may be "
        + "empty, also where its minimum is greater.",
      fix: "Add destinations, or lower the minimum count in a new version."
    ),
    .tooManyDestinations: Rule(
      "Objects have more destinations than a relationship's maximum.",
      why: "Core Data refuses to save them once they are changed.",
      fix: "Remove destinations, or raise the maximum count in a new version."
    ),
    .valueNotUnique: Rule(
      "Objects share what a uniqueness constraint wants to be unique.",
      why: "The unique index cannot be made, and Core Data would merge them at the next save.",
      fix: "Merge or remove the duplicates."
    ),
    .requiredDestinationMissing: Rule(
      "A required relationship leads to an object that is not there.",
      why: "Core Data would raise an error when the app follows it.",
      fix: "Lead it elsewhere, or restore the object."
    ),
    .valueNotOfType: Rule(
      "Objects have a value that is none of their attribute's type.",
      why:
        "70,000 is no Integer 16, 2 no Boolean and a text no Date: an app reads another value than the store "
        + "has, or none.",
      fix: "Correct the values."
    ),
  ]
}
