internal import AFCommand
