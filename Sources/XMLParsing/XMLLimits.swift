/// The limits within which XML is read: input is hostile until it is known.
package struct XMLLimits: Hashable, Sendable {
  /// The word for the files that are read, such as "model", for messages.
  package let subject: String
  /// The greatest depth of elements.
  package let depth: Int
  /// The greatest number of elements: of the whole file, or where elements are handed over one by one, of
  /// each.
  package let count: Int
  /// The greatest number of attributes of an element.
  package let attributeCount: Int
  /// The most bytes of text and attributes: of the whole file, or where elements are handed over one by
  /// one, of each.
  package let size: Int

  package init(subject: String, depth: Int, count: Int, attributeCount: Int, size: Int) {
    self.subject = subject
    self.depth = depth
    self.count = count
    self.attributeCount = attributeCount
    self.size = size
  }

  /// The limits of models and property lists: the largest model of a public app has 100 KB and five levels,
  /// and its elements have up to 20 attributes.
  package static let model = XMLLimits(
    subject: "model",
    depth: 32,
    count: 500_000,
    attributeCount: 5000,
    size: 32 << 20
  )
}
