answer("02 rows of one link of a relationship that is its own inverse") { folder in
  let friends = relationship("friends")
  let person = entity("Person", [friends])
  friends.destinationEntity = person
  friends.inverseRelationship = friends
  let url = folder.appendingPathComponent("s.sqlite")
  let context = try context(url, model([person]))
  let one = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
  let other = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
  one.setValue(NSSet(object: other), forKey: "friends")
  try context.save()
  return try sql(url, "SELECT * FROM Z_1FRIENDS")
}
