package import TripExchange
package import TripModel
package import TripPage
package import TripService

/// What a page server needs of the house around it.
package struct PageOptions: Sendable {
    /// The home's folder, where the file `page` lies.
    package var folder: String
    /// The port of the owner's page; nil for the one it had last, or else any.
    package var port: UInt16?
    package var limits = HTTPLimits()
    /// This machine's addresses on the network, those first that others most likely reach; numeric, without brackets.
    package var addresses: @Sendable () -> [String]
    /// What tells the network that this machine is on from others; nil where nothing does.
    package var network: @Sendable () -> String?
    package var qrCode: @Sendable (String) -> CodePicture?
    /// What is known of the land around places.
    package var land: @Sendable ([Land.Point]) async -> Land
    /// A file that somebody sent as a photo, made small. What guests send keeps the owner's waiting for nothing.
    package var photo: @Sendable (_ file: [UInt8], _ sender: PhotoSender) async throws(ServiceError) -> NewPhoto
    /// What a feed holds, by its origin.
    package var feed: @Sendable (_ origin: String) async throws(ServiceError) -> ImportedList
    /// What the page of a link says, fetched from the internet.
    package var details: @Sendable (_ link: String) async throws(ServiceError) -> LinkDetails
    /// How long somebody waits for that before they are told that it goes on.
    package var detailsPatience = Duration.seconds(3)
    /// How long phones are told that guests can't use the page, once its host closed it.
    package var closedPatience = Duration.seconds(900)
    /// A picture of a trip as PNG, by its name in the address `/t/TRIP/picture/NAME.png`; nil where there is none.
    package var picture: @Sendable (_ trip: String, _ name: String) async -> [UInt8]?

    /// The clock of a time zone at a minute of a day.
    package var clock: @Sendable (_ zone: String, Day, _ minute: Int) throws(TripError) -> DayTime.Zone

    package enum PhotoSender: Hashable, Sendable { case owner, guest }

    package init(
        folder: String, port: UInt16? = nil, addresses: @escaping @Sendable () -> [String] = { [] },
        network: @escaping @Sendable () -> String? = { nil },
        qrCode: @escaping @Sendable (String) -> CodePicture? = { _ in nil },
        land: @escaping @Sendable ([Land.Point]) async -> Land = { _ in Land() },
        photo: @escaping @Sendable (_ file: [UInt8], _ sender: PhotoSender) async throws(ServiceError) -> NewPhoto = {
            _, _ throws(ServiceError) in
            throw ServiceError("this page doesn’t take photos")
        },
        feed: @escaping @Sendable (_ origin: String) async throws(ServiceError) -> ImportedList = {
            _ throws(ServiceError) in
            throw ServiceError("this page doesn’t read feeds")
        },
        details: @escaping @Sendable (_ link: String) async throws(ServiceError) -> LinkDetails = {
            _ throws(ServiceError) in
            throw ServiceError("this page doesn’t fetch details")
        },
        picture: @escaping @Sendable (_ trip: String, _ name: String) async -> [UInt8]? = { _, _ in nil },
        clock: @escaping @Sendable (_ zone: String, Day, _ minute: Int) throws(TripError) -> DayTime.Zone = {
            _, _, _ throws(TripError) in
            throw TripError(.malformedValue, "this page knows no time zones")
        }
    ) {
        self.folder = folder
        self.port = port
        self.addresses = addresses
        self.network = network
        self.qrCode = qrCode
        self.land = land
        self.photo = photo
        self.feed = feed
        self.details = details
        self.picture = picture
        self.clock = clock
    }
}
