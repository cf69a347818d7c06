CREATE TABLE "Address" (
  "objectID" INTEGER PRIMARY KEY,
  "country" TEXT,
  "street" TEXT,
  "town" TEXT
);
CREATE TABLE "Correspondent" (
  "objectID" INTEGER PRIMARY KEY,
  "entity" TEXT NOT NULL,
  "address" INTEGER REFERENCES "Address" ("objectID"),
  "department" TEXT,
  "founded" INTEGER,
  "name" TEXT,
  "born" TEXT,
  "nickname" TEXT,
  "remark" TEXT
);
CREATE INDEX "Correspondent_address_index" ON "Correspondent" ("address");
CREATE TABLE "Correspondent_received" (
  source INTEGER NOT NULL REFERENCES "Correspondent" ("objectID"),
  destination INTEGER NOT NULL REFERENCES "Letter" ("objectID"),
  PRIMARY KEY (source, destination)
) WITHOUT ROWID;
CREATE INDEX "Correspondent_received_destination_index" ON "Correspondent_received" ("destination");
CREATE TABLE "Enclosure" (
  "objectID" INTEGER PRIMARY KEY,
  "kind" INTEGER,
  "label" TEXT,
  "letter" INTEGER REFERENCES "Letter" ("objectID"),
  "letter_position" INTEGER,
  "picture" BLOB
);
CREATE INDEX "Enclosure_letter_index" ON "Enclosure" ("letter");
CREATE TABLE "Letter" (
  "objectID" INTEGER PRIMARY KEY,
  "body" TEXT,
  "heading" TEXT,
  "identifier" TEXT,
  "inReplyTo" INTEGER REFERENCES "Letter" ("objectID"),
  "isRead" INTEGER,
  "pages" INTEGER,
  "postage" NUMERIC,
  "postmark" TEXT,
  "receivedOn" TEXT,
  "sender" INTEGER REFERENCES "Correspondent" ("objectID"),
  "title" TEXT,
  "topic" INTEGER REFERENCES "Topic" ("objectID"),
  "weight" REAL,
  "writtenOn" TEXT
);
CREATE INDEX "Letter_inReplyTo_index" ON "Letter" ("inReplyTo");
CREATE INDEX "Letter_sender_index" ON "Letter" ("sender");
CREATE INDEX "Letter_topic_index" ON "Letter" ("topic");
CREATE TABLE "Topic" (
  "objectID" INTEGER PRIMARY KEY,
  "color" INTEGER,
  "name" TEXT
);
