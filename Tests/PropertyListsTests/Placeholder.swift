// Held open
