import WaystoneCommand

await WaystoneProgram.main()
