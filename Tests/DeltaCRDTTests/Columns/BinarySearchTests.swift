import Testing

@testable import DeltaCRDT

struct BinarySearchTests {
    @Test("the partitioning index is the first that a walk finds, in whatever lies in order")
    func aWalkFindsTheSame() {
        for count in 0..<20 {
            // With gaps.
            let numbers = (0..<count).map { $0 / 3 * 4 + $0 % 3 }
            for least in -1...(2 * count + 2) {
                let walked = numbers.firstIndex { $0 >= least } ?? numbers.endIndex
                #expect(numbers.partitioningIndex { $0 >= least } == walked)
                let slice = numbers.dropFirst(count / 3)
                let inSlice = slice.firstIndex { $0 >= least } ?? slice.endIndex
                #expect(slice.partitioningIndex { $0 >= least } == inSlice)
            }
        }
    }

    @Test("the mixer is SplitMix64's: its first numbers from seed 0")
    func theMixerIsSplitMix64() {
        // As the reference implementation prints them (https://prng.di.unimi.it/splitmix64.c).
        let expected: [UInt64] = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]
        let found = (1...3).map { Mixer.mixed(Mixer.increment &* UInt64($0)) }
        #expect(found == expected)
    }
}

/// The tests' own generator bears the same name.
private typealias Mixer = DeltaCRDT.SplitMix64
