package import TripService

/// The page of a home over HTTP: on loopback for whoever owns the home, and on the network for guests while they are let in.
package actor PageServer {
    private let home: any HomeService

    package init(home: any HomeService) { self.home = home }
}
