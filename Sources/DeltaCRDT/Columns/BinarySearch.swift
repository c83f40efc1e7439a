extension RandomAccessCollection where Index == Int {
    /// The first index whose element satisfies a predicate, or `endIndex` where none does. Once true, it must stay true:
    /// swift-algorithms' name and contract. O(log n).
    @inlinable @inline(__always)
    package func partitioningIndex(where belongsInSecondPartition: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if belongsInSecondPartition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
