internal import AFJSON

/// Writes the matches of a filter, each as a line or a formatted block.
struct JSONMatchWriter {
    /// The number of bytes of a scalar that are held until its end is known; more are written as they arrive.
    static let heldScalarSize = 64 * 1024

    private let layout: JSONFilter.Layout
    /// A formatter that has read nothing: each match is formatted by a copy.
    private let template: any BodyFormatting
    /// Whether scalars are written unchanged.
    private let isPlain: Bool
    /// The rest of the path, for which each match is held; `nil` if matches are written as they are.
    private let refinement: JSONRefinement?
    /// The formatter of the current match; `nil` outside of matches, or as long as it is held.
    private var formatter: (any BodyFormatting)?
    /// The bytes of a scalar whose end has not arrived.
    private var held: [UInt8] = []
    private var isRawString = false
    private var isScalar = false

    /// The number of matches so far.
    private(set) var count = 0
    /// The first warning of a formatter.
    private(set) var warning: String?

    /// Creates a writer.
    init(
        _ layout: JSONFilter.Layout,
        template: any BodyFormatting,
        isPlain: Bool,
        refinement: JSONRefinement?
    ) {
        self.layout = layout
        self.template = template
        self.isPlain = isPlain
        self.refinement = refinement
    }

    /// The number of bytes that are held without limit.
    var heldCount: Int { isRawString || refinement != nil ? held.count : 0 }

    /// Starts a match.
    ///
    /// - Parameter byte: Its first byte.
    mutating func begin(with byte: UInt8, into buffer: inout OutputBuffer) {
        if refinement == nil { beginValue(with: byte, into: &buffer) }
    }

    @inline(__always)
    private mutating func beginValue(with byte: UInt8, into buffer: inout OutputBuffer) {
        isScalar = byte != UInt8(ascii: "{") && byte != UInt8(ascii: "[")
        isRawString = layout.isRaw && byte == UInt8(ascii: "\"")
        if !isScalar { open(into: &buffer) }
    }

    /// Adds bytes of the current match, whose end has not arrived.
    mutating func add(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        if formatter == nil, !isRawString, refinement == nil, held.count + bytes.count > Self.heldScalarSize {
            open(into: &buffer)
            try feed(held, into: &buffer)
            held = []
        }
        guard formatter != nil else { return held.append(contentsOf: bytes) }
        try formatter?.consume(bytes, into: &buffer)
    }

    /// Ends the current match.
    ///
    /// - Parameter bytes: Its last bytes.
    mutating func end(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        guard let refinement else { return try endValue(bytes, into: &buffer) }
        let match = held + bytes
        held.removeAll(keepingCapacity: true)
        for value in refinement.values(in: JSONCursor(checked: match)) {
            try write(value, refinement.row, into: &buffer)
            try buffer.drain()
        }
    }

    /// Writes a selected value of a match, or its row.
    private mutating func write(
        _ value: JSONCursor,
        _ row: JSONRow?,
        into buffer: inout OutputBuffer
    ) throws(OutputFailure) {
        guard let row else { return try write(value: value.valueBytes, into: &buffer) }
        guard layout.isRaw else { return try write(value: row.object(at: value)[...], into: &buffer) }
        separate(into: &buffer)
        append(text: row.line(at: value), into: &buffer)
        endLine(into: &buffer)
    }

    private mutating func write(value: ArraySlice<UInt8>, into buffer: inout OutputBuffer) throws(OutputFailure) {
        guard let first = value.first else { return }
        beginValue(with: first, into: &buffer)
        try value.withUnsafeBufferPointer { value throws(OutputFailure) in
            try endValue(UnsafeRawBufferPointer(value), into: &buffer)
        }
    }

    @inline(__always)
    private mutating func endValue(
        _ bytes: UnsafeRawBufferPointer,
        into buffer: inout OutputBuffer
    ) throws(OutputFailure) {
        if formatter == nil, held.isEmpty {
            try write(scalar: bytes, into: &buffer)
        } else {
            try add(bytes, into: &buffer)
            if formatter == nil {
                let scalar = held
                held = []
                try scalar.withUnsafeBufferPointer { scalar throws(OutputFailure) in
                    try write(scalar: UnsafeRawBufferPointer(scalar), into: &buffer)
                }
            } else {
                try close(into: &buffer)
            }
        }
        isRawString = false
    }

    /// Ends the colors of a match whose end will not arrive.
    mutating func abandon(into buffer: inout OutputBuffer) throws(OutputFailure) {
        try formatter?.finish(into: &buffer)
        formatter = nil
    }

    /// Writes a complete match.
    mutating func write(_ match: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        guard let first = match.first else { return }
        begin(with: first, into: &buffer)
        try end(match, into: &buffer)
        try buffer.drain()
    }

    @inline(__always)
    private mutating func write(scalar: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        guard isPlain || isRawString else {
            open(into: &buffer)
            try formatter?.consume(scalar, into: &buffer)
            return try close(into: &buffer)
        }
        separate(into: &buffer)
        if isRawString { writeText(of: scalar, into: &buffer) } else { buffer.append(scalar) }
        endLine(into: &buffer)
    }

    // Mutating although they only read: the call of a nonmutating method copies the writer with its formatter.

    private mutating func writeText(of string: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) {
        guard layout.isForTerminal || string.contains(UInt8(ascii: "\\")) else {
            return buffer.append(UnsafeRawBufferPointer(rebasing: string[1..<string.count - 1]))
        }
        append(text: JSONEscape.unescaped(Array(string)[...], replacesSurrogates: true), into: &buffer)
    }

    private mutating func append(text: [UInt8], into buffer: inout OutputBuffer) {
        guard layout.isForTerminal else { return buffer.append(text) }
        var sanitizer = Sanitizer(notation: .text)
        text.withUnsafeBytes { sanitizer.sanitize($0, into: &buffer) }
        sanitizer.finish(into: &buffer)
    }

    private mutating func feed(_ bytes: [UInt8], into buffer: inout OutputBuffer) throws(OutputFailure) {
        try bytes.withUnsafeBufferPointer { bytes throws(OutputFailure) in
            try formatter?.consume(UnsafeRawBufferPointer(bytes), into: &buffer)
        }
    }

    private mutating func open(into buffer: inout OutputBuffer) {
        separate(into: &buffer)
        formatter = template
    }

    private mutating func close(into buffer: inout OutputBuffer) throws(OutputFailure) {
        try formatter?.finish(into: &buffer)
        warning = warning ?? formatter?.warning
        formatter = nil
        endLine(into: &buffer)
    }

    @inline(__always)
    private mutating func separate(into buffer: inout OutputBuffer) {
        if !layout.endsLines, count > 0 { buffer.append(UInt8(ascii: "\n")) }
    }

    @inline(__always)
    private mutating func endLine(into buffer: inout OutputBuffer) {
        count += 1
        if layout.endsLines { buffer.append(UInt8(ascii: "\n")) }
    }
}
