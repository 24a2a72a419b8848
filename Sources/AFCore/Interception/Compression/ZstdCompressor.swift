internal import Glibc

/// libzstd, looked for when it is first wanted: programs that never ask for it do not depend on it.
struct ZstdLibrary: Sendable {
    typealias Create = @convention(c) () -> OpaquePointer?
    typealias Free = @convention(c) (OpaquePointer) -> Int
    typealias Reset = @convention(c) (OpaquePointer, Int32) -> Int
    typealias Compress =
        @convention(c) (OpaquePointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int32) -> Int
    typealias IsError = @convention(c) (Int) -> UInt32

    /// `nil` where the system has none.
    static let shared = ZstdLibrary()

    let create: Create
    let free: Free
    let reset: Reset
    let compress: Compress
    let isError: IsError

    private init?() {
        // libcurl is usually linked with it, so it is there already. It is never closed.
        guard let library = dlopen("libzstd.so.1", RTLD_NOW) else { return nil }
        func function<Type>(_ name: String, _: Type.Type) -> Type? {
            dlsym(library, name).map { unsafeBitCast($0, to: Type.self) }
        }
        guard let create = function("ZSTD_createCCtx", Create.self),
            let free = function("ZSTD_freeCCtx", Free.self),
            let reset = function("ZSTD_CCtx_reset", Reset.self),
            let compress = function("ZSTD_compressStream2", Compress.self),
            let isError = function("ZSTD_isError", IsError.self)
        else { return nil }
        (self.create, self.free, self.reset, self.compress, self.isError) = (create, free, reset, compress, isError)
    }
}

/// Zstandard at the library's usual level.
final class ZstdCompressor: Compressor {
    /// `ZSTD_inBuffer` and `ZSTD_outBuffer`, which are laid out alike.
    private struct Buffer {
        let bytes: UnsafeRawPointer?
        let size: Int
        var position = 0
    }

    private static let (goOn, end) = (Int32(0), Int32(2))
    private static let sessionOnly: Int32 = 1

    private let library: ZstdLibrary
    private let context: OpaquePointer

    init() throws {
        guard let library = ZstdLibrary.shared, let context = library.create() else {
            throw UnavailableCoding(coding: .zstd)
        }
        (self.library, self.context) = (library, context)
    }

    deinit { _ = library.free(context) }

    func compress(
        _ input: UnsafeRawBufferPointer,
        isLast: Bool,
        into output: UnsafeMutableRawBufferPointer
    ) throws -> CompressionStep {
        var source = Buffer(bytes: input.baseAddress, size: input.count)
        var target = Buffer(bytes: UnsafeRawPointer(output.baseAddress), size: output.count)
        let left = library.compress(context, &target, &source, isLast ? Self.end : Self.goOn)
        guard library.isError(left) == 0 else { throw UnavailableCoding(coding: .zstd) }
        return CompressionStep(taken: source.position, made: target.position, isDone: isLast && left == 0)
    }

    func reset() { _ = library.reset(context, Self.sessionOnly) }
}
