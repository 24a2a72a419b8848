internal import AFExpressions
internal import AFHurl
internal import Glibc

/// libxml2, which is loaded by the first XPath expression.
///
/// Documents are untrusted: there is no network access, no DTD is loaded and no entity is expanded.
struct XMLLibrary: Sendable {
    /// The names of the library: until version 2.13, and since 2.14.
    static let names = ["libxml2.so.2", "libxml2.so.16"]
    static let shared = XMLLibrary(names: names)

    /// The maximum number of bytes of a document; its tree takes about ten times as many.
    private static let documentLimit = 64 << 20
    /// The maximum number of bytes of an expression: its nesting takes stack.
    private static let expressionLimit = 4096

    private typealias Pointer = UnsafeMutableRawPointer
    private typealias ReadDocument =
        @convention(c) (UnsafeRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int32) -> Pointer?
    private typealias Function = @convention(c) (Pointer?) -> Pointer?
    private typealias Free = @convention(c) (Pointer?) -> Void
    private typealias RegisterNamespace =
        @convention(c) (Pointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Int32
    private typealias Evaluate = @convention(c) (UnsafePointer<CChar>?, Pointer?) -> Pointer?
    private typealias ErrorHandler = @convention(c) (Pointer?, Pointer?) -> Void
    private typealias SetErrorHandler = @convention(c) (Pointer?, ErrorHandler?) -> Void

    private let readXML, readHTML: ReadDocument
    private let root, makeContext: Function
    private let freeDocument, freeContext, freeObject: Free
    private let registerNamespace: RegisterNamespace
    private let evaluate: Evaluate
    private let setErrorHandler, setPrinter: SetErrorHandler

    /// Loads the first library that is installed; returns `nil` if no library is installed.
    init?(names: [String]) {
        var handle: Pointer?
        for name in names where handle == nil { handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) }
        guard let handle, let readXML = dlsym(handle, "xmlReadMemory"), let readHTML = dlsym(handle, "htmlReadMemory"),
            let root = dlsym(handle, "xmlDocGetRootElement"), let makeContext = dlsym(handle, "xmlXPathNewContext"),
            let freeDocument = dlsym(handle, "xmlFreeDoc"), let freeContext = dlsym(handle, "xmlXPathFreeContext"),
            let freeObject = dlsym(handle, "xmlXPathFreeObject"),
            let evaluate = dlsym(handle, "xmlXPathEvalExpression"),
            let registerNamespace = dlsym(handle, "xmlXPathRegisterNs"),
            let setErrorHandler = dlsym(handle, "xmlSetStructuredErrorFunc"),
            let setPrinter = dlsym(handle, "xmlSetGenericErrorFunc"), let initialize = dlsym(handle, "xmlInitParser")
        else { return nil }
        self.readXML = unsafeBitCast(readXML, to: ReadDocument.self)
        self.readHTML = unsafeBitCast(readHTML, to: ReadDocument.self)
        self.root = unsafeBitCast(root, to: Function.self)
        self.makeContext = unsafeBitCast(makeContext, to: Function.self)
        self.freeDocument = unsafeBitCast(freeDocument, to: Free.self)
        self.freeContext = unsafeBitCast(freeContext, to: Free.self)
        self.freeObject = unsafeBitCast(freeObject, to: Free.self)
        self.registerNamespace = unsafeBitCast(registerNamespace, to: RegisterNamespace.self)
        self.evaluate = unsafeBitCast(evaluate, to: Evaluate.self)
        self.setErrorHandler = unsafeBitCast(setErrorHandler, to: SetErrorHandler.self)
        self.setPrinter = unsafeBitCast(setPrinter, to: SetErrorHandler.self)
        unsafeBitCast(initialize, to: (@convention(c) () -> Void).self)()
    }

