answer("07 values of two properties that match one earlier property (WS202)") { folder in
  let url = folder.appendingPathComponent("s.sqlite")
  try make(url, model([entity("Letter", [attribute("title")])]), ["title": "kept"])
  let later = model([
    entity("Letter", [attribute("heading", renaming: "title"), attribute("title")])
  ])
  return "heading \(try value(url, later, "heading")), title \(try value(url, later, "title"))"
}
