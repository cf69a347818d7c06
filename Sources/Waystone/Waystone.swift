/// Everything that a program needs to migrate stores: models, plans, runs and what they report.
///
/// Only this module re-exports others, so that `import Waystone` is enough.
@_exported public import MigrationPlanning
@_exported public import ObjectModel
@_exported public import StoreMigration
