import Convergence

/// How runs of real nodes are made.
package struct TripConditions: SimulatedConditions, Hashable {
    /// What encrypts, signs and hashes.
    package enum Cipher: String, CaseIterable, Sendable {
        /// Quick, and no secret: for volume.
        case fast
        /// libsodium's, as shipped.
        case real
    }

    /// 2 to 1,000.
    package var replicas: Int
    /// Actions and faults before everything heals; at most 1,000,000.
    package var steps: Int
    /// The network, and what goes wrong there unless told otherwise.
    package var profile: Profile
    /// What may go wrong.
    package var faults: Set<TripFault>
    /// A fault put into the world, which must be found.
    package var mutation: TripMutation?
    /// What encrypts, signs and hashes.
    package var cipher = Cipher.fast
    /// Whether each member of the beginning has a guest, who adds and votes at that member's node.
    package var hasGuests = false
    /// One step in so many is a fault, on average; at least 1.
    package var faultInterval: Int

    /// Five nodes and 300 steps unless told otherwise; the profile's faults where none are named.
    ///
    /// - Parameters:
    ///   - replicas: 2 to 1,000 nodes.
    ///   - steps: what happens before all heals, up to 1,000,000 times.
    ///   - profile: the surroundings.
    ///   - faults: nil for those of the profile.
    ///   - mutation: a known fault to switch on.
    package init(
        replicas: Int = 5, steps: Int = 300, profile: Profile = .lan, faults: Set<TripFault>? = nil,
        mutation: TripMutation? = nil
    ) {
        self.replicas = min(max(replicas, 2), 1_000)
        self.steps = min(max(steps, 0), 1_000_000)
        self.profile = profile
        self.faults = faults ?? profile.faults
        self.mutation = mutation
        // Faults are rarer if a larger share of them ends in a restart, which reads everything again.
        faultInterval = self.faults.count > 16 ? 20 : 30
    }

    /// What is run, for people.
    package var subject: String {
        let place =
            switch profile {
            case .lan: "on a hostel's network"
            case .van: "in a van"
            case .apart: "in homes that are apart"
            case .festival: "at a festival"
            case .hostile: "among enemies"
            case .mixed: "of two versions in a van"
            }
        return "\(Figures.grouped(replicas)) nodes \(place)" + (mutation.map { " with the fault \($0.rawValue)" } ?? "")
    }

    package var options: String {
        var options = "--profile \(profile.rawValue) --replicas \(replicas) --steps \(steps)"
        if faults != profile.faults { options += " --faults \(TripFault.list(faults))" }
        let usual = TripConditions(profile: profile, faults: faults).faultInterval
        if faultInterval != usual { options += " --fault-interval \(faultInterval)" }
        if let mutation { options += " --mutant \(mutation.rawValue)" }
        if hasGuests { options += " --guests" }
        if cipher != .fast { options += " --cipher \(cipher.rawValue)" }
        return options
    }

    /// How many come by an invite while the run goes on, the last by their numbers.
    var joinerCount: Int { faults.contains(.join) ? max(1, replicas / 4) : 0 }

    /// Whether members in league mean ill.
    var hasLeague: Bool { faults.contains(where: \.isOfLeague) }

    /// Whether people write down costs. In the search for another mutant they would only delay its discovery.
    var hasCosts: Bool { mutation?.isOfCosts ?? true }
    /// Of so many plans one is about questions; nil for none. A mutant of questions is looked for where people do little else.
    var questionInterval: Int? {
        if isMixed { return nil }
        guard let mutation else { return 4 }
        return mutation.isOfQuestions ? 2 : nil
    }

    /// Whether people meet nowhere but in a mailbox.
    var isApart: Bool { profile == .apart }

    /// By how much slower all happens: where people are apart, in minutes.
    var pace: UInt64 { isApart ? 60 : 1 }

    /// Whether some run an older version.
    var isMixed: Bool { profile == .mixed }

    /// Whether a node of the plan is a member from the beginning; the others come by an invite.
    func isMember(_ node: Int) -> Bool { node < replicas - joinerCount }

    /// What the world is like.
    var world: World.Conditions {
        var world = World.Conditions()
        switch profile {
        case .lan: world.latency = 1...3
        case .van, .mixed:
            world.latency = 2...40
            world.distance = 0...10
            world.bandwidth = 1_000
        case .festival:
            world.latency = 5...250
            world.distance = 0...40
            world.bandwidth = 125
            world.discoveryDelay = 300...6_000
        case .apart:
            world.latency = 5...80
            world.isApart = true
            world.discovers = false
        case .hostile:
            world.latency = 1...60
            world.distance = 0...20
            world.bandwidth = 2_000
        }
        world.keepsApplied = false
        world.isObserved = true
        return world
    }
}
