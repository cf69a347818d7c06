// Held open for the first file of this target.
