import PropertyLists
import XMLParsing

extension XMLTree {
  /// Returns the root element of a file.
  ///
  /// - Throws: ``ModelImportError`` with the line at fault.
  static func parse(_ bytes: [UInt8], file: String) throws(ModelImportError) -> XMLElement {
    do throws(XMLError) { return try parse(bytes) } catch {
      throw ModelImportError(error, file: file)
    }
  }
}

extension FilePath {
  /// Returns the property list in the file, in its binary or its XML form.
  ///
  /// - Throws: ``ModelImportError``.
  func propertyList() throws(ModelImportError) -> PropertyList {
    let bytes = try bytes(limit: 1 << 20)
    guard bytes.starts(with: Array("bplist".utf8)) else {
      do throws(XMLError) { return try XMLPropertyList.read(bytes) } catch {
        throw ModelImportError(error, file: string)
      }
    }
    do throws(PropertyListError) {
      return try PropertyList(binary: bytes)
    } catch { throw ModelImportError(error, file: string) }
  }
}
