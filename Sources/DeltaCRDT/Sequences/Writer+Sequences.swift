extension Writer where State == Text {
    /// Inserts a text at a position; see ``Text/insert(_:at:by:)``. Complexity: as there.
    public mutating func insert(_ text: String, at position: Int) { state.insert(text, at: position, by: replica) }

    /// Removes the bytes between two positions; see ``Text/remove(_:)``. Complexity: as there.
    public mutating func remove(_ range: Range<Int>) { state.remove(range) }

    /// Puts a text in the place of the bytes between two positions; see ``Text/replace(_:with:by:)``. Complexity: as there.
    public mutating func replace(_ range: Range<Int>, with text: String) {
        state.replace(range, with: text, by: replica)
    }
}

extension Writer where State == RichText {
    /// Inserts a text at a position; see ``RichText/insert(_:at:by:)``. Complexity: as there.
    public mutating func insert(_ text: String, at position: Int) { state.insert(text, at: position, by: replica) }

    /// Removes the bytes between two positions; see ``RichText/remove(_:)``. Complexity: as there.
    public mutating func remove(_ range: Range<Int>) { state.remove(range) }

    /// Puts a text in the place of the bytes between two positions; see ``RichText/replace(_:with:by:)``. Complexity: as there.
    public mutating func replace(_ range: Range<Int>, with text: String) {
        state.replace(range, with: text, by: replica)
    }

    /// Puts a mark on the bytes between two positions; see ``RichText/mark(_:_:value:expanding:by:)``. Complexity: as there.
    public mutating func mark(
        _ range: Range<Int>, _ name: String, value: String = "", expanding expansion: MarkExpansion = .after
    ) {
        state.mark(range, name, value: value, expanding: expansion, by: replica)
    }

    /// Takes a mark off the bytes between two positions; see ``RichText/unmark(_:_:expanding:by:)``. Complexity: as there.
    public mutating func unmark(_ range: Range<Int>, _ name: String, expanding expansion: MarkExpansion = .after) {
        state.unmark(range, name, expanding: expansion, by: replica)
    }
}

extension Writer {
    /// Inserts an element at a position; see ``List/insert(_:at:by:)``. Complexity: as there.
    public mutating func insert<Element>(_ element: Element, at position: Int) where State == List<Element> {
        state.insert(element, at: position, by: replica)
    }

    /// Inserts elements at a position; see ``List/insert(contentsOf:at:by:)``. Complexity: as there.
    public mutating func insert<Element>(
        contentsOf elements: some Collection<Element>, at position: Int
    ) where State == List<Element> {
        state.insert(contentsOf: elements, at: position, by: replica)
    }

    /// Inserts an element at the end; see ``List/append(_:by:)``. Complexity: as there.
    public mutating func append<Element>(_ element: Element) where State == List<Element> {
        state.append(element, by: replica)
    }

    /// Removes the element at a position; see ``List/remove(at:)``. Complexity: as there.
    public mutating func remove<Element>(at position: Int) where State == List<Element> { state.remove(at: position) }

    /// Removes the elements at some positions; see ``List/removeSubrange(_:)``. Complexity: as there.
    public mutating func removeSubrange<Element>(_ range: Range<Int>) where State == List<Element> {
        state.removeSubrange(range)
    }

    /// Inserts elements at a position; see ``MovableList/insert(contentsOf:at:by:)``. Complexity: as there.
    public mutating func insert<Element>(
        contentsOf elements: some Collection<Element>, at position: Int
    ) where State == MovableList<Element> {
        state.insert(contentsOf: elements, at: position, by: replica)
    }

    /// Moves an element; see ``MovableList/move(from:to:by:)``. Complexity: as there.
    public mutating func move<Element>(from position: Int, to target: Int) where State == MovableList<Element> {
        state.move(from: position, to: target, by: replica)
    }

    /// Removes an element; see ``MovableList/remove(at:)``. Complexity: as there.
    public mutating func remove<Element>(at position: Int) where State == MovableList<Element> {
        state.remove(at: position)
    }
}

extension Writer where State == Tree {
    /// Creates a node and returns it; see ``Tree/insert(under:by:)``. Complexity: as there.
    @discardableResult
    public mutating func insert(under parent: Tree.Node?) -> Tree.Node { state.insert(under: parent, by: replica).node }

    /// Moves a node; see ``Tree/move(_:under:by:)``. Complexity: as there.
    public mutating func move(_ node: Tree.Node, under parent: Tree.Node?) {
        state.move(node, under: parent, by: replica)
    }

    /// Moves a node to the trash; see ``Tree/remove(_:by:)``. Complexity: as there.
    public mutating func remove(_ node: Tree.Node) { state.remove(node, by: replica) }
}
