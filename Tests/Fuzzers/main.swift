import LibC

_ = chosenFuzzer
var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runFuzzer(&count, &arguments, tryOneInput))
