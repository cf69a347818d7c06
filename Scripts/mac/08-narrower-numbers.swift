answer("08 value of 70000 and of 0.5 after Int64 and Double become Int16") { folder in
  let url = folder.appendingPathComponent("s.sqlite")
  try make(
    url,
    model([
      entity(
        "Item",
        [attribute("count", .integer64AttributeType), attribute("part", .doubleAttributeType)]
      )
    ]),
    ["count": 70000, "part": 0.5]
  )
  let later = model([
    entity(
      "Item",
      [attribute("count", .integer16AttributeType), attribute("part", .integer16AttributeType)]
    )
  ])
  return "count \(try value(url, later, "count")), part \(try value(url, later, "part"))"
}
