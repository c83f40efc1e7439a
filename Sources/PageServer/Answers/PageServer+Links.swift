import TripExchange
import TripModel
import TripPage
import TripService

// Details that are fetched of links. Guests can't ask for them: their host's machine would.
extension PageServer {
    /// Fetches what an item's link says. After `PageOptions.detailsPatience` the answer is that it goes on: a page sends one form after
    /// the other. What fails later leaves the item as it is, with its button.
    func fetchDetails(of item: String, _ visit: Visit) async throws(ServiceError) -> Toast {
        guard let found = await visit.feed.item(item), let link = found.fields[.link]?.value, !found.isRemoved else {
            throw ServiceError("this item has no link any more: reload the page")
        }
        let (outcomes, told) = AsyncStream.makeStream(of: Result<Toast, ServiceError>?.self)
        Task { [options] in
            do throws(ServiceError) {
                let details = try await options.details(link)
                // What others wrote meanwhile stays.
                told.yield(
                    .success(try await Self.fill(await visit.feed.item(item) ?? found, with: details, visit.feed)))
            } catch { told.yield(.failure(error)) }
        }
        Task { [options] in
            try? await Task.sleep(for: options.detailsPatience)
            told.yield(nil)
        }
        for await outcome in outcomes {
            if let outcome { return try outcome.get() }
            break
        }
        return Toast("Fetching the details of \(found.title.quoted). The card fills by itself")
    }

    private static func fill(
        _ item: ItemView, with details: LinkDetails, _ feed: TripFeed
    ) async throws(ServiceError) -> Toast {
        let service = feed.service
        let answer = try await details.fill(item, mark: .random(in: 0 ... .max)) { request throws(ServiceError) in
            try await service.answer(request)
        }
        let problem = item.photos.isEmpty ? details.pictureProblem.map { ". But \($0)" } ?? "" : ""
        guard answer != nil else { return Toast("The page has nothing that \(item.title.quoted) lacks" + problem) }
        let title = details.card.lacking(in: item)[.title] ?? item.title
        return Toast("Fetched the details of \(title.quoted)" + problem, undoesLast: true)
    }

    /// Items of one form whose links are looked at.
    private static let fetchedAtOnceMax = 8

    /// Fetches what the links of new items say, where that is always wanted here: nobody waits for it. What fails leaves its item as it is,
    /// with its button.
    func fetchDetailsAside(of receipt: Receipt, _ feed: TripFeed) {
        Task { [options] in
            guard (try? await feed.service.status())?.fetchesLinks == true else { return }
            for new in receipt.items.prefix(Self.fetchedAtOnceMax) {
                guard
                    case .item(let item, _)? = try? await feed.service.answer(
                        .show(item: .typed(new.shortID), isLook: false)),
                    let link = item.fields[.link]?.value, let details = try? await options.details(link)
                else { continue }
                _ = try? await Self.fill(item, with: details, feed)
            }
        }
    }
}
