"""Runs a WebAssembly module in Wasmtime: `wasmtime_run.py MODULE [ARGUMENT]…`. Ends with the module's status."""

import sys

import wasmtime

engine = wasmtime.Engine()
store = wasmtime.Store(engine)
system = wasmtime.WasiConfig()
system.argv = sys.argv[1:]
system.inherit_stdout()
system.inherit_stderr()
store.set_wasi(system)
linker = wasmtime.Linker(engine)
linker.define_wasi()
instance = linker.instantiate(store, wasmtime.Module.from_file(engine, sys.argv[1]))
try:
    instance.exports(store)["_start"](store)
except wasmtime.ExitTrap as ended:
    sys.exit(ended.code)
