import Waystone
import WaystoneCommand

// The command with a policy that never ends, or takes up ever more memory, where a store says so:
// what a batch must survive (Tests/Batch).
var registry = MigrationRegistry()
registry.register(StubbornImagePolicy.self, as: "ImageAttachmentPolicy")
await WaystoneProgram.main(registry)
