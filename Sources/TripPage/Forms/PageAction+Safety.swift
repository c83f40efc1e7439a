// Forms about devices and passphrases.
extension PageAction {
    var safetyFields: [(name: String, value: String)] {
        guard case .passphrase(let old, let new) = self else { return [("do", "add-device")] }
        guard let new else { return [("do", "remove-passphrase"), ("old", old)] }
        return [("do", "set-passphrase"), ("old", old), ("new", new), ("again", new)]
    }

    static func safety(_ field: (String) -> String?) throws(PageFormError) -> PageAction {
        let old = field("old") ?? ""
        switch field("do") {
        case "add-device": return .addDevice
        case "remove-passphrase": return .passphrase(old: old, new: nil)
        default:
            return .passphrase(old: old, new: try newPassphrase(field("new") ?? "", again: field("again")))
        }
    }

    /// A new passphrase, typed twice.
    package static func newPassphrase(_ typed: String, again: String?) throws(PageFormError) -> String {
        guard typed == again else { throw PageFormError("the two passphrases differ: type the same one twice") }
        return typed
    }
}
