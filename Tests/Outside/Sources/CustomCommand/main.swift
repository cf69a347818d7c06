import NotesPolicies
import Waystone
import WaystoneCommand

var registry = MigrationRegistry()
registry.register(ImageAttachmentPolicy.self)
await WaystoneProgram.main(registry)
