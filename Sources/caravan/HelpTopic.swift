import Foundation

/// What concerns all commands, as `caravan help TOPIC` prints it. The man page is made of it: an indented line explains the
/// name that it begins with, or else goes on with the line above.
enum HelpTopic: String, CaseIterable {
    case naming
    case exitCodes = "exit-codes"
    case environment

    var text: String {
        switch self {
        case .naming:
            """
            How trips, items and members are named

            A TRIP is named by its title, the start of its title, or the start of its id.
            If you name none, a command is about the trip in CARAVAN_TRIP, or the current
            trip: the only one, or the one that you created, joined or chose last
            (`caravan use TRIP`).

            An ITEM is named by its number in the list, the start of its id (4 characters
            or more), or its whole title. On this device, a number keeps meaning the item
            that it was shown with, until the whole list is shown again. Scripts should
            use ids, which `--json` prints.

            A MEMBER is named by name, or by the start of their id (`caravan members
            --json`). A LIST is named by its title or the start of its id. Wishes,
            invites, comments and photos are named by the numbers that they are shown
            with.

            Upper and lower case are the same. A text that begins with a dash goes after
            `--`, or after `=`: caravan add --note=-20% Tram
            """
        case .exitCodes:
            """
            Exit status

              0    Done. Also if there was nothing to change, such as a vote that you
                   already gave: the output then begins with "Nothing changed". Ctrl-C
                   ends `caravan up` as `caravan down` does.
              1    Not done: one line on standard error says what is wrong and what to do,
                   and names what was done in part. Also for a value that a trip
                   refuses, such as a missing item or a day that does not exist.
                   `caravan doctor` and `caravan mailbox test` also exit with 1 if they
                   find a problem.
              64   The command line is wrong: a word or an option is missing, unknown or
                   malformed, and the error shows how it is written.
              130  Interrupted.
            """
        case .environment:
            """
            Environment variables

              CARAVAN_HOME             The folder of your trips. By default
                                       $XDG_DATA_HOME/caravan, or
                                       ~/.local/share/caravan.
              CARAVAN_TRIP             The trip that commands are about if they name none.
              CARAVAN_PASSPHRASE_FILE  A file whose first line is the passphrase of your
                                       keys.
              CARAVAN_INTERFACES       The network interfaces on which caravan looks for
                                       members without Avahi, such as wlan0,eth0. By
                                       default all.
              CARAVAN_PHOTO_SPACE      The disk space for the photos of each trip, such as
                                       500M or 10G. By default 2G.
              NO_COLOR                 If it is not empty, no bold text and no colors.
              CLICOLOR_FORCE           If it is not 0, colors without a terminal too.
              PAGER                    The program that shows long texts, by default less.
                                       `cat`, or nothing, turns it off.
              VISUAL, EDITOR           The editor of `caravan note edit` and
                                       `caravan edit --editor`.

            Options overrule the environment: --home, --trip, --color, --no-pager.
            """
        }
    }

    /// The topic that a command line asks for.
    init?(_ words: [String]) {
        guard words.count == 2, words[0] == "help", let topic = HelpTopic(rawValue: words[1].lowercased()) else {
            return nil
        }
        self = topic
    }
}