    /// Returns the value of an XPath 1.0 expression; of a node set, its size.
    ///
    /// The namespaces of the complete document have their prefixes; the first default one has the prefix `_`.
    func value(of expression: String, in document: String, isHTML: Bool) throws(HurlXPathError) -> HurlValue {
        guard document.utf8.count <= Self.documentLimit else {
            throw .unavailable("the document is larger than 64 MiB, the maximum for XPath")
        }
        guard expression.utf8.count <= Self.expressionLimit else { throw .invalidExpression }
        // The text of nested entities grows exponentially.
        guard isHTML || !document.contains("<!ENTITY") else {
            throw .unavailable("the document declares entities, which are not supported")
        }
        hideErrors()
        guard let tree = tree(of: document, isHTML: isHTML) else { throw .invalidDocument }
        defer { freeDocument(tree) }
        guard let top = root(tree) else { throw .invalidDocument }
        guard let context = makeContext(tree) else { throw .invalidExpression }
        defer { freeContext(context) }
        registerNamespaces(of: top, in: context)
        guard let object = evaluate(expression, context) else { throw .invalidExpression }
        defer { freeObject(object) }
        guard let value = Self.value(of: object) else { throw .invalidExpression }
        return value
    }

    /// Prevents that the library prints the errors of this thread.
    private func hideErrors() {
        setErrorHandler(nil) { _, _ in }
        // Its further arguments are variadic, and unused.
        setPrinter(nil) { _, _ in }
    }

    /// Parses a document, with recovery from errors.
    private func tree(of document: String, isHTML: Bool) -> Pointer? {
        // RECOVER, NOERROR, NOWARNING and NONET, the same for both parsers.
        let options: Int32 = 1 << 0 | 1 << 5 | 1 << 6 | 1 << 11
        var document = document
        return document.withUTF8 { bytes in
            (isHTML ? readHTML : readXML)(bytes.baseAddress, Int32(bytes.count), nil, "UTF-8", options)
        }
    }

    /// Registers the namespaces of all elements; the first one of a prefix wins.
    private func registerNamespaces(of top: Pointer, in context: Pointer) {
        var prefixes: Set<String> = []
        var next: Pointer? = top
        while let node = next {
            var declaration = node.isElement ? node.pointer(at: Layout.namespaces) : nil
            while let namespace = declaration {
                declaration = namespace.pointer(at: Layout.nextNamespace)
                guard let uri = namespace.pointer(at: Layout.uri) else { continue }
                let prefix = namespace.pointer(at: Layout.prefix).map { $0.text } ?? "_"
                guard prefixes.insert(prefix).inserted else { continue }
                _ = registerNamespace(context, prefix, uri.assumingMemoryBound(to: CChar.self))
            }
            next = Self.node(after: node, below: top)
        }
    }

    /// Returns the next node in the order of the document; `nil` after the last one.
    private static func node(after node: Pointer, below top: Pointer) -> Pointer? {
        if node.isElement, let child = node.pointer(at: Layout.firstChild) { return child }
        var current = node
        while current != top {
            if let sibling = current.pointer(at: Layout.nextSibling) { return sibling }
            guard let parent = current.pointer(at: Layout.parent) else { return nil }
            current = parent
        }
        return nil
    }

    private static func value(of object: Pointer) -> HurlValue? {
        switch object.load(as: CInt.self) {
        case 1:
            let nodes = object.pointer(at: Layout.nodes)
            return .nodeSet(nodes.map { Int($0.load(as: CInt.self)) } ?? 0)
        case 2: return .boolean(object.load(fromByteOffset: Layout.boolean, as: CInt.self) != 0)
        case 3: return .number(.float(object.load(fromByteOffset: Layout.number, as: Double.self)))
        case 4: return .string(object.pointer(at: Layout.string)?.text ?? "")
        default: return nil
        }
    }

    /// The offsets of public structures in bytes, which are the same in all versions of the ABI.
    fileprivate enum Layout {
        // xmlXPathObject
        static let nodes = 8
        static let boolean = 16
        static let number = 24
        static let string = 32
        // xmlNode
        static let type = 8
        static let firstChild = 24
        static let parent = 40
        static let nextSibling = 48
        static let namespaces = 96
        // xmlNs
        static let nextNamespace = 0
        static let uri = 16
        static let prefix = 24
    }
}

extension UnsafeMutableRawPointer {
    fileprivate var isElement: Bool { load(fromByteOffset: XMLLibrary.Layout.type, as: CInt.self) == 1 }

    fileprivate var text: String { String(cString: assumingMemoryBound(to: CChar.self)) }

    fileprivate func pointer(at offset: Int) -> UnsafeMutableRawPointer? {
        load(fromByteOffset: offset, as: UnsafeMutableRawPointer?.self)
    }
}
