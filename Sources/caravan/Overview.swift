import ArgumentParser
import CaravanNode
import Console
import TripModel
import TripService
import TripText

/// What `caravan` alone shows.
enum Overview {
    static func show() async throws {
        let home = Home()
        let ids = try home.tripIDs()
        guard !ids.isEmpty else {
            Output.text(Reader.fitted(firstSteps))
            return
        }
        let trip = try TripOptions.parse([])
        guard try GlobalOptions.given?.trip != nil || home.tripInUse() != nil || TripOptions.fromEnvironment != nil
        else {
            let trips = try await home.entries(.ofKeysUnlessTyped, TripOptions.silentNode)
            Output.text(Reader.fitted(TerminalText.trips(trips)))
            return Output.line("\nChoose the current trip with `caravan use TRIP`.")
        }
        let access = try await trip.access()
        let view = try await access.view()
        let status = try await self.status(access)
        if let status {
            Reader.show(status)
        } else {
            Output.line((view.title?.value ?? "Untitled trip").displayed())
        }
        if let note = view.note { Output.line(TerminalText.noteLine(note.value, style: Reader.style)) }
        let steps = status.map { next($0, view, isOtherRunning: home.isNodeRunning) } ?? []
        if !steps.isEmpty { Output.line("\nNext:\n" + steps.map { "  \($0)" }.joined(separator: "\n")) }
        Output.line("\nAll commands: `caravan help`")
    }

    /// How the trip stands. Nil beside a node that does not answer, because only the node knows.
    private static func status(_ access: TripAccess) async throws(ServiceError) -> StatusView? {
        guard !TripOptions.silentNode.wasFound else { return nil }
        guard case .status(let status) = try await access.answer(.status) else { throw TripOptions.otherAnswer }
        return status
    }

    /// What a person would do next, most needed first.
    /// - Parameter isOtherRunning: whether the node runs other trips only. How it would run this one, the status says.
    static func next(_ status: StatusView, _ view: TripView, isOtherRunning: Bool = false) -> [String] {
        guard !status.isOut else {
            return status.removal?.reason == .deviceEnded
                ? ["add this device again: `caravan device add` on your first device, then `caravan join LINK` here"]
                : ["join again with a new invite: `caravan join LINK --as NAME`"]
        }
        var steps: [String] = []
        let items = view.plan.items
        let open = items.filter { item in
            !item.isChosen && !item.isDone && item.kind != .bring && !item.votes.contains { $0.name == status.you }
        }
        let sync = status.listening == nil && !isOtherRunning ? ["sync with the others: `caravan up --detach`"] : []
        // Of an archived trip all else would be refused.
        guard !status.isArchived else { return sync }
        if items.isEmpty { steps.append("add an idea: `caravan add TITLE`") }
        if !open.isEmpty, view.participants.count(where: { !$0.isOut }) > 1 {
            steps.append("vote on \(TerminalText.counted(open.count, "item")): `caravan list`, `caravan vote ITEM`")
        }
        if status.devices.isEmpty { steps.append("invite people: `caravan invite`") }
        return steps + sync
    }

    static let firstSteps = """
        Caravan plans a trip together with no server and no internet.

          caravan new "Lisbon in June" --as Jie    create a trip; Jie is your name in it
          caravan join LINK --as Noah              or join one with an invite link
          caravan add "Casa do Rio"                add an idea
          caravan invite                           create a link for your friends
          caravan up --detach                      sync with them in the background
          caravan open                             see the trip in your browser
          caravan demo                             or watch three people plan, first

        All commands: `caravan help`

        """
}
