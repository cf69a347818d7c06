answer("06 value of heading after its Renaming ID is cleared (WS206)") { folder in
  let url = folder.appendingPathComponent("s.sqlite")
  try make(
    url,
    model([entity("Letter", [attribute("heading", renaming: "title")])]),
    ["heading": "kept"]
  )
  // Another attribute, so that the hashes differ and the store is migrated.
  let later = model([entity("Letter", [attribute("heading"), attribute("new")])])
  return try value(url, later, "heading")
}
