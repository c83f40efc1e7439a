import Convergence
import Testing
import TripSimulation

/// Runs, made small, in which members in league or unlucky disks kept honest devices apart. Each failed before its fault was mended.
struct HostileRunTests {
    /// Two copies of the founder's home each began an epoch after a farewell, and one moved and started again. Their names were made
    /// by epochs that the other did not know, and no name by what a device shares with itself.
    @Test func copiesThatMovedFindEachOther() throws {
        let outcome = try run(
            """
            caravan-trip 1
            profile hostile
            replicas 2
            faults alteration,altered-file,backdate,backup,bit-flip,carried-file,clock-drift,clock-jump,clog,copied-home,crafted-change,crash,false-address,forgery,fork,full-disk,gap,garbage,join,late-crash,late-name,leave,malformed,missed-name,move,name-flood,one-way,partition,removal,repeated-name,replay,reset,retold-change,stall,throttle,torn-write,withheld-body
            seed 266
            nodes 0,1
            fault 17 672 copied-home 0 1 1876 749101479788f520
            fault 30 1316 crafted-change 0 1 2535 faddabcea1c564c0
            fault 36 1746 move 0 1 1475 c4320340efe03844
            fault 113 4523 leave 0 1 1406 cd50a546a3f4f302
            """)
        #expect(outcome.violation == nil)
    }

    /// A member in a league admitted a newcomer without the epoch's secret. The newcomer read of the admission in a file, and so no longer
    /// asked by the invite; and the founder believed that the admission had granted the secret.
    @Test func whoIsAdmittedWithoutASecretIsFound() throws {
        let outcome = try run(
            """
            caravan-trip 1
            profile hostile
            replicas 2
            faults alteration,altered-file,backdate,backup,bit-flip,carried-file,clock-drift,clock-jump,clog,copied-home,crafted-change,crash,false-address,forgery,fork,full-disk,gap,garbage,join,late-crash,late-name,leave,malformed,missed-name,move,name-flood,one-way,partition,removal,repeated-name,replay,reset,retold-change,stall,throttle,torn-write,withheld-body
            seed 279
            nodes 0,1
            fault 13 452 join 1 0 1483 44edec1f68ccfe26
            fault 18 932 crafted-change 0 1 1966 be7558dfad827e5f
            fault 20 988 one-way 1 0 18488 e09687d5f423bd5b
            fault 30 1436 withheld-body 1 0 771 91445fcc93a7964f
            fault 72 3912 crafted-change 0 1 849 7772912162bbbf38
            fault 78 4285 carried-file 1 0 4567 d9fd560d70f20dd8
            """)
        #expect(outcome.violation == nil)
    }

    /// The founder took somebody out while a member in a league began an epoch, and so two parts had epochs of their own. The names by
    /// pairs that the two honest devices could publish went to the members of the league.
    @Test func aSplitAmongPuppetsIsBridged() throws {
        let outcome = try run(
            """
            caravan-trip 1
            profile hostile
            replicas 4
            faults alteration,altered-file,backdate,backup,bit-flip,carried-file,clock-drift,clock-jump,clog,copied-home,crafted-change,crash,false-address,forgery,fork,full-disk,gap,garbage,join,late-crash,late-name,leave,malformed,missed-name,move,name-flood,one-way,partition,removal,repeated-name,replay,reset,retold-change,stall,throttle,torn-write,withheld-body
            seed 139
            nodes 0,1,2
            fault 9 288 late-crash 0 1 2507 f31c3b25841612bd
            fault 38 1687 carried-file 0 1 5260 a8a6373a58761187
            fault 65 3108 crafted-change 0 2 2949 64f433291980ac2b
            fault 70 3515 removal 1 0 365 1df8623c33a80fe3
            fault 71 3543 bit-flip 2 3 2276 4d9b1d4fab40b559
            fault 90 4715 crafted-change 2 0 1348 ade6695d7f88c7b6
            fault 103 5509 crafted-change 1 0 1296 56964964285ed662
            fault 105 5737 forgery 2 1 1913 cbd29e7da89d2ed7
            """)
        #expect(outcome.violation == nil)
    }

