import TripModel

#if DEBUG
extension TripPage {
    /// The view of costs, with and without anything in it.
    static var costComponents: [ComponentState] {
        let state = SampleTrip.state { $0.query.view = .costs }
        return [
            ComponentState("costs", "none yet") { costsView(state, Costs([])) },
            ComponentState("costs", "two currencies, two versions, a disputed payment", isWide: true) {
                costsView(state, Costs(sampleCosts))
            },
            ComponentState("expense form", "new") { costsView(editing(nil), Costs([])) },
            ComponentState("expense form", "of two versions") {
                expenseForm(editing(sampleCosts[1].shortID), Costs(sampleCosts))
            },
            ComponentState("expense form", "refused") { expenseForm(refused, Costs(sampleCosts)) },
        ]
    }

    private static func editing(_ item: String?) -> PageState {
        SampleTrip.state {
            $0.query.view = .costs
            $0.query.isEditing = true
            $0.query.open = item
        }
    }

    private static var refused: PageState {
        var form = ExpenseForm()
        (form.title, form.amount, form.way) = ("Taxi <b>", "thirty", .percent)
        form.payers = [SampleTrip.jie, SampleTrip.noah].map { ExpenseForm.Person("\($0.id)", "15") }
        form.sharers = [ExpenseForm.Person("\(SampleTrip.mia.id)", "40")]
        let faults: [ExpenseForm.Part: String] = [
            .amount: "“thirty” is not an amount; write it like 84 EUR.",
            .sharers: "The percentages do not add up to 100.",
            .rate: "The rate is invalid.",
        ]
        var state = editing(nil)
        state.toast = Toast("Not saved", isProblem: true, refused: RefusedExpense(form: form, faults: faults))
        return state
    }

    private static var sampleCosts: [ItemView] {
        let (jie, mia, noah) = (SampleTrip.jie, SampleTrip.mia, SampleTrip.noah)
        let equally = [jie, mia, noah].map(\.id).sorted().map(\.description).joined(separator: " ")
        return [
            SampleTrip.item(
                31,
                [
                    .title: SampleTrip.value("Dinner"), .dates: SampleTrip.value("2026-06-12"),
                    .category: SampleTrip.value("food"),
                    .cost: SampleTrip.value("EUR 8400 by \(noah.id):8400 for equally \(equally)"),
                ]),
            SampleTrip.item(
                32,
                [
                    .title: SampleTrip.value("<script>alert(1)</script>"),
                    .cost: SampleTrip.value(
                        "CHF 5000 @ 0.9512 EUR by \(mia.id):5000 for equally \(equally)",
                        beside: [("CHF 5100 by \(mia.id):5100 for equally \(equally)", noah)]),
                ]),
            SampleTrip.item(
                33,
                [
                    .title: SampleTrip.value("Ferry"),
                    .cost: SampleTrip.value("GBP 1200 by \(jie.id):1200 for exactly \(mia.id):1200"),
                ]),
            SampleTrip.item(
                34,
                [
                    .title: SampleTrip.value("Payment to Noah"),
                    .payment: SampleTrip.value("EUR 1000 by \(mia.id):1000 for exactly \(noah.id):1000"),
                ], votes: [SampleTrip.vote(noah, .against)], by: mia),
        ]
    }
}
#endif
