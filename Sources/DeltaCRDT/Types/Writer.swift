/// A state in the hands of one replica: its mutators without a name at each call.
///
/// ```swift
/// let delta = board.update(by: jie) { board in
///     board["tent"].title.set("Buy a tent")
///     board["tent"].labels.insert("shopping")
///     board["tent"].estimate.add(2)
/// }
/// ```
///
/// What is read, and what has no mutator here, is read of ``state`` and done to it, in the name of ``replica``. For a map in
/// a record, that is a call of `updateValue` on `board.items.state`.
#if !hasFeature(Embedded)
@dynamicMemberLookup
#endif
public struct Writer<State: SyncableState> {
    /// The state.
    public var state: State
    /// In whose name it is changed.
    public let replica: ReplicaID

    @inlinable init(_ state: State, _ replica: ReplicaID) {
        self.state = state
        self.replica = replica
    }
}

extension SyncableState {
    /// Acts in the name of a replica, and returns the one delta of all that was done; see ``update(_:)``.
    ///
    /// Complexity: that of what is done, which is also joined to the delta.
    @inlinable
    @discardableResult
    public mutating func update(by replica: ReplicaID, _ act: (inout Writer<Self>) -> Void) -> Self {
        update { state in
            var writer = Writer(Self(), replica)
            swap(&writer.state, &state)
            act(&writer)
            swap(&writer.state, &state)
        }
    }
}

extension Writer {
    /// The state under a key of an ``ORMap``, to be changed. Complexity: O(1), and O(n) once.
    @inlinable
    public subscript<Key, Value>(key: Key) -> Writer<Value> where State == ORMap<Key, Value> {
        get { Writer<Value>(state[key], replica) }
        _modify {
            var slot: UInt32 = 0
            var writer = Writer<Value>(Value(state.causal.lend(key, &slot)), replica)
            defer { _ = state.causal.takeBack(writer.state.causal, key, slot) }
            yield &writer
        }
    }

    /// Inserts an element; see ``AddWinsSet/insert(_:by:)``. Complexity: as there.
    @inlinable
    public mutating func insert<Element>(_ element: Element) where State == AddWinsSet<Element> {
        state.insert(element, by: replica)
    }

    /// Inserts elements; see ``AddWinsSet/formUnion(_:by:)``. Complexity: as there.
    @inlinable
    public mutating func formUnion<Element>(_ elements: some Sequence<Element>) where State == AddWinsSet<Element> {
        state.formUnion(elements, by: replica)
    }

    /// Removes an element; see ``AddWinsSet/remove(_:past:)``. Complexity: as there.
    @inlinable
    public mutating func remove<Element>(_ element: Element) where State == AddWinsSet<Element> {
        state.remove(element)
    }

    /// Inserts an element; see ``RemoveWinsSet/insert(_:by:)``. Complexity: as there.
    @inlinable
    public mutating func insert<Element>(_ element: Element) where State == RemoveWinsSet<Element> {
        state.insert(element, by: replica)
    }

    /// Removes an element; see ``RemoveWinsSet/remove(_:by:)``. Complexity: as there.
    @inlinable
    public mutating func remove<Element>(_ element: Element) where State == RemoveWinsSet<Element> {
        state.remove(element, by: replica)
    }

    /// Writes a value; see ``MVRegister/set(_:by:)``. Complexity: as there.
    @inlinable
    public mutating func set<Value>(_ value: Value) where State == MVRegister<Value> { state.set(value, by: replica) }

    /// The value under a key of an ``LWWMap``; setting nil removes the key. Complexity: as of the map's mutators.
    @inlinable
    public subscript<Key, Value>(key: Key) -> Value? where State == LWWMap<Key, Value> {
        get { state[key] }
        set {
            if let newValue {
                state.updateValue(newValue, forKey: key, by: replica)
            } else {
                state.removeValue(forKey: key, by: replica)
            }
        }
    }

    /// Removes a key with what was seen of its state; see ``ORMap/removeValue(forKey:past:)``. Complexity: as there.
    @inlinable
    public mutating func removeValue<Key, Value>(forKey key: Key) where State == ORMap<Key, Value> {
        state.removeValue(forKey: key)
    }

    /// Adds an amount; see ``CausalCounter/add(_:by:)``. Complexity: as there.
    public mutating func add(_ amount: Int64) where State == CausalCounter { state.add(amount, by: replica) }

    /// Turns the flag on or off. Complexity: O(surviving enablings).
    public mutating func set(_ isEnabled: Bool) where State == EnableWinsFlag {
        if isEnabled { state.enable(by: replica) } else { state.disable() }
    }

    /// Turns the flag on or off. Complexity: O(surviving enablings and disablings).
    public mutating func set(_ isEnabled: Bool) where State == DisableWinsFlag {
        if isEnabled { state.enable(by: replica) } else { state.disable(by: replica) }
    }
}
