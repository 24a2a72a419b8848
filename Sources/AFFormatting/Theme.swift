/// The value of `--style`.
package enum Theme: String, CaseIterable, Sendable {
    case auto, ocean, meadow, ember, dusk, mono

    /// Returns the palette.
    ///
    /// - Parameter hasManyColors: Whether the terminal supports 256 colors. With 16, its own colors are used for every
    ///   theme.
    package func palette(hasManyColors: Bool) -> Palette {
        switch self {
        case .mono: Palette.mono
        case .auto: Palette.standard
        case .ocean where hasManyColors: Palette(.ocean)
        case .meadow where hasManyColors: Palette(.meadow)
        case .ember where hasManyColors: Palette(.ember)
        case .dusk where hasManyColors: Palette(.dusk)
        case .ocean, .meadow, .ember, .dusk: Palette.standard
        }
    }
}

extension Palette {
    /// Indices of the 256 colors.
    package struct Colors {
        /// The color of members, fields and tags.
        let names: UInt8
        let strings: UInt8
        let numbers: UInt8
        /// The color of `true`, `false`, `null`.
        let constants: UInt8
        let targets: UInt8
        /// The color of comments and versions.
        let comments: UInt8
    }

    /// Creates a palette; all themes have the same status colors: green, cyan, orange and red.
    package init(_ colors: Colors) {
        self.init()
        key = .boldColor(colors.names)
        string = .color(colors.strings)
        number = .color(colors.numbers)
        boolean = .color(colors.constants)
        null = .color(colors.constants)
        tag = .boldColor(colors.names)
        attribute = .color(colors.numbers)
        comment = .color(colors.comments)
        method = .boldColor(colors.names)
        target = .color(colors.targets)
        version = .color(colors.comments)
        fieldName = .color(colors.names)
        interim = .color(colors.constants)
        success = .boldColor(28)
        redirect = .boldColor(31)
        clientError = .color(166)
        serverError = .boldColor(160)
        error = .boldColor(160)
        warning = .boldColor(133)
        lookup = .color(colors.comments)
        connect = .color(colors.names)
        tls = .color(colors.constants)
        waiting = .color(colors.numbers)
        transfer = .color(colors.strings)
    }

    /// A palette with bold text instead of colors.
    package static let mono = Palette(
        key: .bold, string: .plain, number: .plain, boolean: .plain, null: .plain, punctuation: .plain,
        tag: .bold, attribute: .plain, comment: .plain,
        method: .bold, target: .plain, version: .plain, fieldName: .bold, fieldValue: .plain,
        interim: .plain, success: .plain, redirect: .plain, clientError: .bold, serverError: .bold,
        error: .bold, warning: .bold,
        label: .bold, lookup: .plain, connect: .plain, tls: .plain, waiting: .plain, transfer: .plain
    )
}

extension Palette.Colors {
    // Every color has a contrast of at least 3.7 to black and to white.
    static let ocean = Self(names: 32, strings: 29, numbers: 63, constants: 133, targets: 31, comments: 66)
    static let meadow = Self(names: 64, strings: 29, numbers: 31, constants: 130, targets: 28, comments: 243)
    static let ember = Self(names: 166, strings: 100, numbers: 161, constants: 163, targets: 130, comments: 243)
    static let dusk = Self(names: 98, strings: 132, numbers: 63, constants: 162, targets: 134, comments: 243)
}
