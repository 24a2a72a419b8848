internal import AFHTTP
internal import CZlib

/// The negotiated parameters of permessage-deflate (RFC 7692 §7.1).
struct WebSocketCompression: Hashable, Sendable {
    /// Whether the server compresses each message independently.
    var serverForgetsContext = false
    /// Whether the client must compress each message independently.
    var clientForgetsContext = false
    /// The size of the window that the client may use, as a power of two.
    var clientWindowBits: Int32 = 15

    /// The offer in `Sec-WebSocket-Extensions`.
    static let offer = "permessage-deflate; client_max_window_bits"

    init() {}

    /// Parses an element of the server's `Sec-WebSocket-Extensions`.
    ///
    /// - Returns: `nil` for another extension, and for a parameter that is unknown, repeated or has an invalid value.
    init?(_ element: Substring) {
        var names: Set<String> = []
        let parts = Array(element.utf8)[...].splitOutsideQuotes(at: UInt8(ascii: ";"))
        for (index, part) in parts.enumerated() {
            let pair = part.pair
            let name = String(decoding: pair?.name ?? part.trimmed, as: UTF8.self)
            guard index > 0 else {
                guard name.lowercased() == "permessage-deflate", pair == nil else { return nil }
                continue
            }
            guard names.insert(name).inserted else { return nil }
            switch (name, pair?.value.unquoted) {
            case ("server_no_context_takeover", nil): serverForgetsContext = true
            case ("client_no_context_takeover", nil): clientForgetsContext = true
            case ("server_max_window_bits", let value?):
                // zlib's largest window decompresses any.
                guard Self.windowBits(value) != nil else { return nil }
            case ("client_max_window_bits", let value?):
                guard let bits = Self.windowBits(value) else { return nil }
                clientWindowBits = bits
            default: return nil
            }
        }
    }

    private static func windowBits(_ text: String) -> Int32? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text.first != "0", let bits = Int32(text) else {
            return nil
        }
        return (8...15).contains(bits) ? bits : nil
    }
}

/// The bytes that end each flushed block, which are not sent (RFC 7692 §7.2.1).
private let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

/// Decompresses the messages of a server.
final class WebSocketInflater {
    private let forgetsContext: Bool
    /// Allocated, as zlib requires a stable address.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether every block that was started has ended: ``tail`` would start another one.
    private var isBetweenBlocks = true

    /// Returns `nil` if memory is exhausted.
    init?(_ compression: WebSocketCompression) {
        forgetsContext = compression.serverForgetsContext
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard af_inflate_init(stream, -MAX_WBITS) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decompresses a chunk of a message, and appends the result.
    func inflate(
        _ input: UnsafeRawBufferPointer,
        into message: inout [UInt8],
        limit: Int
    ) throws(WebSocketError) {
        guard !input.isEmpty else { return }
        isBetweenBlocks = false
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?
            .assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_in = uInt(input.count)
        let size = 16 * 1024
        var isFull = true
        // Without a full buffer there is no more output.
        while stream.pointee.avail_in > 0 || isFull {
            let (chunk, status) = inflateChunk(size)
            message += chunk
            isFull = chunk.count == size
            guard message.count <= limit else { throw .tooBig(limit) }
            switch status {
            case Z_OK: break
            // No progress was possible.
            case Z_BUF_ERROR: return
            // A block may be marked as the last one (RFC 7692 §7.2.3.4). Later ones may refer to it: the window stays.
            case Z_STREAM_END:
                inflateResetKeep(stream)
                isBetweenBlocks = stream.pointee.avail_in == 0
            default: throw .undecodable
            }
        }
    }

    private func inflateChunk(_ size: Int) -> (bytes: [UInt8], status: Int32) {
        var status: Int32 = Z_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = uInt(size)
            status = CZlib.inflate(stream, Z_SYNC_FLUSH)
            count = size - Int(stream.pointee.avail_out)
        }
        return (bytes, status)
    }

    /// Completes a message.
    func finish(into message: inout [UInt8], limit: Int) throws(WebSocketError) {
        if !isBetweenBlocks {
            let count = message.count
            var failure: WebSocketError?
            tail.withUnsafeBytes { tail in
                do throws(WebSocketError) { try inflate(tail, into: &message, limit: limit) } catch { failure = error }
            }
            if let failure { throw failure }
            // The tail is an empty block unless the message was cut. 128 is zlib's mark between blocks (`Z_BLOCK`).
            guard message.count == count, stream.pointee.data_type == 128 else { throw .undecodable }
            isBetweenBlocks = true
        }
        if forgetsContext { inflateReset(stream) }
    }
}

extension WebSocketError {
    fileprivate static var undecodable: Self {
        .violation("the server sent a message that cannot be decompressed", .invalidFramePayloadData)
    }
}

/// Compresses the messages of a client.
final class WebSocketDeflater {
    /// The smallest message that is compressed, in bytes.
    static let minimumSize = 64

    private let forgetsContext: Bool
    private let stream: UnsafeMutablePointer<z_stream>

    /// Returns `nil` if memory is exhausted, or for a window of 256 bytes, which zlib does not support: the messages are
    /// then sent uncompressed, as any may be.
    init?(_ compression: WebSocketCompression) {
        guard compression.clientWindowBits > 8 else { return nil }
        forgetsContext = compression.clientForgetsContext
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard af_deflate_init(stream, Z_DEFAULT_COMPRESSION, -compression.clientWindowBits) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Returns the compressed payload of a message, which must not be empty.
    func deflate(_ input: UnsafeRawBufferPointer) -> [UInt8] {
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?
            .assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_in = uInt(input.count)
        // The bound does not count the flush, whose output the next round takes.
        let capacity = Int(deflateBound(stream, UInt(input.count))) + 16
        var output: [UInt8] = []
        repeat {
            output += [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = uInt(capacity)
                CZlib.deflate(stream, Z_SYNC_FLUSH)
                count = capacity - Int(stream.pointee.avail_out)
            }
        } while stream.pointee.avail_out == 0
        if output.suffix(4).elementsEqual(tail) { output.removeLast(4) }
        if forgetsContext { deflateReset(stream) }
        return output
    }
}
