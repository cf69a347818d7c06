// An import of Core Data gives Foundation too, as with Apple's.
@_exported public import Foundation
