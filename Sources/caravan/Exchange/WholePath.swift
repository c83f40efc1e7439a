import Foundation

/// A path as it means the same in the node's process, which has another folder.
enum WholePath {
    static func of(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
