import ArgumentParser
import Foundation
import Testing

@testable import caravan

struct HelpTests {
    @Test(
        "what a full disk takes not all of is a failure, also of help",
        arguments: [
            ["help"], ["help", "naming"], ["list", "--help"], ["--version"], ["-V"],
            ["--generate-completion-script", "bash"],
        ])
    func fullDisk(_ arguments: [String]) async throws {
        let scratch = try ScratchFolder()
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let running = try Product(home: scratch.path + "/home").start(arguments, output: full)
        let outcome = try await running.ended(within: 30)
        #expect(outcome.status == 1 && outcome.errors.contains("the output is incomplete"), outcome.summary)
    }

    @Test func theFirstHelpIsAsItWasAgreed() {
        #expect(
            Caravan.helpMessage(columns: 80) == """
                OVERVIEW: Plan a trip together with no server and no internet.

                Run `caravan up` on each machine. Members of a trip find each other on the
                local network and sync. Members who are apart sync through a mailbox: see
                `caravan help mailbox`.

                Refer to an ITEM by its number in `caravan list`, the start of its id, or its
                title. Refer to a TRIP by its title or the start of its id; `caravan use TRIP`
                sets the current trip.

                Trips are stored in $CARAVAN_HOME, by default ~/.local/share/caravan.

                Options before the command: -t, --trip TRIP names the trip, --home FOLDER the
                folder of your trips; --color auto|always|never; --no-pager. Help topics:
                `caravan help naming`, `exit-codes`, `environment`.

                USAGE: caravan <subcommand>

                OPTIONS:
                  --version               Show the version.
                  -h, --help              Show help information.

                TRIP SUBCOMMANDS:
                  new                     Create a trip.
                  invite                  Create, show or revoke invite links.
                  join                    Join a trip with an invite link.
                  device                  Add, list or remove your other devices.
                  members                 Show the members and who invited them, or remove one.
                  leave                   Leave the trip with all your devices.
                  archive                 Archive a finished trip as one file, read-only here.
                  trips                   List your trips on this machine.
                  use                     Set the current trip.
                  delete                  Delete the local copy of a trip.
                  trash                   List, restore or erase deleted trips.

                PLANNING SUBCOMMANDS:
                  add                     Add an item.
                  edit                    Edit an item.
                  remove, rm              Remove items.
                  restore                 Restore removed items, or a trip from a backup.
                  vote                    Vote for or against items.
                  unvote                  Withdraw your votes.
                  choose                  Mark items as chosen by the group.
                  quantity                Set an item's quantity, or add to it.
                  bring                   Say that you will bring items.
                  going                   Say whether you are going to items.
                  comment                 Comment on an item.
                  note                    Show or write the note of an item, or of the trip.
                  photo                   Attach, remove or save photos of an item.
                  fetch                   Fetch the details of items from their links.
                  lists                   Show, create, rename and remove lists.
                  move, mv                Move items to a list, or next to another item.
                  undo                    Undo your last change.
                  rename                  Rename the trip, or yourself.
                  import                  Import items from a file, standard input or a list
                                          link.
                  wish                    Add an item to your private wish list.
                  wishes                  Show, share or remove items on your private wish list.

                DAYS SUBCOMMANDS:
                  plan                    Put an item on a day of the trip, and choose it.
                  unplan                  Remove items from their days.
                  days                    Show the plan day by day.

                QUESTIONS SUBCOMMANDS:
                  ask                     Ask the group a question with options.
                  answer                  Answer a question.
                  options                 Add options to a question, or remove some.
                  close                   Close a question.
                  questions               List questions, options and answers.

                COSTS SUBCOMMANDS:
                  cost                    Record who paid, and who shares it.
                  balances                Show who is owed what, and the fewest payments that
                                          settle it.
                  settle                  Record a payment between you and another member.

                READING SUBCOMMANDS:
                  list, ls                List the items of the trip.
                  search                  Search the items.
                  show                    Show one item with all its details.
                  history, log            Show who changed what, and when.
                  recent                  Show the items you viewed last.
                  feeds                   Manage feeds: files and local URLs that you browse
                                          for items.
                  browse                  Browse or search a feed, and add items from it.
                  share                   Make a picture of the list, or of one item, to send
                                          in a chat.
                  export                  Export the trip (Markdown, CSV, iCalendar, GPX, KML,
                                          JSON, link).

                SAFETY SUBCOMMANDS:
                  backup                  Save this trip and its keys to an encrypted file.
                  passphrase              Protect this trip's keys with a passphrase.
                  salvage                 Recover a trip whose files are damaged.

                NODE SUBCOMMANDS:
                  up                      Start the node and sync with the other members.
                  down                    Stop the node.
                  open                    Open the page of your trips in a browser.
                  guests                  Let phones join as guests, with just a browser.
                  mailbox                 Sync while apart, through a folder or server that
                                          stores sealed blocks.
                  status                  Show who is connected, and whether everyone is up to
                                          date.
                  watch                   Print events as they happen.
                  doctor                  Diagnose problems with storage and syncing.
                  service                 Run the node in the background with systemd.
                  demo                    Show how three people plan a trip, on this machine.
                  version                 Show the version.

                TESTING SUBCOMMANDS:
                  simulate                Simulate nodes with injected faults, and check the
                                          laws.

                  See 'caravan help <subcommand>' for detailed help.
                """)
    }

    @Test func undoSaysWhoseChangeItUndoesAndFromWhichDevice() {
        let help = Caravan.helpMessage(for: Undo.self, columns: 200)
        #expect(help.contains("your own last change to the trip, from any of your devices"), "\(help)")
    }

    @Test func everyCommandsHelpIsShortAndHasAnExample() throws {
        let commands = Caravan.configuration.groupedSubcommands.flatMap(\.subcommands)
        #expect(commands.count == 67)
        for command in commands {
            let help = Caravan.helpMessage(for: command, columns: 80)
            #expect(help.contains("Example") || command == Demo.self, "\(help)")
            #expect(!help.contains("Examples: "), "each example has a line of its own: \(help)")
            #expect(help.split(separator: "\n").count <= 40, "\(help)")
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE") }, "\(help)")
        }
    }
}