    /// A newcomer sealed a file whose reader could not know them: their disk had lost their admission, and it was not in the file.
    @Test func nobodySealsAFileBeforeTheirAdmissionIsOnDisk() throws {
        let outcome = try run(
            """
            caravan-trip 1
            profile hostile
            replicas 5
            faults alteration,altered-file,backdate,backup,bit-flip,carried-file,clock-drift,clock-jump,clog,copied-home,crafted-change,crash,false-address,forgery,fork,full-disk,gap,garbage,join,late-crash,late-name,leave,malformed,missed-name,move,name-flood,one-way,partition,removal,repeated-name,replay,reset,retold-change,stall,throttle,torn-write,withheld-body
            seed 609
            nodes 0,2,4
            fault 20 730 join 4 3 1067 29aa85621b8809f1
            fault 23 901 late-name 2 0 3369 df51ca761fa681d3
            fault 47 1622 leave 0 1 2281 693657ae788b683b
            fault 53 1918 bit-flip 4 3 2848 687227559af2b440
            fault 57 2377 partition 2 0 1842 6ffd6aa9fe2506ca
            fault 81 3095 torn-write 4 3 1815 dc825c8b56887cf0
            fault 82 3114 bit-flip 2 1 1238 71f7b1c5db7c20b0
            fault 91 3556 crash 4 2 2438 9414c09db5585603
            fault 112 4494 carried-file 2 4 2736 64124d5bced67eed
            fault 113 4520 carried-file 4 0 1774 e9f7d784f781d7dd
            """)
        #expect(outcome.violation == nil)
    }

    /// The founder came back from before an epoch that they had begun themselves, and so no longer held it, although the log said so. The
    /// names by pairs that they could publish went to the members of a league.
    @Test func aFounderFromABackupIsFoundAmongPuppets() throws {
        let outcome = try run(
            """
            caravan-trip 1
            profile hostile
            replicas 5
            faults alteration,altered-file,backdate,backup,bit-flip,carried-file,clock-drift,clock-jump,clog,copied-home,crafted-change,crash,false-address,forgery,fork,full-disk,gap,garbage,join,late-crash,late-name,leave,malformed,missed-name,move,name-flood,one-way,partition,removal,repeated-name,replay,reset,retold-change,stall,throttle,torn-write,withheld-body
            seed 843
            nodes 0,1,2,4
            fault 0 192 late-name 0 4 2417 ff330359a73c05e5
            fault 1 217 late-crash 2 1 2798 a55c2f25c69f8fa8
            fault 2 236 join 4 0 2466 158ebac8960eca8e
            fault 3 263 crafted-change 0 1 1013 b5a36206d6ed1bc
            fault 59 3213 false-address 0 4 8331 cd49c9e98e9b4ff6
            fault 66 3326 backup 0 2 1052 2ac9068a9562a950
            fault 100 5402 removal 1 3 967 577b6129c29b78f2
            """)
        #expect(outcome.violation == nil)
    }

    /// Members who had left and were removed let a newcomer in. The newcomer knew that the others had begun an epoch, without its secret, and
    /// none of them knew the newcomer, who shows them the admission. Before that, people had to carry a sealed file.
    @Test func anUnknownNewcomerShowsTheAdmission() throws {
        let outcome = try run(
            """
            caravan-trip 1
            profile hostile
            replicas 12
            faults alteration,altered-file,backdate,backup,bit-flip,carried-file,clock-drift,clock-jump,clog,copied-home,crafted-change,crash,false-address,forgery,fork,full-disk,gap,garbage,join,late-crash,late-name,leave,malformed,missed-name,move,name-flood,one-way,partition,removal,repeated-name,replay,reset,retold-change,stall,throttle,torn-write,withheld-body
            cipher fast
            seed 225
            nodes 0,1,2,6,8,9
            act 241 11842 8 d34345074723e736
            act 246 12137 8 4e48947dcdeeb746
            act 247 12229 1 973d0b5534146cfb
            fault 248 12233 removal 2 8 1546 ffb37a22228a1c38
            act 250 12246 1 7ce8784545b9c368
            act 251 12487 0 807a15b9f318768e
            act 269 13555 0 b38697d3dc1e6df6
            act 271 13771 8 1b2d1da691816bcc
            act 274 13809 8 91f4a9cd5f5a2eff
            act 344 17355 6 4c8821fe1d74e58
            act 345 17356 0 9a7ae3f9a498d99f
            fault 347 17479 removal 1 5 2148 3bda56e16b3688f4
            fault 1190 61586 join 9 6 406 3dee9997f9a7dc8a
            fault 1344 68605 backup 2 9 1543 e96d71bbf893261d
            act 1598 82484 8 98897343e121fcce
            """)
        #expect(outcome.violation == nil)
        #expect(outcome.checks[.sealedFile] == nil)
    }

    private func run(_ text: String) throws -> TripOutcome {
        let replay = try TripReplay(text)
        return TripSimulator(replay.conditions).run(replay.plan)
    }
}
