extension Writer {
    /// A field of a ``Record``, to be changed. Complexity: O(fields that hold something).
    @inlinable
    public subscript<Schema, Value: CausalState>(
        dynamicMember path: WritableKeyPath<Schema, Value>
    ) -> Writer<Value> where State == Record<Schema> {
        get { Writer<Value>(state[dynamicMember: path], replica) }
        _modify {
            let layout = state.causal.store.layout
            let index = layout.listedIndex(of: path)
            var writer = Writer<Value>(Value(state.causal.lend(index, layout)), replica)
            defer { state.causal.takeBack(writer.state.causal, index, layout) }
            yield &writer
        }
    }
}
