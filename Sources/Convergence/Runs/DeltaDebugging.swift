/// Makes a failing list as small as it can (Zeller, Hildebrandt: *Simplifying and isolating failure-inducing input*, 2002).
enum DeltaDebugging {
    /// ddmin, complements only: a part of the list that still fails, from which no single element can be left out.
    /// `fails` decides when it is enough: once it always says no, this ends.
    static func minimise<Element>(_ all: [Element], _ fails: ([Element]) -> Bool) -> [Element] {
        var steps = all
        var parts = 2
        while !steps.isEmpty {
            let size = max(1, (steps.count + parts - 1) / parts)
            var isSmaller = false
            var start = 0
            while start < steps.count {
                let rest = Array(steps[..<start] + steps[min(start + size, steps.count)...])
                if fails(rest) {
                    steps = rest
                    isSmaller = true
                } else {
                    start += size
                }
            }
            if !isSmaller, size == 1 { break }
            parts = isSmaller ? max(2, parts - 1) : min(parts * 2, steps.count)
        }
        return steps
    }
}
