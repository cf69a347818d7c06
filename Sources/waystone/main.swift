import WaystoneCommand

await Waystone.main()
