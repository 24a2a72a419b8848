#if HTTPTypes
    public import AFHTTP
    public import FoundationEssentials
    public import HTTPTypes

    extension HTTPResponse {
        /// Creates a response with the status and the header fields of another.
        public init(_ response: AFHTTP.HTTPURLResponse) {
            self.init(
                status: Status(code: response.statusCode, reasonPhrase: response.reasonPhrase),
                headerFields: HTTPFields(response.headers)
            )
        }
    }

    extension AFHTTP.HTTPURLResponse {
        /// Creates a response with the status and the header fields of another, for example for a test.
        ///
        /// - Parameter url: The URL that sent the response.
        public init(_ response: HTTPResponse, url: URL? = nil) {
            self.init(
                url: url,
                statusCode: response.status.code,
                reasonPhrase: response.status.reasonPhrase,
                headers: HTTPHeaders(response.headerFields)
            )
        }

        /// The response as a value of swift-http-types.
        public var httpResponse: HTTPResponse { HTTPResponse(self) }
    }
#endif
