answer("04 columns of names that are not ASCII") { folder in
  let names = ["straße", "ığdır", "été", "ﬁn"]
  let url = folder.appendingPathComponent("s.sqlite")
  _ = try context(url, model([entity("Größe", names.map { attribute($0) })]))
  return try sql(
    url,
    "SELECT m.name || '.' || t.name FROM sqlite_master m, pragma_table_info(m.name) t "
      + "WHERE m.name LIKE 'ZGR%' AND m.type = 'table'"
  )
}
