answer("03 columns of text1 beside two properties called text") { folder in
  let root = entity("Root", [attribute("text1")])
  let (one, other) = (entity("One", [attribute("text")]), entity("Other", [attribute("text")]))
  root.subentities = [one, other]
  let url = folder.appendingPathComponent("s.sqlite")
  _ = try context(url, model([root, one, other]))
  return try sql(url, "SELECT name FROM pragma_table_info('ZROOT')")
}
