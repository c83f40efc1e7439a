import LibC

/// A file read by libnetcdf, which is loaded when it is first wanted: nothing of ours needs it to start.
///
/// netCDF-4 is HDF5 with deflated chunks, which is no format to read by oneself. The library is not safe for threads; all
/// that use this are one actor.
struct NetCDF: ~Copyable {
    private let library: Library
    private let handle: Int32

    /// Nil where there is no library, no file, or where the library cannot read it.
    init?(file: String) {
        guard let library = Library.shared else { return nil }
        var handle: Int32 = 0
        // HDF5 prints what its callers expect and handle, unless told otherwise on each thread.
        _ = library.silence?(0, nil, nil)
        guard library.open(file, 0, &handle) == 0 else { return nil }
        self.library = library
        self.handle = handle
    }

    deinit { _ = library.close(handle) }

    /// The whole of an array of whole numbers with one dimension; nil where it is no such array, has more than `countMax`
    /// numbers, or one of them is no `Number`.
    func numbers<Number: FixedWidthInteger>(_ name: String, as: Number.Type, countMax: Int) -> [Number]? {
        var variable: Int32 = 0
        var dimensions: Int32 = 0
        var dimension: Int32 = 0
        var count = 0
        guard library.variable(handle, name, &variable) == 0,
            library.dimensionCount(handle, variable, &dimensions) == 0,
            dimensions == 1, library.dimension(handle, variable, &dimension) == 0,
            library.length(handle, dimension, &count) == 0, (0...countMax).contains(count)
        else { return nil }
        return switch Number.self {
        case is Int16.Type: read(count) { library.shorts(handle, variable, $0) }
        case is Int32.Type: read(count) { library.ints(handle, variable, $0) }
        default: nil
        }
    }

    private func read<Element: FixedWidthInteger, Number>(
        _ count: Int, by fill: (UnsafeMutablePointer<Element>) -> Int32
    ) -> [Number]? {
        var isRead = false
        let numbers = [Element](unsafeUninitializedCapacity: count) { buffer, filled in
            guard let start = buffer.baseAddress else {
                isRead = count == 0
                return
            }
            start.initialize(repeating: 0, count: count)
            isRead = fill(start) == 0
            filled = count
        }
        return isRead ? numbers as? [Number] : nil
    }

    /// The functions of libnetcdf's C interface that are used.
    private struct Library: Sendable {
        typealias Open = @convention(c) (UnsafePointer<CChar>, Int32, UnsafeMutablePointer<Int32>) -> Int32
        typealias Close = @convention(c) (Int32) -> Int32
        typealias Named = @convention(c) (Int32, UnsafePointer<CChar>, UnsafeMutablePointer<Int32>) -> Int32
        typealias Of = @convention(c) (Int32, Int32, UnsafeMutablePointer<Int32>) -> Int32
        typealias Length = @convention(c) (Int32, Int32, UnsafeMutablePointer<Int>) -> Int32
        typealias Shorts = @convention(c) (Int32, Int32, UnsafeMutablePointer<Int16>) -> Int32

        typealias Silence = @convention(c) (Int64, UnsafeRawPointer?, UnsafeRawPointer?) -> Int32

        let open: Open
        let close: Close
        let variable: Named
        let dimensionCount: Of
        let dimension: Of
        let length: Length
        let shorts: Shorts
        let ints: Of
        /// HDF5's own, which libnetcdf stands on.
        let silence: Silence?

        /// Debian's names: of bookworm first.
        static let names = ["libnetcdf.so.19", "libnetcdf.so.22", "libnetcdf.so.18", "libnetcdf.so"]
        /// Loaded once, and never unloaded: HDF5 does not bear that.
        static let shared = names.lazy.compactMap { dlopen($0, RTLD_NOW | RTLD_LOCAL) }.first.flatMap(Library.init)

        private init?(_ loaded: UnsafeMutableRawPointer) {
            func function<Function>(_ name: String, _: Function.Type) -> Function? {
                dlsym(loaded, name).map { unsafeBitCast($0, to: Function.self) }
            }
            guard let open = function("nc_open", Open.self), let close = function("nc_close", Close.self),
                let variable = function("nc_inq_varid", Named.self),
                let dimensionCount = function("nc_inq_varndims", Of.self),
                let dimension = function("nc_inq_vardimid", Of.self),
                let length = function("nc_inq_dimlen", Length.self),
                let shorts = function("nc_get_var_short", Shorts.self), let ints = function("nc_get_var_int", Of.self)
            else { return nil }
            self.open = open
            self.close = close
            self.variable = variable
            self.dimensionCount = dimensionCount
            self.dimension = dimension
            self.length = length
            self.shorts = shorts
            self.ints = ints
            silence = function("H5Eset_auto2", Silence.self)
        }
    }
}
