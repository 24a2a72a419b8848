internal import AFExpressions
internal import AFHurl

/// The options of an entry: those of the command line, then its own.
struct EntryOptions: Sendable {
    var isSkipped = false
    /// The number of times that the entry is run; `nil` for no limit.
    var repetitions: UInt64? = 1
    /// The number of retries; `nil` for no limit.
    var retries: UInt64? = 0
    /// The delay before a retry in milliseconds.
    var retryInterval: UInt64 = 1000
    /// The delay before the first request in milliseconds.
    var delay: UInt64 = 0
    /// The file that receives the body.
    var output: String?
    var isCompressed = false
    /// Whether the requests and responses are logged.
    var isVerbose = false
    /// Whether the logs contain the bodies.
    var logsBodies = false
    /// Whether the body is the output also after an error.
    var failsWithBody = false
    /// Whether the entry is one of a `.http` file.
    private(set) var isOfEditor = false
    /// The names of header fields that are not sent, in lower case.
    private(set) var removedHeaders: Set<String> = []
    /// The options of curl, in order.
    private var curlOptions: [(name: HurlOption.Name, words: [String])] = []

    /// The options in curl's notation.
    var words: [String] { curlOptions.flatMap(\.words) }

    /// The lines of header fields that the options add.
    var headerLines: [String] { curlOptions.filter { $0.name == .header }.compactMap(\.words.last) }

    /// Evaluates the options of an entry, and sets the variables that it defines.
    ///
    /// - Parameter fixedNames: The variables that the file does not change.
    init(
        _ entry: HurlEntry, _ arguments: FileRunArguments, except fixedNames: Set<String>,
        _ evaluator: inout HurlEvaluator<some HurlEnvironment>
    ) throws(HurlEvaluationError) {
        if let editor = entry.request.editor {
            evaluator.define(editor.definitions, except: fixedNames)
            isOfEditor = true
        }
        for (name, value) in arguments.inherited { apply(name, value) }
        for option in entry.request.options {
            let value = try evaluator.value(of: option)
            if case .variable(let name, let value) = value {
                try evaluator.define(name, as: value, isSecret: false, at: option.range)
            }
            apply(option.name, value)
        }
    }

    /// Adds an option, which takes precedence over earlier ones.
    private mutating func apply(_ name: HurlOption.Name, _ value: HurlOptionValue) {
        switch (name, value) {
        case (.skip, .boolean(let isOn)): isSkipped = isOn
        case (.repeat, .count(let count)): repetitions = count
        case (.retry, .count(let count)): retries = count
        case (.retryInterval, .milliseconds(let time)): retryInterval = time
        case (.delay, .milliseconds(let time)): delay = time
        case (.output, .text(let path)): output = path
        // The body is decoded for its asserts in any case.
        case (.compressed, .boolean(let isOn)): isCompressed = isOn
        case (.verbose, .boolean(let isOn)): isVerbose = isOn
        case (.veryVerbose, .boolean(let isOn)): (isVerbose, logsBodies) = (isOn, isOn)
        case (.verbosity, .verbosity(let level)): (isVerbose, logsBodies) = (level != .brief, level == .debug)
        case (.variable, _): break
        case (.failWithBody, .boolean(let isOn)): failsWithBody = isOn
        case (.noHeader, .text(let field)):
            removedHeaders.insert(field.lowercased())
            curlOptions.append((name, ["--header", "\(field):"]))
        // The option of the command line does not apply.
        case (_, .boolean(false)): curlOptions.removeAll { $0.name == name }
        case (_, .boolean(true)): add(name)
        case (_, .milliseconds(let time)): add(name, Self.seconds(time))
        case (_, .count(let count)): add(name, count.map(String.init) ?? "-1")
        case (_, .natural(let number)): add(name, "\(number)")
        // A run does not ask for a password.
        case (.user, .text(let login)): add(name, login.contains(":") ? login : login + ":")
        case (_, .text(let text)): add(name, text)
        case (_, .verbosity), (_, .variable): break
        }
    }

    private mutating func add(_ name: HurlOption.Name, _ argument: String? = nil) {
        curlOptions.append((name, ["--\(name.rawValue)"] + [argument].compactMap(\.self)))
    }

    private static func seconds(_ milliseconds: UInt64) -> String {
        let fraction = "\(milliseconds % 1000 + 1000)".dropFirst()
        return "\(milliseconds / 1000).\(fraction)"
    }
}
