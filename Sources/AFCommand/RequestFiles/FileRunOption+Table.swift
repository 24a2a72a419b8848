internal import AFExpressions
internal import AFHurl

extension FileRunOption {
    /// The options, in the order of the help.
    package static let all = run + variables + output + reports + request + network + security + other

    private static let run = [
        FileRunOption("test", .run, "Print a line for each file and a summary, no bodies") { arguments, _ in
            arguments.isTest = true
        },
        FileRunOption("check", .run, "Parse the files, and send nothing") { arguments, _ in arguments.isCheck = true },
        FileRunOption("show", .run, "Print the requests as commands of afcli, and send nothing") { arguments, _ in
            arguments.showsCommands = true
        },
        FileRunOption("continue-on-error", .run, "Run the entries after a failure, too") { arguments, _ in
            arguments.continuesOnError = true
        },
        FileRunOption("no-assert", .run, "Check nothing") { arguments, _ in arguments.ignoresAsserts = true },
        FileRunOption("ignore-asserts", .run, "Check nothing", alias: "no-assert") { arguments, _ in
            arguments.ignoresAsserts = true
        },
        FileRunOption("no-jsonpath-coercion", .run, "A JSONPath query always has a list") { arguments, _ in
            arguments.coercesJSONPath = false
        },
        FileRunOption("from-entry", .run, "First entry to run, from 1", argument: "N") {
            (arguments, text) throws(UsageError) in arguments.firstEntry = try FileRunArguments.positive(text)
        },
        FileRunOption("to-entry", .run, "Last entry to run", argument: "N") { (arguments, text) throws(UsageError) in
            arguments.lastEntry = try FileRunArguments.positive(text)
        },
        FileRunOption("parallel", .run, "Run files at the same time") { arguments, _ in arguments.isParallel = true },
        FileRunOption("jobs", .run, "Number of files at the same time", argument: "N") {
            (arguments, text) throws(UsageError) in arguments.jobs = try FileRunArguments.positive(text)
        },
        FileRunOption("repeat", .run, "Run the files N times; -1 for no end", argument: "N") {
            (arguments, text) throws(UsageError) in arguments.repetitions = try FileRunArguments.count(text)
        },
        FileRunOption(.retry, .run, "Number of retries of an entry; -1 for no limit", argument: "N"),
        FileRunOption(.retryInterval, .run, "Wait before a retry (1000ms)", argument: "TIME"),
        FileRunOption(.delay, .run, "Wait before each entry", argument: "TIME"),
    ]

    private static let variables = [
        FileRunOption(
            .variable, .variables, "Define a variable (HURL_VARIABLE_name)", argument: "NAME=VALUE", secrets: .part),
        FileRunOption("variables-file", .variables, "Define the variables of lines NAME=VALUE", argument: "FILE") {
            $0.variablesFiles.append($1)
        },
        FileRunOption(
            "secret", .variables, "Define a masked variable (HURL_SECRET_name)", argument: "NAME=VALUE", secrets: .all
        ) { (arguments, text) throws(UsageError) in
            arguments.secrets.append(try FileRunArguments.definition(text))
        },
        FileRunOption("secrets-file", .variables, "Define the secrets of lines NAME=VALUE", argument: "FILE") {
            $0.secretsFiles.append($1)
        },
        FileRunOption("env", .variables, "Environment of http-client.env.json, for .http files", argument: "NAME") {
            $0.environmentName = $1
        },
        FileRunOption("file-root", .variables, "Folder of all files in bodies", argument: "FOLDER") {
            $0.fileRoot = $1
        },
        FileRunOption(
            "glob", .variables, "Run the files of a pattern with *, ** and ?", argument: "PATTERN", isList: true
        ) {
            (arguments, text) throws(UsageError) in arguments.files += try FilePattern(text).paths()
        },
        FileRunOption("cookie", .variables, "Read cookies from a file", letter: "b", argument: "FILE") {
            $0.cookieFiles.append($1)
        },
        FileRunOption("cookie-jar", .variables, "Write the cookies to a file", letter: "c", argument: "FILE") {
            $0.cookieJar = $1
        },
        FileRunOption("no-cookie-store", .variables, "Entries do not share cookies") { arguments, _ in
            arguments.usesCookieStore = false
        },
    ]

    private static let output = [
        FileRunOption("output", .output, "Write the body of the last entry to a file", letter: "o", argument: "FILE") {
            $0.output = $1
        },
        FileRunOption("no-output", .output, "Show no body") { arguments, _ in arguments.hidesOutput = true },
        FileRunOption(.failWithBody, .output, "Show the body of a response that failed, too"),
        FileRunOption("include", .output, "Show the header before the body", letter: "i") { arguments, _ in
            arguments.includesHead = true
        },
        FileRunOption("pretty", .output, "Indent JSON, also into a file or pipe") { arguments, _ in
            arguments.isPretty = true
        },
        FileRunOption("no-pretty", .output, "Show JSON as received") { arguments, _ in arguments.isPretty = false },
        FileRunOption("color", .output, "Color the output, also into a file or pipe") { arguments, _ in
            arguments.color = .always
        },
        FileRunOption("no-color", .output, "No colors (NO_COLOR)") { arguments, _ in arguments.color = .never },
        FileRunOption(.verbose, .output, "Log requests and responses on standard error", letter: "v"),
        FileRunOption(.veryVerbose, .output, "Log them with their bodies"),
        FileRunOption(.verbosity, .output, "brief, verbose or debug", argument: "LEVEL"),
        FileRunOption("error-format", .output, "short, or long: show the response with an error", argument: "FORMAT") {
            (arguments, text) throws(UsageError) in
            guard ["short", "long"].contains(text) else { throw UsageError("expected short or long, got '\(text)'") }
            arguments.showsResponses = text == "long"
        },
        FileRunOption("progress-bar", .output, "Accepted; has no effect") { _, _ in },
    ]

    private static let reports = [
        FileRunOption("report-junit", .reports, "Write a JUnit report", argument: "FILE") {
            $0.reports.append((.junit, $1))
        },
        FileRunOption("report-tap", .reports, "Write a TAP report", argument: "FILE") { $0.reports.append((.tap, $1)) },
        FileRunOption("report-json", .reports, "Write a JSON report with the bodies", argument: "FOLDER") {
            $0.reports.append((.json, $1))
        },
        FileRunOption("report-html", .reports, "Write a page with timings and failures", argument: "FOLDER") {
            $0.reports.append((.html, $1))
        },
        FileRunOption("json", .reports, "Print the results as JSON, a line for each file") { arguments, _ in
            arguments.printsJSON = true
        },
        FileRunOption("curl", .reports, "Write the commands of curl to a file", argument: "FILE") { $0.curlFile = $1 },
    ]
}
