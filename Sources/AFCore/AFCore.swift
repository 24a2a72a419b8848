// The umbrella: all of Alamofire's names, from the targets that declare them.
@_exported public import AFCache
@_exported public import AFCompression
@_exported public import AFDownloads
@_exported public import AFReachability
@_exported public import AFRequests
@_exported public import AFUploads
@_exported public import AFWebSockets
