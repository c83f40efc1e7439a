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
                  new                     Start a trip.
                  invite                  Make a link that lets others in, show one again, or
                                          close one.
                  join                    Come into a trip with an invite's link.
                  device                  Bring in a further device of your own.
                  members                 Show who is in and who brought them, or take somebody
                                          out.
                  leave                   Leave the trip, with all your devices.
                  trips                   List your trips on this machine.
                  use                     Choose the trip that commands mean.
                  delete                  Take a trip away from this machine.

                PLANNING SUBCOMMANDS:
                  add                     Add an item.
                  edit                    Change what an item says.
                  remove                  Remove items.
                  restore                 Bring removed items back, whole; or a trip from its
                                          backup.
                  vote                    Vote for items, or against them.
                  unvote                  Take votes back.
                  choose                  Say that the group decided for items.
                  quantity                Count an item up or down.
                  bring                   Say that you bring items.
                  comment                 Say something of an item.
                  photo                   Attach photos to an item, remove them, or save them.
                  lists                   Show, make, rename and remove lists.
                  move                    Put items into a list, or beside another.
                  undo                    Take back what you did last.
                  rename                  Give the trip another name, or yourself.
                  import                  Add what a file, a pipe or a link of a list holds.
                  wish                    Put something on your own wish list.
                  wishes                  Show your own wish list, share of it, take from it.

                READING SUBCOMMANDS:
                  list                    Show the trip.
                  search                  Show the items that mention something.
                  show                    Show one item as a card.
                  history                 Show who did what, and when.
                  recent                  Show the items that you looked at last.
                  feeds                   Show, add and remove places where you look for things
                                          to share.
                  browse                  Show what a feed holds, search in it, and share of it.
                  share                   Make a picture of the list, or of one item, for a
                                          chat.
                  export                  Write the trip for other programs, and for people
                                          without one.

                SAFETY SUBCOMMANDS:
                  backup                  Put this trip into one file, under a passphrase.
                  passphrase              Put this trip's keys under a passphrase, or take it
                                          off.

                NODE SUBCOMMANDS:
                  up                      Run your trips' node: meet the others and share.
                  down                    End the node that runs your trips.
                  open                    Open the page of your trips in a browser.
                  guests                  Let phones in that have nothing but a browser.
                  status                  Show who is here, and whether everyone has everything.
                  watch                   Print what happens, as it happens.
                  doctor                  Say what keeps your trips from being kept or shared
                                          here.
                  service                 Let systemd run your node whenever you are logged in.
                  demo                    Show three people planning on this machine, over real
                                          multicast DNS.

                TESTING SUBCOMMANDS:
                  simulate                Break a world of simulated nodes; check the laws.

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
