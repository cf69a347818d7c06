answer("05 numbers of entities whose names differ in the case of letters") { folder in
  let url = folder.appendingPathComponent("s.sqlite")
  let names = ["note", "Note2", "NOTEA", "noteB", "Émile", "Zoo"]
  _ = try context(url, model(names.map { entity($0, [attribute("a")]) }))
  return try sql(url, "SELECT Z_ENT || '=' || Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT")
}
