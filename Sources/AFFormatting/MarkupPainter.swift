internal import AFHTTP

/// Colors XML and HTML as they arrive; the text is unchanged.
///
/// Invalid markup is written unchanged, in arbitrary colors.
struct MarkupPainter: BodyFormatting {
    enum Dialect { case xml, html }

    private enum State: Equatable {
        case text
        /// After a `<`, until the construct is known. The bytes are buffered.
        case opening
        case name
        /// Inside a tag, between its parts.
        case tag
        case attribute, valueStart, bareValue
        case value(quote: UInt8)
        case comment, section, instruction
        /// `<!DOCTYPE …>`, with the number of open brackets.
        case declaration(brackets: Int)
        /// The contents of `<script>` and similar elements, in which only the end tag is markup; after a `<` there.
        case rawText, rawOpening
    }

    /// The HTML elements with raw text.
    private static let rawElements: Set<[UInt8]> = Set(["script", "style", "textarea", "title"].map { Array($0.utf8) })
    private static let sections: [(start: [UInt8], state: State)] = [
        (Array("<!--".utf8), .comment), (Array("<![CDATA[".utf8), .section),
    ]

    private let dialect: Dialect
    private let palette: Palette
    private let isForTerminal: Bool
    private var state = State.text
    /// Bytes that depend on the next one.
    private var held: [UInt8] = []
    /// The name of the latest tag, in lower case, up to a maximum length.
    private var name: [UInt8] = []
    private var isEndTag = false
    /// The number of matched bytes of `-->`, `]]>` or `?>`, without the last one.
    private var matched = 0
    /// The current style of the output.
    private var style = TextStyle.plain
    private var sanitizer = Sanitizer(notation: .text)

    init(_ dialect: Dialect, palette: Palette, isForTerminal: Bool) {
        self.dialect = dialect
        self.palette = palette
        self.isForTerminal = isForTerminal
    }

    mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Self.chunkSize)
            paint(UnsafeRawBufferPointer(rebasing: chunk), into: &buffer)
            rest = rest.dropFirst(chunk.count)
            try buffer.drain()
        }
    }

    mutating func finish(into buffer: inout OutputBuffer) {
        showHeld(.plain, into: &buffer)
        change(to: .plain, into: &buffer)
    }

    private mutating func paint(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) {
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            switch state {
            case .opening: open(byte, &position, into: &buffer)
            case .rawOpening: openRaw(byte, &position, into: &buffer)
            case .text where byte == UInt8(ascii: "<"), .rawText where byte == UInt8(ascii: "<"):
                held = [byte]
                state = state == .text ? .opening : .rawOpening
                position += 1
            default:
                let end = bytes[position...].firstIndex { endsRun($0) } ?? bytes.count
                let run = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
                show(run, styleOfRun, into: &buffer)
                position = end
                if end < bytes.count { endRun(with: bytes[end], &position, into: &buffer) }
            }
        }
    }

    /// The style of the text up to the next byte for which ``endsRun(_:)`` is true.
    private var styleOfRun: TextStyle {
        switch state {
        case .text, .rawText, .tag, .valueStart, .opening, .rawOpening: .plain
        case .name: palette.tag
        case .attribute: palette.attribute
        case .value, .bareValue, .section: palette.string
        case .comment, .instruction, .declaration: palette.comment
        }
    }

    /// Whether the byte ends the current run in this state.
    private func endsRun(_ byte: UInt8) -> Bool {
        switch state {
        case .text, .rawText: byte == UInt8(ascii: "<")
        case .name: byte.isMarkupSpace || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
        case .tag, .valueStart: !byte.isMarkupSpace
        case .attribute:
            byte.isMarkupSpace || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
        case .bareValue: byte.isMarkupSpace || byte == UInt8(ascii: ">")
        case .value(let quote): byte == quote
        case .comment, .section, .instruction, .declaration, .opening, .rawOpening: true
        }
    }

    /// Processes a byte that ended a run; leaves it to another state if necessary.
    private mutating func endRun(with byte: UInt8, _ position: inout Int, into buffer: inout OutputBuffer) {
        switch state {
        case .name, .attribute, .bareValue: state = .tag
        case .tag: enterPart(of: byte, &position, into: &buffer)
        case .valueStart where byte == UInt8(ascii: ">"): state = .tag
        case .valueStart where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"):
            state = .value(quote: byte)
            take(byte, palette.string, &position, into: &buffer)
        case .valueStart: state = .bareValue
        case .value:
            take(byte, palette.string, &position, into: &buffer)
            state = .tag
        case .comment: take(byte, before: UInt8(ascii: "-"), count: 2, &position, into: &buffer)
        case .section: take(byte, before: UInt8(ascii: "]"), count: 2, &position, into: &buffer)
        case .instruction:
            take(byte, before: UInt8(ascii: "?"), count: dialect == .xml ? 1 : 0, &position, into: &buffer)
        case .declaration(let brackets):
            take(byte, palette.comment, &position, into: &buffer)
            state = Self.declaration(brackets, after: byte)
        case .text, .rawText, .opening, .rawOpening: break
        }
    }

    /// Begins a part of a tag, or ends the tag.
    private mutating func enterPart(of byte: UInt8, _ position: inout Int, into buffer: inout OutputBuffer) {
        switch byte {
        case UInt8(ascii: "/"): take(byte, palette.tag, &position, into: &buffer)
        case UInt8(ascii: ">"):
            take(byte, palette.tag, &position, into: &buffer)
            state = dialect == .html && !isEndTag && Self.rawElements.contains(name) ? .rawText : .text
        case UInt8(ascii: "="):
            take(byte, palette.punctuation, &position, into: &buffer)
            state = .valueStart
        default: state = .attribute
        }
    }

    /// Processes a byte of a construct that ends with repeated bytes and a `>`.
    private mutating func take(
        _ byte: UInt8,
        before mark: UInt8,
        count: Int,
        _ position: inout Int,
        into buffer: inout OutputBuffer
    ) {
        let isOver = byte == UInt8(ascii: ">") && matched >= count
        take(byte, styleOfRun, &position, into: &buffer)
        matched = byte == mark ? min(matched + 1, count) : 0
        if isOver { state = .text }
    }

    private static func declaration(_ brackets: Int, after byte: UInt8) -> State {
        switch byte {
        case UInt8(ascii: "["): .declaration(brackets: brackets + 1)
        case UInt8(ascii: "]"): .declaration(brackets: max(0, brackets - 1))
        case UInt8(ascii: ">") where brackets == 0: .text
        default: .declaration(brackets: brackets)
        }
    }

    /// Determines the construct that a `<` begins, as soon as possible.
    private mutating func open(_ byte: UInt8, _ position: inout Int, into buffer: inout OutputBuffer) {
        if held.count == 1 {
            switch byte {
            case UInt8(ascii: "!"):
                held.append(byte)
                position += 1
            case UInt8(ascii: "/"):
                held.append(byte)
                position += 1
                begin(.name, palette.tag, into: &buffer)
                (name, isEndTag) = ([], true)
            case UInt8(ascii: "?"): begin(.instruction, palette.comment, into: &buffer)
            case _ where byte.beginsMarkupName:
                begin(.name, palette.tag, into: &buffer)
                (name, isEndTag) = ([], false)
            default: begin(.text, .plain, into: &buffer)
            }
            return
        }
        let longer = held + [byte]
        if let section = Self.sections.first(where: { $0.start.starts(with: longer) }) {
            held = longer
            position += 1
            guard longer.count == section.start.count else { return }
            begin(section.state, section.state == .comment ? palette.comment : palette.string, into: &buffer)
        } else {
            begin(.declaration(brackets: 0), palette.comment, into: &buffer)
        }
    }

    /// Checks whether a `<` ends the element with raw text.
    private mutating func openRaw(_ byte: UInt8, _ position: inout Int, into buffer: inout OutputBuffer) {
        let end = [UInt8(ascii: "<"), UInt8(ascii: "/")] + name
        let longer = (held + [byte]).map(\.asciiLowercased)
        guard end.starts(with: longer) else { return begin(.rawText, .plain, into: &buffer) }
        held.append(byte)
        position += 1
        guard longer.count == end.count else { return }
        isEndTag = true
        begin(.tag, palette.tag, into: &buffer)
    }

    private mutating func begin(_ state: State, _ style: TextStyle, into buffer: inout OutputBuffer) {
        showHeld(style, into: &buffer)
        self.state = state
        matched = 0
    }

    private mutating func take(
        _ byte: UInt8,
        _ style: TextStyle,
        _ position: inout Int,
        into buffer: inout OutputBuffer
    ) {
        withUnsafeBytes(of: byte) { show($0, style, into: &buffer) }
        position += 1
    }

    private mutating func showHeld(_ style: TextStyle, into buffer: inout OutputBuffer) {
        let bytes = held
        held = []
        bytes.withUnsafeBytes { show($0, style, into: &buffer) }
    }

    private mutating func show(_ bytes: UnsafeRawBufferPointer, _ style: TextStyle, into buffer: inout OutputBuffer) {
        guard !bytes.isEmpty else { return }
        if state == .name, name.count <= 8 { name += bytes.prefix(9).map(\.asciiLowercased) }
        change(to: style, into: &buffer)
        if isForTerminal { sanitizer.sanitize(bytes, into: &buffer) } else { buffer.append(bytes) }
    }

    private mutating func change(to style: TextStyle, into buffer: inout OutputBuffer) {
        guard style != self.style else { return }
        sanitizer.finish(into: &buffer)
        buffer.end(self.style)
        buffer.begin(style)
        self.style = style
    }
}

extension UInt8 {
    /// Whether the byte is white space between the parts of a tag.
    var isMarkupSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }

    /// Whether the byte can start the name of an element or attribute.
    var beginsMarkupName: Bool {
        0x61...0x7A ~= self | 0x20 || self == UInt8(ascii: "_") || self == UInt8(ascii: ":") || self >= 0x80
    }
}
