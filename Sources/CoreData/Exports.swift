// Whoever imports Core Data sees Foundation, as with Apple's.
@_exported public import Foundation
