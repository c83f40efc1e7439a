"""Section 10: the bounds that all nodes judge alike, and those that are this implementation's own."""

CONTENT = 2**20
HEADS = 1_024
SUBJECTS, KEPT = 1_024, 64
BODY = CONTENT + 800_000
RECORD = 2_000_000
BOXES = 8_192
NAME_BYTES = 256
USES = 1_000
NUMBER = 2**32 - 1
LAMPORT = 2**48
CHAIN_BYTES = 64 * 2**20
CHAIN_ADMISSIONS, CHAIN_EPOCHS, CHAIN_INVITES = 512, 128, 512
DEVICES, GUESTS = 16, 20
DEPTH = 16  # people above anybody
OPERATIONS, BESIDE, INDEX = 10_000, 256, 65_535
STEP = 1_000_000
AMENITIES, BEDS, NIGHTS, POINTS = 64, 9_999, 366, 1_000
INSERTIONS, INSERTED, NOTE_SHOWN = 256, 100_000, 200_000  # texts and characters that one edit inserts into a note, characters shown
NOTE = 32_768  # bytes of what somebody seals beside a commitment
SEALED, COUNTED = 64, 4_096  # what one participant seals and withdraws of a question, the answers that a closing names
CHUNK, CHUNKS, PIXELS = 65_536, (256, 8, 1), 16_384  # chunks of a sharp picture, a card's, a thumbnail
LINK, HINTS, LINK_MAILBOXES, LINK_ADDRESS = 1_000, 4, 2, 160
MESSAGE = 2 * 2**20
WRITERS, WRITER_PLACE = 1 + GUESTS, 128
BUNDLE = 128 * 2**20
TIPS = HAVE = 16_384  # of a frontier, hashes that a message says are durable
LOCATOR = 264  # hashes
RECORDS = 1_000  # of a message

# Local
BODIES_WANTED = 64
BODIES_ABSENT = 256
OVER_INVITES = 4
TELLING = 30 * 86_400_000  # milliseconds
