answer("01 side that names a join table, by the number of attributes beside it") { folder in
  var names: [String] = []
  for count in 0...60 {
    let (liked, likedBy) = (relationship("liked"), relationship("likedBy"))
    let person = entity(
      "Person",
      (0..<count).map { attribute("a\($0)") } + [liked, likedBy]
    )
    (liked.destinationEntity, likedBy.destinationEntity) = (person, person)
    (liked.inverseRelationship, likedBy.inverseRelationship) = (likedBy, liked)
    let url = folder.appendingPathComponent("\(count).sqlite")
    _ = try context(url, model([person]))
    let table = try sql(url, "SELECT name FROM sqlite_master WHERE name IN ('Z_1LIKED', 'Z_1LIKEDBY')")
    names.append(table == "Z_1LIKED" ? "l" : table == "Z_1LIKEDBY" ? "b" : "?")
  }
  return names.joined()
}
