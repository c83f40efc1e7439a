import Convergence

/// A history with one anomaly, as somebody planted it: a process and the rest of its line of JSON.
struct Planted: Sendable, CustomStringConvertible {
    let name: String
    let type: DataType
    let law: Law
    let lines: String

    var description: String { name }
}

private let set = DataType(.set)
private let counter = DataType(.counter)
private let register = DataType(.register)
private let values = DataType(.register, keepsAll: true)
private let map = DataType(.map, policy: .either)
private let orMap = DataType(.map, keepsAll: true)
private let list = DataType(.list)

let planted: [Planted] = [
    Planted(
        name: "an element that nobody added", type: set, law: .nothingInvented,
        lines: """
            ann "do":"add","value":"tent"
            bob "read":["tent","map"]
            """),
    Planted(
        name: "an add that its author does not read", type: set, law: .nothingLost,
        lines: """
            ann "do":"add","value":"tent"
            ann "read":[]
            """),
    Planted(
        name: "an element that vanishes", type: set, law: .nothingVanishes,
        lines: """
            ann "do":"add","value":"tent"
            bob "read":["tent"]
            bob "read":[]
            """),
    Planted(
        name: "a remove that comes undone", type: set, law: .observedRemoves,
        lines: """
            ann "do":"add","value":"tent"
            bob "read":["tent"]
            bob "do":"remove","value":"tent"
            bob "read":["tent"]
            """),
    Planted(
        name: "a remove wins over an add that it did not know", type: set, law: .addWins,
        lines: """
            ann "do":"add","value":"map"
            ann "do":"add","value":"tent"
            bob "do":"remove","value":"tent"
            bob "read":[]
            ann "read":["map"],"final":true
            """),
    Planted(
        name: "final readings of a set that differ", type: set, law: .nothingLost,
        lines: """
            ann "do":"add","value":"tent"
            bob "do":"add","value":"map"
            ann "read":["map","tent"],"final":true
            bob "read":["map"],"final":true
            """),
    Planted(
        name: "an element read before what its adder had read first", type: set, law: .nothingVanishes,
        lines: """
            ann "do":"add","value":"tent"
            bob "read":["tent"]
            bob "do":"add","value":"map"
            eve "read":["map","tent"]
            eve "read":["map"]
            """),
    Planted(
        name: "a removed element comes back through a third", type: set, law: .observedRemoves,
        lines: """
            ann "do":"add","value":"tent"
            ann "do":"remove","value":"tent"
            ann "do":"add","value":"map"
            bob "read":["map"]
            bob "read":["map","tent"]
            """),
    Planted(
        name: "an effect before its cause", type: set, law: .nothingLost,
        lines: """
            ann "do":"add","value":"tent"
            bob "read":["tent"]
            bob "do":"add","value":"map"
            eve "read":["map"]
            """),
    Planted(
        name: "a lost press", type: counter, law: .everyActCounts,
        lines: """
            ann "do":"increment","by":1
            bob "do":"increment","by":1
            ann "read":1,"final":true
            """),
    Planted(
        name: "a press counted twice", type: counter, law: .everyActCounts,
        lines: """
            ann "do":"increment","by":2
            bob "read":4
            """),
    Planted(
        name: "a press that its author does not read", type: counter, law: .everyActCounts,
        lines: """
            ann "do":"increment","by":1
            ann "read":0
            """),
    Planted(
        name: "a sum that goes back", type: counter, law: .everyActCounts,
        lines: """
            ann "do":"increment","by":4
            bob "read":4
            bob "read":0
            """),
    Planted(
        name: "a sum of what cannot be known together", type: counter, law: .everyActCounts,
        lines: """
            ann "do":"increment","by":1
            bob "read":1
            bob "do":"increment","by":2
            eve "read":2
            """),
    Planted(
        name: "a value that nobody wrote", type: register, law: .nothingInvented,
        lines: """
            ann "do":"write","value":"a1"
            bob "read":"b1"
            """),
    Planted(
        name: "a write that its author does not read", type: register, law: .nothingLost,
        lines: """
            ann "do":"write","value":"a1"
            ann "read":null
            """),
    Planted(
        name: "a value that was replaced", type: register, law: .observedRemoves,
        lines: """
            ann "do":"write","value":"a1"
            ann "do":"write","value":"a2"
            ann "read":"a1"
            """),
    Planted(
        name: "a value that was replaced by somebody who read it", type: register, law: .observedRemoves,
        lines: """
            ann "do":"write","value":"a1"
            bob "read":"a1"
            bob "do":"write","value":"b1"
            eve "read":"b1"
            eve "read":"a1"
            """),
    Planted(
        name: "two orders of two writes", type: register, law: .oneOrder,
        lines: """
            ann "do":"write","value":"a1"
            bob "do":"write","value":"b1"
            ann "read":"b1"
            bob "read":"a1"
            """),
    Planted(
        name: "three writes in a circle", type: register, law: .oneOrder,
        lines: """
            ann "do":"write","value":"a1"
            bob "do":"write","value":"b1"
            eve "do":"write","value":"e1"
            ann "read":"b1"
            bob "read":"e1"
            eve "read":"a1"
            """),
    Planted(
        name: "a value beside the one that must have replaced it", type: values, law: .observedRemoves,
        lines: """
            ann "do":"write","value":"a1"
            bob "do":"write","value":"b1"
            eve "read":["a1","b1"]
            ann "read":["b1"],"final":true
            """),
    Planted(
        name: "a replaced value beside its successor", type: values, law: .observedRemoves,
        lines: """
            ann "do":"write","value":"a1"
            bob "read":["a1"]
            bob "do":"write","value":"b1"
            ann "read":["a1","b1"]
            """),
    Planted(
        name: "a key that nobody wrote", type: map, law: .nothingInvented,
        lines: """
            ann "do":"set","key":"k","value":"a1"
            bob "read":{"x":"a1"}
            """),
    Planted(
        name: "a key that its author does not read", type: map, law: .nothingLost,
        lines: """
            ann "do":"set","key":"k","value":"a1"
            ann "read":{}
            """),
    Planted(
        name: "a deleted key that is back", type: map, law: .observedRemoves,
        lines: """
            ann "do":"set","key":"k","value":"a1"
            bob "read":{"k":"a1"}
            bob "do":"delete","key":"k"
            bob "read":{"k":"a1"}
            """),
    Planted(
        name: "a delete that takes a write which it did not know", type: orMap, law: .addWins,
        lines: """
            ann "do":"set","key":"x","value":"a0"
            ann "do":"set","key":"k","value":"a1"
            bob "do":"delete","key":"k"
            bob "read":{}
            ann "read":{"x":"a0"},"final":true
            """),
    Planted(
        name: "two orders of two elements", type: list, law: .inPlace,
        lines: """
            ann "do":"insert","value":"a"
            bob "do":"insert","value":"b"
            ann "read":["a","b"]
            bob "read":["b","a"]
            """),
    Planted(
        name: "an element that is not where it was put", type: list, law: .inPlace,
        lines: """
            ann "do":"insert","value":"a"
            ann "do":"insert","value":"b","after":"a"
            bob "read":["b","a"]
            """),
    Planted(
        name: "an element shown twice", type: list, law: .shownOnce,
        lines: """
            ann "do":"insert","value":"a"
            bob "read":["a","a"]
            """),
    Planted(
        name: "an erased element that is back", type: list, law: .observedRemoves,
        lines: """
            ann "do":"insert","value":"a"
            ann "do":"erase","value":"a"
            ann "read":["a"]
            """),
    Planted(
        name: "an element that is gone for no reason", type: list, law: .nothingVanishes,
        lines: """
            ann "do":"insert","value":"a"
            bob "read":["a"]
            bob "read":[]
            """),
    Planted(
        name: "an order through an erased element that is turned", type: list, law: .inPlace,
        lines: """
            ann "do":"insert","value":"x"
            ann "do":"insert","value":"a","before":"x"
            ann "do":"insert","value":"b","after":"x"
            ann "do":"erase","value":"x"
            bob "read":["b","a"]
            """),
]
