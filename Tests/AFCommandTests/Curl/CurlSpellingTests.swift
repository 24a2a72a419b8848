import TestSupport
import Testing

@testable import AFCommand

/// The options that messages about curl commands name.
@Suite(.timeLimit(.minutes(5))) struct CurlSpellingTests {
    @Test(arguments: [
        (["-X", "a b"], "--request: invalid method"), (["-X", ""], "--request: "),
        (["-X", "a b", "-d", "x"], "--request: "), (["-u", "a:\u{1}b"], "--user: "),
        (["--oauth2-bearer", ""], "--oauth2-bearer: "),
        (["--aws-sigv4", "aws:amz", "-u", "id:s"], "--aws-sigv4: "), (["-A", "x\ny"], "--user-agent: "),
        (["-e", "x\ny"], "--referer: "), (["-b", "a=x\ny"], "--cookie: "), (["-r", "x\ny"], "--range: "),
        (["-H", "X: x\ny"], "--header: "), (["-x", "h:x"], "--proxy: "), (["--socks5", "h:x"], "--socks5: "),
        (["--socks4", "x:y"], "--socks4: "), (["--proxy1.0", "h:x"], "--proxy1.0: "),
        (["-d", "@/none"], "--data: "), (["--data-ascii", "@/none"], "--data: "), (["--json", "@/none"], "--json: "),
        (["--max-redirs", "x", "-L"], "--max-redirs: "), (["-y", "x"], "-y: "),
        (["-m", "x"], "-m: "),
        (["-F", "f=@/none"], "--form: "),
        (["-T", "/none"], "--upload-file: "), (["--retry", "x"], "--retry: "),
    ])
    func `an error names the option of curl`(words: [String], start: String) async {
        let run = await runTool(["curl", "--offline"] + words + ["http://127.0.0.1:1/"])
        #expect(run.status != 0)
        #expect(run.errors.hasPrefix("curl: (\(run.status)) \(start)"), "\(run.errors)")
    }

    @Test func `an assignment from an argument knows its option`() throws {
        var count = 0
        for option in CurlOption.all where option.takesArgument && option.name != "url" {
            for argument in ["71:71", "71=71", "71"] {
                guard let settings = try? settings(of: option, argument) else { continue }
                let own = settings.filter { $0.value?.contains("71") == true }
                for setting in own {
                    let spelling = setting.spelling ?? CurlNotation.names[setting.name] ?? setting.name
                    let isOfOther = ["data-ascii": "--data", "proxy-user": "--proxy"][option.name]
                    #expect(spelling == isOfOther ?? "--\(option.name)", "\(setting)")
                }
                if own.isEmpty { continue }
                count += 1
                break
            }
        }
        #expect(count > 40)
    }

    private func settings(of option: CurlOption, _ argument: String) throws -> [CurlSetting] {
        let environment = ToolWorld().environment
        var input = InputReader(environment.files, .taken, mayReadStandardInput: false)
        var arguments = CurlArguments()
        // Options have no effect without another.
        if option.name == "proxy-user" { arguments.proxy = ("h", "--proxy") }
        if option.name == "max-redirs" { arguments.follows = true }
        if option.name == "key" { arguments.certificate = "c" }
        try option.apply(argument, to: &arguments)
        return try CurlTranslation(
            arguments, CurlGlob.Match(url: "https://h/", parts: []), index: 0,
            upload: arguments.uploads.first, isOnly: true, files: environment.files, input: &input
        ).settings
    }
}
