/// Formats XML, which requires the complete document: it is buffered up to a limit.
///
/// A document above the limit, or one that is not well-formed, is written unchanged.
struct XMLFormatter: BodyFormatting {
    private let limit: Int
    private let indent: Int
    /// Writes the document, formatted or not.
    private var painter: any BodyFormatting
    private var held: [UInt8] = []
    private var isHolding = true
    private(set) var brokenOffset: Int?
    private(set) var warning: String?

    /// Creates a formatter.
    ///
    /// - Parameter limit: The maximum buffer size in bytes.
    init(limit: Int, indent: Int, painter: any BodyFormatting) {
        self.limit = limit
        self.indent = indent
        self.painter = painter
    }

    mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        guard isHolding else { return try painter.consume(bytes, into: &buffer) }
        guard held.count + bytes.count > limit else { return held.append(contentsOf: bytes) }
        warning = "the body is too long to format and is shown unchanged; increase --max-formatted"
        try pass(into: &buffer)
        try painter.consume(bytes, into: &buffer)
    }

    mutating func finish(into buffer: inout OutputBuffer) throws(OutputFailure) {
        if isHolding, held.contains(where: { !$0.isMarkupSpace }) { try layOut(into: &buffer) }
        try pass(into: &buffer)
        try painter.finish(into: &buffer)
    }

    private mutating func layOut(into buffer: inout OutputBuffer) throws(OutputFailure) {
        let layout: XMLLayout
        do throws(XMLTokenizer.SyntaxError) {
            layout = try XMLLayout(held, indent: indent)
        } catch {
            brokenOffset = error.offset
            warning = "the body is not well-formed XML from byte \(error.offset + 1) on, and is shown unchanged"
            return
        }
        held = []
        var staged: [UInt8] = []
        try layout.write { chunk throws(OutputFailure) in
            staged += chunk
            guard staged.count >= OutputBuffer.drainSize else { return }
            try show(staged, into: &buffer)
            staged.removeAll(keepingCapacity: true)
        }
        try show(staged, into: &buffer)
    }

    /// Writes the buffer unchanged.
    private mutating func pass(into buffer: inout OutputBuffer) throws(OutputFailure) {
        isHolding = false
        let bytes = held
        held = []
        try show(bytes, into: &buffer)
    }

    private mutating func show(_ bytes: [UInt8], into buffer: inout OutputBuffer) throws(OutputFailure) {
        try bytes.withUnsafeBufferPointer { bytes throws(OutputFailure) in
            try painter.consume(UnsafeRawBufferPointer(bytes), into: &buffer)
        }
    }
}
