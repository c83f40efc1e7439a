import ArgumentParser
import Testing

@testable import caravan

struct HelpTests {
    @Test func theFirstHelpIsAsItWasAgreed() {
        #expect(
            Caravan.helpMessage(columns: 80) == """
                OVERVIEW: Plan a trip together with no server and no internet.

                Everyone runs `caravan up`; those of one trip find each other on the network
                and share what they do.
                An ITEM is the number that `caravan list` showed you, the beginning of an id,
                or a title; a TRIP its title, or
                the beginning of its id: `caravan use TRIP` chooses the one that commands mean.
                Trips are kept under $CARAVAN_HOME, or in the XDG data folder.

                USAGE: caravan <subcommand>

                OPTIONS:
                  --version               Show the version.
                  -h, --help              Show help information.

                TRIP SUBCOMMANDS:
                  new                     Create a trip.
                  invite                  Make a link that lets others in, show one again, or
                                          close one.
                  join                    Come into a trip with an invite's link.
                  device                  Add another of your devices.
                  members                 Show who is in and who brought them, or take somebody
                                          out.
                  leave                   Leave the trip, with all your devices.
                  trips                   List your trips on this machine.
                  use                     Set the current trip.
                  delete                  Take a trip away from this machine.

                PLANNING SUBCOMMANDS:
                  add                     Add an item.
                  edit                    Edit an item.
                  remove                  Remove items.
                  restore                 Bring removed items back, whole; or a trip from its
                                          backup.
                  vote                    Vote for items, or against them.
                  unvote                  Withdraw your votes.
                  choose                  Say that the group decided for items.
                  quantity                Count an item up or down.
                  bring                   Say that you bring items.
                  comment                 Comment on an item.
                  photo                   Attach, remove or save photos of an item.
                  lists                   Show, make, rename and remove lists.
                  move                    Put items into a list, or beside another.
                  undo                    Undo your last change.
                  rename                  Give the trip another name, or yourself.
                  import                  Import items from a file, standard input or a list link.
                  wish                    Add an item to your private wish list.
                  wishes                  Show your own wish list, share of it, take from it.

                READING SUBCOMMANDS:
                  list                    Show the trip.
                  search                  Search the items.
                  show                    Show one item with all its details.
                  history                 Show who did what, and when.
                  recent                  Show the items that you looked at last.
                  feeds                   Show, add and remove places where you look for things
                                          to share.
                  browse                  Browse or search a feed, and add items from it.
                  share                   Make a picture of the list, or of one item, for a
                                          chat.
                  export                  Write the trip for other programs, and for people
                                          without one.

                SAFETY SUBCOMMANDS:
                  backup                  Save this trip and its keys to an encrypted file.
                  passphrase              Put this trip's keys under a passphrase, or take it
                                          off.

                NODE SUBCOMMANDS:
                  up                      Start the node and sync with the other members.
                  down                    Stop the node.
                  open                    Open the page of your trips in a browser.
                  guests                  Let phones join as guests, with just a browser.
                  status                  Show who is here, and whether everyone has everything.
                  watch                   Print what happens, as it happens.
                  doctor                  Say what keeps your trips from being kept or shared
                                          here.
                  service                 Let systemd run your node whenever you are logged in.
                  demo                    Show three people planning on this machine, over real
                                          multicast DNS.

                TESTING SUBCOMMANDS:
                  simulate                Simulate nodes with injected faults, and check the laws.

                  See 'caravan help <subcommand>' for detailed help.
                """)
    }

    @Test func everyCommandsHelpIsShortAndHasAnExample() throws {
        let commands = Caravan.configuration.groupedSubcommands.flatMap(\.subcommands)
        #expect(commands.count == 48)
        for command in commands {
            let help = Caravan.helpMessage(for: command, columns: 80)
            #expect(help.contains("Example") || command == Demo.self, "\(help)")
            #expect(help.split(separator: "\n").count <= 40, "\(help)")
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE") }, "\(help)")
        }
    }
}
