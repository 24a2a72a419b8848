// `import Alamofire` on Linux: the library, and Foundation with its networking.
@_exported public import AFCore
@_exported public import AFFoundation
@_exported public import Foundation
@_exported public import FoundationNetworking
