import StoreMigration
import WaystoneCommand

var registry = MigrationRegistry()
registry.register(ImageAttachmentPolicy.self)
await Waystone.main(registry)
