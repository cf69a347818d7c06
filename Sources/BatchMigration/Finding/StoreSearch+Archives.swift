internal import Files
internal import StoreAccess
internal import Waystone

extension StoreSearch {
  /// Searches an archive in one pass, and hands its stores over when it was read to its end.
  ///
  /// - Throws: ``Refusal`` where there is no program to read it with, and what the closure throws. An
  ///   archive that is refused as a whole is an oddity.
  mutating func search(
    archive path: String,
    _ rootName: String,
    _ body: (FoundStore) throws -> Void
  ) throws {
    let program: String
    do throws(WaystoneError) {
      program = try ArchiveReader.program(searchPath: options.searchPath)
    } catch {
      throw Refusal(error: error)
    }
    var listing: ArchiveListing
    var met = SearchTally()
    do {
      listing = try Self.list(path, rootName, program, options.limits, &met)
    } catch {
      let reason = (error as? ArchiveReader.Refusal)?.reason ?? WaystoneError(error).description
      tally.files += 1
      tally.add(ShownName.of(rootName), "The archive is refused. \(reason)")
      return
    }
    for store in listing.stores() {
      let name = Self.joined(rootName, store.database.path.text)
      guard store.refused.isEmpty else {
        let files = store.refused.map { ShownName.of($0) }.joined(separator: ", ")
        met.add(ShownName.of(name), "It is refused, as files of it are: \(files).")
        continue
      }
      let place = StorePlace.member(archive: path, files: store.files)
      guard names.isNew(place) else { continue }
      let database = store.database
      try hand(over: place, name, store.bytes, database.modified, database.head, body)
    }
    for log in listing.strayLogs {
      met.add(ShownName.of(Self.joined(rootName, log)), Self.strayLog)
    }
    tally.files += met.files
    tally.others += met.others + listing.others
    tally.oddities += met.oddities
  }

  /// Reads an archive to its end.
  ///
  /// - Throws: ``ArchiveReader/Refusal`` and `FileError`.
  private static func list(
    _ archive: String,
    _ rootName: String,
    _ program: String,
    _ limits: ArchiveLimits,
    _ tally: inout SearchTally
  ) throws -> ArchiveListing {
    let reader = try ArchiveReader(archive, program: program, limits: limits)
    var listing = ArchiveListing()
    var seen = StoreNames.Seen()
    while let member = try reader.next() {
      let path: MemberPath
      do throws(MemberPath.Refusal) { path = try MemberPath(member.name) } catch {
        tally.files += 1
        tally.others += 1
        tally.add(joined(ShownName.of(rootName), error.shownName), error.reason)
        continue
      }
      if path.components.isEmpty { continue }
      listing.meet(path)
      if member.kind == .folder { continue }
      tally.files += 1
      if let reason = refusal(of: member, path, &seen) {
        tally.others += 1
        tally.add(ShownName.of(joined(rootName, path.text)), reason)
        listing.refuse(path)
        continue
      }
      try add(path, member, reader, rootName, &listing, &tally)
    }
    return listing
  }

  /// Returns the reason for which a member is not taken; nil for one that is.
  private static func refusal(
    of member: TarReader.Member,
    _ path: MemberPath,
    _ seen: inout StoreNames.Seen
  ) -> String? {
    let isFirst = seen.insert(path.text)
    return switch member.kind {
    case .link: "It is a link, and links in archives are not followed."
    case .other: "It is a device or a pipe."
    case .folder, .file:
      isFirst
        ? nil
        : "It comes behind another member of its name, or of one that differs in case or normal form "
          + "alone."
    }
  }

  /// Adds a file; its first bytes are read.
  private static func add(
    _ path: MemberPath,
    _ member: TarReader.Member,
    _ reader: ArchiveReader,
    _ rootName: String,
    _ listing: inout ArchiveListing,
    _ tally: inout SearchTally
  ) throws {
    var head: [UInt8] = []
    if case .support = ArchiveListing.part(path) {
    } else {
      while head.count < FoundStore.headSize {
        let piece = try reader.read(atMost: FoundStore.headSize - head.count)
        if piece.isEmpty { break }
        head += piece
      }
    }
    guard !StoreFiles.mayBeStore(head) else {
      return listing.add(
        ArchiveListing.Database(
          path: path,
          size: member.size,
          modified: member.modified,
          head: head
        )
      )
    }
    listing.add(other: path, size: member.size, head)
    if case .other = ArchiveListing.part(path), let reason = oddity(path.name, head) {
      tally.add(ShownName.of(joined(rootName, path.text)), reason)
    }
  }
}
