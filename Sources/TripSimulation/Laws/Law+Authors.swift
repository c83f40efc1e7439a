package import Convergence

// What holds whatever a member, or several in league, write, and no matter who hears of it.
extension Law {
    package static let parentByName = Law(
        "parent-by-name", "A person's parent is the opener of the invite that the name says, or a guest's host.")
    package static let outForAReason = Law(
        "out-for-a-reason",
        "Who is not in was removed by somebody above, left, waits for somebody who was removed, or came by no invite that "
            + "was open; and who is in was let in.")
    package static let cutForAReason = Law(
        "cut-for-a-reason",
        "What has no effect is by somebody who is not in, or cut by a removal, an end or a farewell that counts; all else "
            + "has one.")
    package static let everyoneHasThis = Law(
        "everyone-has-this", "A node says that another has everything only when what counts is there, with its bodies.")
    package static let prompt = Law(
        "prompt",
        "What an honest person does is with everybody in session within a second, but for people let in by attackers.")
    package static let effectStays = Law(
        "effect-stays", "What an honest person did counts until that person is removed, or waits.")
    package static let statementsReach = Law(
        "statements-reach",
        "A statement changes nothing about people who are neither below its author nor admitted by those.")
    package static let bodiesStay = Law(
        "bodies-stay", "A body goes only where the founder's removal cuts it, which nothing can void.")

    package static let ofAuthors = [
        parentByName, outForAReason, cutForAReason, everyoneHasThis, prompt, effectStays, statementsReach, bodiesStay,
    ]
}
