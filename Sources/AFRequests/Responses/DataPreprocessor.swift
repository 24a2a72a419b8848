public import FoundationEssentials

/// A transformation of bodies before serialization.
public protocol DataPreprocessor: Sendable {
    /// Returns the transformed body. Called for bodies that are not empty.
    ///
    /// - Throws: Any error; one that is not an `AFError` is reported as `customSerializationFailed`.
    func preprocess(_ data: Data) throws -> Data
}

/// A preprocessor that returns the body unchanged.
public struct PassthroughPreprocessor: DataPreprocessor {
    /// Creates a preprocessor.
    public init() {}

    /// Returns the body unchanged; never throws.
    public func preprocess(_ data: Data) throws -> Data { data }
}

/// A preprocessor that removes the `)]}',` line before the JSON of Google's services, which prevents inclusion as a
/// script.
public struct GoogleXSSIPreprocessor: DataPreprocessor {
    /// Creates a preprocessor.
    public init() {}

    /// Returns the bytes after the line, or all bytes if there is none; never throws.
    public func preprocess(_ data: Data) throws -> Data {
        let xssiPrefix = Data(")]}',\n".utf8)
        return data.starts(with: xssiPrefix) ? Data(data.dropFirst(xssiPrefix.count)) : data
    }
}

extension DataPreprocessor where Self == PassthroughPreprocessor {
    /// A preprocessor that returns the body unchanged.
    public static var passthrough: PassthroughPreprocessor { PassthroughPreprocessor() }
}

extension DataPreprocessor where Self == GoogleXSSIPreprocessor {
    /// A preprocessor that removes the line before the JSON of Google's services.
    public static var googleXSSI: GoogleXSSIPreprocessor { GoogleXSSIPreprocessor() }
}
