public import FoundationEssentials

/// Something to do with a body before it is read.
public protocol DataPreprocessor: Sendable {
    /// Called for bodies that are not empty.
    func preprocess(_ data: Data) throws -> Data
}

/// Leaves the body as it is.
public struct PassthroughPreprocessor: DataPreprocessor {
    /// A preprocessor that changes nothing.
    public init() {}

    /// The bytes themselves.
    public func preprocess(_ data: Data) throws -> Data { data }
}

/// Drops the `)]}',` line that Google's services put before JSON, so that no script can include it.
public struct GoogleXSSIPreprocessor: DataPreprocessor {
    /// A preprocessor for bodies of Google's services.
    public init() {}

    /// The bytes behind the line; all of them where they do not begin with it.
    public func preprocess(_ data: Data) throws -> Data {
        let guardLine = Data(")]}',\n".utf8)
        return data.starts(with: guardLine) ? Data(data.dropFirst(guardLine.count)) : data
    }
}

extension DataPreprocessor where Self == PassthroughPreprocessor {
    /// Leaves the body as it is.
    public static var passthrough: PassthroughPreprocessor { PassthroughPreprocessor() }
}

extension DataPreprocessor where Self == GoogleXSSIPreprocessor {
    /// Drops the line that Google's services put before JSON.
    public static var googleXSSI: GoogleXSSIPreprocessor { GoogleXSSIPreprocessor() }
}
