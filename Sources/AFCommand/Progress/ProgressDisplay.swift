/// How progress is shown: `--progress`.
enum ProgressDisplay: String, ArgumentValue, CaseIterable { case auto, always, never, json }
