import Desktop
import TripExchange
import TripModel
import TripService

extension LinkDetails {
    /// Fetches a link's page and its picture. The site learns this machine's address, and that somebody looked.
    ///
    /// - Throws: why nothing was fetched. A picture that fails is named in `pictureProblem`.
    init(fetching link: String) async throws(ServiceError) {
        let page = try await Self.fetch(link, accepting: "text/html,application/xhtml+xml")
        guard let address = WebAddress(page.address) else { throw ServiceError("the page has no address") }
        let card = try LinkCard(page: page.bytes, contentType: page.contentType, address: address)
        guard let picture = card.picture else {
            self.init(card: card, photo: nil)
            return
        }
        do throws(ServiceError) {
            let file = try await Self.fetch(picture.text, accepting: "image/jpeg,image/png,image/webp,image/*;q=0.5")
            // A stranger's, with the bounds of a guest's.
            self.init(card: card, photo: try await NewPhoto(decoding: file.bytes, of: .guest))
        } catch {
            self.init(card: card, photo: nil, pictureProblem: "the page's picture was left out: \(error.message)")
        }
    }

    private static func fetch(_ link: String, accepting: String) async throws(ServiceError) -> FetchedFile {
        do { return try await Desktop.fetch(link, accepting: accepting) } catch { throw ServiceError(error.message) }
    }
}

extension NewItem {
    /// Adds what its link's page says to what it has.
    ///
    /// - Returns: why nothing was fetched; the item is as it was then.
    mutating func fetchDetails(_ report: TellOptions) async -> ServiceError? {
        guard let link = fields[.link] else { return nil }
        do throws(ServiceError) {
            let details = try await LinkDetails(fetching: link)
            self = completed(by: details)
            if let problem = details.pictureProblem { report.note(problem) }
            return nil
        } catch { return error }
    }
}
