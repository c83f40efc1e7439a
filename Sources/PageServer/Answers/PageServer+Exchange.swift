import Foundation
import NIOHTTP1
import TripExchange
import TripModel
import TripPage
import TripService

// Lists that come in through the page, and the trip as it goes out.
extension PageServer {
    /// Adds what a text holds and is not there yet.
    func importList(_ text: String, _ visit: Visit) async throws(ServiceError) -> Toast {
        let bytes = Array(text.utf8)
        let list = try ImportFormat(detecting: bytes).read(bytes, clock: options.clock)
        guard case .trip(let trip) = try await visit.feed.service.answer(.view) else {
            throw ServiceError("the trip can’t be read: reload the page")
        }
        let plan = try ImportPlan(list, into: trip)
        let service = visit.feed.service
        let added = try await plan.carryOut { request throws(ServiceError) in try await service.answer(request) }
        let sentence = plan.sentence(for: list, isDone: true)
        let isUndoable = (1...PageAction.itemsMax).contains(added.count)
        return Toast(
            sentence.prefix(1).uppercased() + sentence.dropFirst(), undo: isUndoable ? .act(.remove, on: added) : nil)
    }

    /// The trip as a file of the form that a name ends in.
    func export(_ request: HTTPRequest, _ visit: Visit, name: String) async -> HTTPResponse {
        if let refusal = request.refusal(unless: .GET) { return refusal }
        if name == "trip.html" { return await archive(visit) }
        guard let format = ExportFormat(fileName: name) else { return Self.nowhere }
        do throws(ServiceError) {
            guard case .trip(let trip) = try await visit.feed.service.answer(.view) else { return Self.nowhere }
            let text = try format.write(trip)
            let headers = [
                ("Content-Type", format.mediaType),
                Self.attachment(called: trip.title?.value ?? "", ending: format.fileExtension),
            ]
            return HTTPResponse(.ok, headers, body: .whole(Array(text.utf8)))
        } catch {
            return .line(.notFound, error.message)
        }
    }

    /// The header that names a file to save after a title: whole for browsers that read RFC 8187, in ASCII for all.
    static func attachment(called title: String, ending: String) -> (String, String) {
        let safe = title.displayed(limit: 60).map { "\"\\/:*?<>|%".contains($0) ? "-" : $0 }
        let trimmed = String(safe).trimmingCharacters(in: .whitespaces.union(CharacterSet(charactersIn: ".-")))
        let name = (trimmed.isEmpty ? "trip" : trimmed) + "." + ending
        let plain = name.unicodeScalars.map { $0.isASCII ? String($0) : "_" }.joined()
        let coded = name.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "trip.\(ending)"
        return ("Content-Disposition", "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(coded)")
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// The trip as a document to keep.
    private func archive(_ visit: Visit) async -> HTTPResponse {
        let moment = WallTime.now
        do throws(ServiceError) {
            let archive = try await TripArchive(
                of: visit.feed.service, now: moment.milliseconds, secondsFromUTC: moment.secondsFromUTC)
            let headers = [
                ("Content-Type", "text/html; charset=utf-8"),
                Self.attachment(called: await visit.feed.title ?? "", ending: "html"),
            ]
            return HTTPResponse(.ok, headers, body: .whole(Array(archive.html.utf8)))
        } catch {
            return .line(.notFound, error.message)
        }
    }
}
