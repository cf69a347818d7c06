#if os(Linux)
  import CoreData
  import Foundation

  extension CoreDataPolicyTests {
    /// The same among the objects that the context knows, read as plain objects.
    final class RegisteredPolicy: HomePolicy {
      override func city(
        _ name: String,
        in context: NSManagedObjectContext
      ) throws -> NSManagedObject {
        let cities = context.registeredObjects.filter { $0.entity.name == "City" }
        if let known = cities.first(where: {
          ($0 as NSObject).value(forKey: "name") as? String == name
        }) {
          return known
        }
        let city = NSEntityDescription.insertNewObject(forEntityName: "City", into: context)
        (city as NSObject).setValue(name, forKey: "name")
        return city
      }
    }
  }
#endif
