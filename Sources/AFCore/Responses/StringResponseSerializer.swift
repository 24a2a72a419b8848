public import FoundationEssentials

/// Gives the body as text; the empty text where a response may be empty.
public struct StringResponseSerializer: ResponseSerializer {
    /// Named, so that nothing depends on the order in which the compiler reads the files.
    public typealias SerializedObject = String

    /// What is done to the body before it is read.
    public let dataPreprocessor: any DataPreprocessor
    /// Decides whatever the response says; without it the response's charset does, and without that ISO-8859-1.
    public let encoding: String.Encoding?
    /// Status codes of responses that may be empty.
    public let emptyResponseCodes: Set<Int>
    /// Methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// A serializer; the defaults are Alamofire's.
    public init(
        dataPreprocessor: any DataPreprocessor = Self.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = Self.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = Self.defaultEmptyRequestMethods
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.encoding = encoding
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// - Throws: `stringSerializationFailed` for bytes that are no text, or `customSerializationFailed` with a
    ///   ``CharsetError`` where the charset is unknown, or has no `String.Encoding` to name it by.
    public func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> String {
        guard let body = try body(request: request, response: response, data: data, error: error) else { return "" }
        if let encoding {
            return try text(body, in: encoding)
        }
        guard let name = response?.textEncodingName else {
            return try text(body, in: .isoLatin1)
        }
        do {
            let charset = try Charset(ianaName: name)
            if let text = charset.decode(body) { return text }
            if let encoding = charset.encoding {
                throw AFError.responseSerializationFailed(reason: .stringSerializationFailed(encoding: encoding))
            }
            throw CharsetError.malformed(name: name)
        } catch let error as CharsetError {
            throw AFError.responseSerializationFailed(reason: .customSerializationFailed(error: error))
        }
    }

    private func text(_ body: Data, in encoding: String.Encoding) throws -> String {
        let text =
            if let charset = Charset(encoding) { charset.decode(body) } else { String(data: body, encoding: encoding) }
        guard let text else {
            throw AFError.responseSerializationFailed(reason: .stringSerializationFailed(encoding: encoding))
        }
        return text
    }
}

extension ResponseSerializer where Self == StringResponseSerializer {
    /// The body as text, with every default.
    public static var string: StringResponseSerializer { StringResponseSerializer() }

    /// The body as text.
    public static func string(
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
    ) -> StringResponseSerializer {
        StringResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            encoding: encoding,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
    }
}
