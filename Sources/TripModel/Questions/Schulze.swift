/// Schulze's method: of two options, the one wins to which the strongest path leads (Schulze: *A new monotonic, clone-independent,
/// reversal symmetric, and Condorcet-consistent single-winner election method*, Social Choice and Welfare 36, 2011).
package struct Schulze: Hashable, Sendable {
    /// How many ranked the option of the row before that of the column.
    package let preferences: [[Int]]
    /// The options from the best to the worst, by their places; those of one group are equal.
    package let ranking: [[Int]]

    /// - Parameters:
    ///   - ballots: of each person the ranks of options by their places; what isn't ranked comes last. Equal ranks prefer nothing.
    ///   - options: how many there are.
    /// - Complexity: O(options³ + ballots · options²).
    package init(_ ballots: [[Int: Int]], options: Int) {
        var preferences = [[Int]](repeating: [Int](repeating: 0, count: options), count: options)
        for ballot in ballots {
            for one in 0..<options {
                for other in 0..<options where ballot[one, default: .max] < ballot[other, default: .max] {
                    preferences[one][other] += 1
                }
            }
        }
        self.preferences = preferences
        let paths = Self.strongestPaths(preferences)
        // To beat is transitive (there, section 4.1), so an option that is beaten by fewer is beaten by none of the others.
        var groups: [Int: [Int]] = [:]
        for option in 0..<options {
            groups[(0..<options).count { paths[$0][option] > paths[option][$0] }, default: []].append(option)
        }
        ranking = groups.sorted { $0.key < $1.key }.map(\.value)
    }

    /// By Floyd and Warshall; a link is as strong as the number of those who prefer it, where they are the majority.
    private static func strongestPaths(_ preferences: [[Int]]) -> [[Int]] {
        let options = preferences.indices
        var paths = options.map { one in
            options.map { preferences[one][$0] > preferences[$0][one] ? preferences[one][$0] : 0 }
        }
        for via in options {
            for one in options where one != via {
                for other in options where other != one && other != via {
                    paths[one][other] = max(paths[one][other], min(paths[one][via], paths[via][other]))
                }
            }
        }
        return paths
    }
}
