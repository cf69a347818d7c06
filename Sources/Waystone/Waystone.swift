/// The library that programs import to migrate stores: models, plans, runs and their reports.
///
/// Only this module re-exports others, so that `import Waystone` is enough.
@_exported public import MigrationPlanning
@_exported public import ObjectModel
@_exported public import StoreMigration
@_exported public import StoreVerification
