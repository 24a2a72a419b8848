#if HTTPTypes
    public import AFHTTP
    public import HTTPTypes

    extension HTTPHeaders {
        /// Creates header fields in the order of swift-http-types' fields, with their repetitions and the case of their
        /// names.
        public init(_ fields: HTTPFields) {
            self.init(
                repeating: fields.map { field in
                    HTTPHeader(name: field.name.rawName, value: field.withUnsafeBytesOfValue { String(octets: $0) })
                })
        }
    }

    extension HTTPFields {
        /// Creates fields in the order of header fields, with their repetitions and the case of their names.
        ///
        /// swift-http-types cannot represent every field that a server may send: fields whose names are not tokens (RFC
        /// 9110 §5.6.2) are omitted, and control characters in values become spaces.
        public init(_ headers: HTTPHeaders) {
            self.init()
            for header in headers {
                guard let name = HTTPField.Name(header.name) else { continue }
                append(HTTPField(name: name, value: header.value.octets))
            }
        }
    }
#endif
