public import AFCore
public import Foundation

extension MultipartFormData {
    /// A form made as in Alamofire, with a file manager that is not needed here.
    public convenience init(fileManager: FileManager, boundary: String? = nil) { self.init(boundary: boundary) }
}
