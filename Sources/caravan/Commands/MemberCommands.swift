import ArgumentParser
import CaravanNode
import TripService

struct Members: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "members",
        abstract: "Show who is in and who brought them, or take somebody out.",
        discussion: "Example: caravan members",
        subcommands: [ShowMembers.self, RemoveMember.self], defaultSubcommand: ShowMembers.self)
}

struct ShowMembers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show who is in, and who brought them.", discussion: "Example: caravan members")

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.members, json: reading.json) }
}

struct RemoveMember: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take somebody out whom you brought, or who came by them.",
        discussion: """
            Their devices are cut off by everyone who hears of it. What they have already stays with them.
            Example: caravan members remove Noah
            """)

    @Argument(help: "Their name, or the beginning of their id.")
    var name: String

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let access = try await trip.access()
        guard case .member(let member) = try await access.answer(.removable(name: name)) else { return }
        let devices = member.devices.count > 1 ? " with all \(member.devices.count) devices" : ""
        try confirmation.require("Take \(member.name)\(devices) out of the trip? Only a fresh invite brings them back")
        Reader.show(try await access.answer(.removeMember(name: member.id)), json: false)
    }
}

struct Leave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Leave the trip, with all your devices.",
        discussion: "What you have of it stays here. Let your node run until somebody has heard. Example: caravan leave"
    )

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let access = try await trip.access()
        try confirmation.require("Leave the trip, with all your devices? Only a fresh invite brings you back")
        Reader.show(try await access.answer(.leave), json: false)
    }
}
