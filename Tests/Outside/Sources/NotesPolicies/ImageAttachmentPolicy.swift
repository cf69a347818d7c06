public import Waystone

/// Gives the images of the sample Notes their size and a caption, on the way from v3 to v4.
///
/// `ModelArchive/Notes.v3-v4.xcmappingmodel` names it, as `Notes.ImageAttachmentPolicy`: the module
/// of the app does not matter. An image is kept as its archived bytes, in which a PNG begins with a
/// header that tells its width and height; the caption is the beginning of the note's text.
open class ImageAttachmentPolicy: EntityMigrationPolicy {
  open override func createDestinationInstances(
    forSource sInstance: ManagedObject,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    // What the mapping model says, and then what only code can say.
    guard let attachment = try manager.createDefaultInstance(forSource: sInstance) else { return }
    if let image = try sInstance.bytes(forKey: "image"), let size = Self.size(ofPNGIn: image) {
      try attachment.set(Double(size.width), forKey: "width")
      try attachment.set(Double(size.height), forKey: "height")
    }
    if let text = try sInstance.object(forKey: "note")?.string(forKey: "body") {
      try attachment.set(String(text.prefix(80)), forKey: "caption")
    }
  }

  /// The size that the header of a PNG tells, which stands somewhere among the bytes of an archive.
  private static func size(ofPNGIn bytes: [UInt8]) -> (width: UInt32, height: UInt32)? {
    let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    for start in bytes.indices where bytes[start] == signature[0] {
      let header = bytes[start...].prefix(24)
      guard header.count == 24, header.starts(with: signature) else { continue }
      func number(at offset: Int) -> UInt32 {
        header.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
      }
      return (number(at: 16), number(at: 20))
    }
    return nil
  }
}
