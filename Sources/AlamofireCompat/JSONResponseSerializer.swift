public import AFCore
internal import AFFoundation
public import AFHTTP

// With this module imported, every new serializer creates Foundation's values and errors, even if no request uses it.

extension JSONResponseSerializer {
    /// Creates a serializer of Foundation's values.
    public init(
        dataPreprocessor: any DataPreprocessor = Self.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = Self.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = Self.defaultEmptyRequestMethods,
        options: ReadingOptions = .allowFragments
    ) {
        self.init(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods,
            options: options,
            valueBuilder: FoundationJSONValueBuilder()
        )
    }
}

extension ResponseSerializer where Self == JSONResponseSerializer {
    /// A serializer of untyped JSON that accepts fragments.
    public static var json: JSONResponseSerializer { JSONResponseSerializer() }

    /// Returns a serializer of untyped JSON.
    public static func json(
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONResponseSerializer.ReadingOptions = .allowFragments
    ) -> JSONResponseSerializer {
        JSONResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods,
            options: options
        )
    }
}

extension JSONResponseSerializer.ReadingOptions {
    /// No effect: Swift's arrays and dictionaries are values.
    public static let mutableContainers = Self(rawValue: 1 << 0)
    /// No effect: Swift's strings are values.
    public static let mutableLeaves = Self(rawValue: 1 << 1)
}
