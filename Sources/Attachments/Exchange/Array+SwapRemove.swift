extension Array {
    /// Takes an element out by putting the last one into its place.
    mutating func swapRemove(at place: Int) {
        swapAt(place, count - 1)
        removeLast()
    }
}
