/// The version of this program.
package enum ProgramVersion {
    /// Numbered by Semantic Versioning.
    package static let number = "1.0.0"
}
