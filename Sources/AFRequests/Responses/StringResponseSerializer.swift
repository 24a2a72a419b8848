internal import AFHTTP
public import FoundationEssentials

/// A serializer that returns the body as text, and an empty string for an allowed empty response.
public struct StringResponseSerializer: ResponseSerializer {
    /// The text of the body.
    public typealias SerializedObject = String

    /// The preprocessor of the body.
    public let dataPreprocessor: any DataPreprocessor
    /// The encoding that overrides the response's charset; without either, ISO-8859-1.
    public let encoding: String.Encoding?
    /// The status codes of responses that may be empty.
    public let emptyResponseCodes: Set<Int>
    /// The methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// Creates a serializer; the defaults are Alamofire's.
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

    /// Returns the text.
    ///
    /// - Throws: `stringSerializationFailed` for invalid bytes, or `customSerializationFailed` with a ``CharsetError``
    ///   if the charset is unknown or has no `String.Encoding`.
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
        guard let charset = Charset(ianaName: name) else { throw failure(.unknown(name: name)) }
        if let text = charset.decode(body) { return text }
        if let encoding = charset.encoding {
            throw AFError.responseSerializationFailed(reason: .stringSerializationFailed(encoding: encoding))
        }
        throw failure(.malformed(name: name))
    }

    private func failure(_ error: CharsetError) -> AFError {
        .responseSerializationFailed(reason: .customSerializationFailed(error: error))
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
    /// A serializer of text with default settings.
    public static var string: StringResponseSerializer { StringResponseSerializer() }

    /// Returns a serializer of text.
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
