extension Run {
    /// Reads what a replica would write, where it has a form in bytes.
    func checkReadability(of subject: Subject, _ replica: Int, _ law: Law, _ after: String = "") throws(Violation) {
        guard let codec = Subject.codec else { return }
        if law == .readability { premises.look(.readability, !machines[replica].knowledge.known.isEmpty) }
        let bytes = codec.encode(subject)
        var read = Subject(birth: Birth(replica: replica, startNumber: 0))
        if let refusal = codec.decode(&read, bytes) {
            throw Violation(
                law, "replica \(replica)\(after) writes \(hexadecimal(bytes)), which cannot be read: \(refusal())")
        }
        let again = codec.encode(read)
        guard read.view == subject.view else {
            throw Violation(
                law, "replica \(replica)\(after) shows \(subject.view); what it writes is read as \(read.view)")
        }
        guard again == bytes else {
            let change = "\(hexadecimal(bytes)) is written again as \(hexadecimal(again))"
            throw Violation(law, "of replica \(replica)\(after), \(change)")
        }
    }

    /// Compares what two replicas would write whose states are equal.
    func checkOneForm(_ replica: Int, _ other: Int) throws(Violation) {
        let (subject, others) = (machines[replica].subject, machines[other].subject)
        guard let codec = Subject.codec, let areEqual = codec.areEqual else { return }
        let isEqual = areEqual(subject, others)
        premises.look(.oneForm, isEqual && !machines[replica].knowledge.known.isEmpty)
        guard isEqual else { return }
        let (bytes, othersBytes) = (codec.encode(subject), codec.encode(others))
        guard bytes != othersBytes else { return }
        let forms = "\(hexadecimal(bytes)) and \(hexadecimal(othersBytes))"
        throw Violation(.oneForm, "the states of replicas \(replica) and \(other) are equal, and written as \(forms)")
    }

    /// Lets copies of one replica take states of another whose bytes were altered, and act; the replicas themselves hear
    /// nothing of it.
    mutating func take(
        _ alteration: Alteration, of source: Int, by target: Int, acting action: Subject.Action
    ) throws(Violation) {
        guard let codec = Subject.codec else { return }
        var readCount = 0
        for bytes in alteration.altered(codec.encode(machines[source].subject)) {
            var forged = machines[source].subject
            guard codec.decode(&forged, bytes) == nil else { continue }
            readCount += 1
            try take(forged, from: source, by: target, acting: action, ", which took \(hexadecimal(bytes))")
        }
        premises.look(.staysReadable, readCount > 0)
        if readCount > 0 { happened(.alteration) }
        note(
            .incident(source), "'s state, altered in \(Alteration.attempts) ways, is read in \(readCount) of them")
    }

    private func take(
        _ forged: Subject, from source: Int, by target: Int, acting action: Subject.Action, _ forgery: String
    ) throws(Violation) {
        var forged = forged
        try checkReadability(of: forged, source, .staysReadable, forgery)
        var copy = machines[target].subject
        if source == target {
            copy = forged
        } else if let message = forged.message(to: target, at: clock(of: source)) {
            _ = copy.receive(message, from: source, at: clock(of: target))
            try checkReadability(of: copy, target, .staysReadable, forgery)
        }
        _ = copy.perform(action, at: clock(of: target))
        try checkReadability(of: copy, target, .staysReadable, "\(forgery) and did \(action),")
    }

    /// At most 96 bytes of them, as they are in a line of a report.
    private func hexadecimal(_ bytes: [UInt8]) -> String {
        let shown = bytes.prefix(96).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return bytes.count > 96 ? "\(shown)… (\(bytes.count) bytes)" : bytes.isEmpty ? "nothing" : shown
    }
}
