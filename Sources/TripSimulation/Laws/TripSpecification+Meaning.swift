import Convergence
import TripModel

// What people do, in people's words.
extension TripSpecification {
    /// Where an item is moved to.
    enum Destination {
        case end(of: Name?)
        case before(Name)
        case behind(Name)
    }

    /// What somebody did.
    enum Meaning {
        case add([Draft], to: Name?)
        /// - Parameter shown: what its writer was shown of some of the fields: what else stood there stays.
        case edit(item: Name, fields: [Field: String?], shown: [Field: [String]] = [:])
        /// Puts it on a day, perhaps at a time; nil takes its day away.
        case plan(item: Name, String?)
        /// Makes of the note another one, on one line. Of the trip where there is no name.
        case editNote(Name?, String)
        case remove(item: Name)
        case restore(item: Name)
        case vote(item: Name, Vote?)
        case quantity(item: Name, by: Int64)
        case claim(item: Name, Int64?)
        case attend(item: Name, Attendance?)
        /// Answers a question; nil takes that back.
        case answer(item: Name, Answer?)
        case seal(item: Name, [UInt8], Answer)
        case close(item: Name)
        case reveal(item: Name, [UInt8])
        case options(item: Name, added: [String], removed: [String])
        case comment(item: Name, String)
        /// Anybody may try; only its author's has an effect.
        case removeComment(Name)
        case amenities(item: Name, added: [String], removed: [String])
        case addList([Field: String], [Draft])
        case editList(Name, [Field: String?])
        case removeList(Name)
        case restoreList(Name)
        case move(item: Name, Destination)
        /// Photos are known by their widths.
        case attach(item: Name, photo: Int)
        case detach(item: Name, photo: Int)
        /// Takes back what a change of theirs did.
        case undo(change: Int)
        /// On a list of their own, which nobody else is shown.
        case wish(String)
        case unwish(String)
        case setTitle(String)
        case setName(String)

        /// Adds one item, to no list.
        static func add(fields: [Field: String], quantity: Int64) -> Meaning {
            .add([Draft(fields: fields, quantity: quantity)], to: nil)
        }
    }
}
