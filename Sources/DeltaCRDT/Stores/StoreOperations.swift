/// What a record does with the store of a field where it is in memory, whatever its type.
///
/// These are functions, not requirements of a protocol: the compiler knows the type of the store where a schema is written, and makes
/// them for it.
@usableFromInline
final class StoreOperations: Sendable {
    @usableFromInline typealias Place = UnsafeMutableRawPointer

    @usableFromInline let type: ObjectIdentifier
    @usableFromInline let size: Int
    @usableFromInline let alignment: Int
    /// Puts an empty store where none is.
    @usableFromInline let initialize: @Sendable (Place) -> Void
    /// Puts a copy of the first where no store is, or the first itself, or forgets it.
    @usableFromInline let copy: @Sendable (Place, Place) -> Void
    @usableFromInline let move: @Sendable (Place, Place) -> Void
    @usableFromInline let destroy: @Sendable (Place) -> Void
    @usableFromInline let isEmpty: @Sendable (Place) -> Bool
    @usableFromInline let isEqual: @Sendable (Place, Place) -> Bool
    @usableFromInline let dotCount: @Sendable (Place) -> Int
    @usableFromInline let contains: @Sendable (Dot, Place) -> Bool
    @usableFromInline let forEachDot: @Sendable (Place, CausalContext?, (Dot) -> Void) -> Void
    @usableFromInline let fingerprint: @Sendable (ReplicaID, Place) -> UInt64
    @usableFromInline let merge: @Sendable (Place, Place, CausalContext, CausalContext, inout FallenDots) -> Bool
    /// Puts the part of the first that stands on some dots where no store is.
    @usableFromInline let restrict: @Sendable (Place, CausalContext, Place) -> Void
    /// Writes what a dot holds up, alone: without what was met before.
    @usableFromInline let encode: @Sendable (Dot, Place, inout CanonicalEncoder) -> Void
    /// Reads that, up to the end of the bytes, into the store; says whether it could, and changes nothing where it could not.
    @usableFromInline let decode: @Sendable (Dot, CanonicalDecoder, Place) -> Bool
    @usableFromInline let description: @Sendable (Place) -> String
    /// Tells what the second shows otherwise than the first.
    @usableFromInline let tellChanges: @Sendable (Place, Place, [PathStep], (PathChange) -> Void) -> Void

    @inlinable
    convenience init<State: CausalState>(_: State.Type) where State.Store: CodableDotStore {
        self.init(State.Store.self) {
            "\(State(Causal(store: $0, seen: CausalContext())))"
        } telling: { before, after, path, body in
            let (old, new) = (
                before.assumingMemoryBound(to: State.Store.self), after.assumingMemoryBound(to: State.Store.self)
            )
            PathChange.tell(
                State(Causal(store: old.pointee, seen: CausalContext())),
                State(Causal(store: new.pointee, seen: CausalContext())), path, body)
        }
    }

    @inlinable
    init<Store: CodableDotStore>(
        _: Store.Type, _ describe: @escaping @Sendable (Store) -> String,
        telling: @escaping @Sendable (Place, Place, [PathStep], (PathChange) -> Void) -> Void
    ) {
        type = ObjectIdentifier(Store.self)
        size = MemoryLayout<Store>.size
        alignment = MemoryLayout<Store>.alignment
        initialize = { $0.initializeMemory(as: Store.self, to: Store()) }
        copy = { $1.initializeMemory(as: Store.self, to: $0.assumingMemoryBound(to: Store.self).pointee) }
        move = { $1.moveInitializeMemory(as: Store.self, from: $0.assumingMemoryBound(to: Store.self), count: 1) }
        destroy = { $0.assumingMemoryBound(to: Store.self).deinitialize(count: 1) }
        isEmpty = { $0.assumingMemoryBound(to: Store.self).pointee.isEmpty }
        isEqual = {
            $0.assumingMemoryBound(to: Store.self).pointee == $1.assumingMemoryBound(to: Store.self).pointee
        }
        dotCount = { $0.assumingMemoryBound(to: Store.self).pointee.dotCount }
        contains = { $1.assumingMemoryBound(to: Store.self).pointee.contains($0) }
        forEachDot = { place, past, body in
            let store = place.assumingMemoryBound(to: Store.self)
            if let past { store.pointee.forEachDot(in: past, body) } else { store.pointee.forEachDot(body) }
        }
        fingerprint = { $1.assumingMemoryBound(to: Store.self).pointee.fingerprint(of: $0) }
        merge = { place, other, context, otherContext, fallen in
            place.assumingMemoryBound(to: Store.self).pointee.merge(
                other.assumingMemoryBound(to: Store.self).pointee, context: context, otherContext: otherContext,
                fallen: &fallen)
        }
        restrict = { place, dots, part in
            let store = place.assumingMemoryBound(to: Store.self)
            part.initializeMemory(as: Store.self, to: store.pointee.restricted(to: dots))
        }
        encode = { dot, place, encoder in
            var coding = Store.Coding()
            place.assumingMemoryBound(to: Store.self).pointee.encodeContent(of: dot, into: &encoder, &coding)
        }
        decode = { dot, decoder, place in
            var decoder = decoder
            do throws(DecodingFailure) {
                try place.assumingMemoryBound(to: Store.self).pointee.decodeLoneContent(of: dot, from: &decoder)
                return true
            } catch {
                return false
            }
        }
        description = { describe($0.assumingMemoryBound(to: Store.self).pointee) }
        tellChanges = telling
    }
}
