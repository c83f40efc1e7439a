"""A node: its keys and the changes that it holds, in memory; what its person does, and what its sessions ask of it."""

import os
import time
from dataclasses import replace

from . import bounds, content
from .change import Change
from .encoding import text
from .epochs import Epochs, grant_of
from .fold import Fold
from .held import Held, Refused
from .keys import H, KDF, DeviceKeys, epoch_name, invite_name, invited, seal, verifies
from .membership import LEFT, MEMBER, OUT, REMOVED, WAITS, Membership
from .messages import ADMITTED, NOT_ADMITTED
from .session import EPOCH, INVITE, OVER, PAIR, UNPROVEN, Session
from .statements import Admit, BeginEpoch, Close, End, Found, GiveEpoch, Grant, Invite, Remove, consent_text
from .versions import CURRENT


class Node:
    def __init__(self, trip, keys, name, version=CURRENT, entropy=os.urandom, clock=lambda: int(time.time() * 1000)):
        self.trip, self.keys, self.name, self.version, self.entropy, self.clock = trip, keys, name, version, entropy, clock
        self.held, self.last = Held(trip), None  # the index of its own last change
        self.came_by = None  # the id of the invite that its person's name names
        self.secrets = {}  # of epochs, by their ids
        self.sessions = []
        self.incarnation = entropy(16)
        self.port = None  # where it accepts connections
        self.ports = {}  # where members said that they do, by their replicas

    @classmethod
    def founder(cls, name, **options):
        entropy = options.get("entropy", os.urandom)
        keys = DeviceKeys(entropy(32), entropy(32))
        node = cls(H(keys.device.signing), keys, name, **options)
        secret = node.new_epoch()
        node.write(Found(keys.device, name, epoch_name(secret)))
        return node

    @classmethod
    def joiner(cls, link, name, **options):
        """A new person, who joins by the link of an invite."""
        entropy = options.get("entropy", os.urandom)
        node = cls(link.trip, DeviceKeys(entropy(32), entropy(32), invited(invite_name(link.secret))), name, **options)
        node.came_by = invite_name(link.secret)
        return node

    # What follows from the changes held

    @property
    def membership(self):
        if getattr(self, "derived", (-1,))[0] != self.held.version:
            self.derived = self.held.version, Membership(self.held)
        return self.derived[1]

    @property
    def epochs(self):
        epochs = Epochs(self.membership)
        self.secrets |= epochs.secrets(self.keys)
        return epochs

    @property
    def view(self):
        return Fold(self.membership, self.version).view()

    @property
    def is_in(self):
        return self.membership.is_in(self.keys.device)

    @property
    def may_write(self):
        """Whether others would take a change by this device: they find what introduced it in the change's past."""
        return self.last is not None or any(self.membership.retained >> index & 1 for index in self.held.introductions.get(self.keys.device.replica, ()))

    @property
    def newest_secret(self):
        """The secret of the newest epoch that is known here; a node that has only just joined knows one epoch and no changes."""
        held = [self.secrets[epoch.name] for epoch in self.epochs.by_age() if epoch.name in self.secrets]
        return held[0] if held else next(iter(self.secrets.values()), None)

    # What its person does

    def write(self, statement=None, operations=(), unknown=(), heads=None):
        """Writes a change; its hash."""
        self.held.take(self.next_change(statement, operations, unknown, heads).record)
        self.last = len(self.held) - 1
        self.changed()
        return self.held.changes[self.last].hash

    def next_change(self, statement, operations=(), unknown=(), heads=None):
        previous = None if self.last is None else self.held.changes[self.last]
        pending = self.membership.pending(self.keys.device.participant) if statement is None else 0
        heads = sorted(self.heads(pending) if heads is None else heads)
        before = [self.held.changes[self.held.indices[hash]] for hash in heads] + ([previous] if previous else [])
        change = Change(self.trip, self.keys.device.replica, previous.number + 1 if previous else 1, previous.hash if previous else None,
                        tuple(heads), 1 + max((c.lamport for c in before), default=0), self.clock(), statement,
                        content.write_content(operations, self.version, unknown), subjects=self.subjects(operations, pending),
                        salt=self.entropy(16))
        return replace(change, signature=self.keys.sign(change.signed))

    def subjects(self, operations, pending):
        """The changes that made what operations act on, and the closings that they reveal answers after."""
        named = [reference.change for operation in operations for reference in operation.subjects if reference.change]
        known = self.membership.retained | self.held.graph.closed(pending)
        return tuple(sorted({hash for hash in named if hash in self.held and known >> self.held.indices[hash] & 1}))

    def heads(self, pending=0):
        """What is retained or pending, and nothing of that stands on, but for its own last change."""
        known = self.membership.retained | pending
        covered = 0 if self.last is None else self.held.pasts[self.last]
        for index in self.held.members(known):
            covered |= self.held.past(index)
        return [self.held.changes[index].hash for index in self.held.members(known & ~covered)][:bounds.HEADS]

    def heads_about(self, participant):
        """The heads for a statement about a person, with the admissions that are not retained, as those of a person who waits."""
        unseen = [index for index in self.membership.admissions(participant) if not self.membership.retained >> index & 1]
        return sorted({*self.heads(), *(self.held.changes[index].hash for index in unseen)})[:bounds.HEADS]

    def fork(self):
        """A node that goes on from here with the same keys, as one that was restored from a backup does."""
        twin = Node(self.trip, self.keys, self.name, self.version, self.entropy, self.clock)
        for change in self.held.changes:
            twin.held.take(change.record)
        twin.last, twin.secrets, twin.came_by = self.last, dict(self.secrets), self.came_by
        return twin

    def add(self, title, **fields):
        writes = ((1, title), *sorted((int(number.removeprefix("field")), value) for number, value in fields.items()))
        return content.Reference(self.write(None, [content.Operation(content.ADD, writes=writes)]), 0)

    def vote(self, item, way=1):
        return self.write(None, [content.Operation(content.VOTE, item=item, number=way)])

    def edit(self, item, field, value, beside=()):
        return self.write(None, [content.Operation(content.EDIT, item=item, writes=((field, value, tuple(beside)),))])

    def edit_note(self, item, start, end, text):
        """Puts a text in the place of some characters that the note of an item shows, or that of the trip where there is no item."""
        fold = Fold(self.membership, self.version)
        note = fold.items[fold.resolved(item, (0, 0))].note if item else fold.note
        kind = content.NOTE if item else content.TRIP_NOTE
        edit = note.edit(start, end, text, lambda operation: content.Reference(self.held.changes[operation[0]].hash, operation[1]))
        return content.Reference(self.write(None, [content.Operation(kind, item=item, **edit)]), 0)

    def invite(self, uses=1, expires=None, participant=None):
        invite = Invite(self.entropy(32), uses, expires, participant)
        self.write(invite)
        return self.link_secret(invite, self.keys.device)

    def link_secret(self, invite, opener):
        """What the link of an invite carries; None where only the device knows that opened it for a further one."""
        known = invite.secret(opener)
        if invite.participant is None:
            return known
        return H(known, key=KDF(self.keys.signing_seed, "caravan device link")) if opener == self.keys.device else None

    def link_secrets(self, openings):
        """The same of openings, by secret, where they are known."""
        found = {self.link_secret(self.held.changes[index].statement, self.held.author(index)): index for index in openings}
        return {secret: index for secret, index in found.items() if secret}

    def close_invite(self, secret):
        return self.write(Close(invite_name(secret)))

    def remove(self, participant):
        secret = self.new_epoch()
        devices = [device for device in self.membership.devices_in(guests=False) if device.participant != participant]
        return self.write(Remove(participant, self.grant(secret, devices)), heads=self.heads_about(participant))

    def leave(self):
        return self.write(Remove(self.keys.device.participant))

    def keep(self, participant):
        """Admits somebody who waits once more, as they were admitted before."""
        before = self.membership.said(min(self.membership.admissions(participant), key=self.membership.stamp))
        return self.write(replace(before, grant=None), heads=self.heads_about(participant))

    def end(self, replica, last=None):
        """Ends a further device as of one of its changes."""
        secret = self.new_epoch()
        devices = [device for device in self.membership.devices_in(guests=False) if device.replica != replica]
        return self.write(End(replica, last, self.grant(secret, devices)))

    # Epochs

    def new_epoch(self):
        secret = self.entropy(32)
        self.secrets[epoch_name(secret)] = secret
        return secret

    def grant(self, secret, devices):
        """A grant to devices; one whose session key is no good gets no box."""
        boxes = {device.replica: seal(secret, device.session, self.entropy(32)) for device in devices}
        return Grant(epoch_name(secret), tuple(sorted((replica, box) for replica, box in boxes.items() if box is not None)))

    def tend_epochs(self):
        """What section 6 asks of a member; without the random while, so at most one of two nodes in a test calls it."""
        if not self.is_in:
            return
        epochs, everyone = self.epochs, self.membership.devices_in(guests=False)
        if epochs.must_begin:
            self.write(BeginEpoch(self.grant(self.new_epoch(), everyone)))
        elif epochs.newest.name in self.secrets:
            given = epochs.given(epochs.newest.name)
            grant = self.grant(self.secrets[epochs.newest.name], [device for device in everyone if device.replica not in given])
            if grant.boxes:
                self.write(GiveEpoch(grant))

    def give_epoch(self, name, replica):
        own = (change.statement for change in self.held.changes if change.replica == self.keys.device.replica)
        given = {(grant.epoch, replica) for said in own if (grant := grant_of(said)) for replica, _ in grant.boxes}
        usable = {epoch.name for epoch in self.epochs.usable}
        if name in usable & set(self.secrets) and (name, replica) not in given:
            self.write(GiveEpoch(self.grant(self.secrets[name], [self.held.devices[replica]])))

    # Joining

    def consent(self):
        return self.keys.sign(consent_text(self.trip, self.keys.device, self.name))

    def join_request(self):
        return self.keys.device.written() + text(self.name) + self.consent()

    def let_join(self, secret, peer, device, name, consent):
        """The kind and the body of the answer to a join request."""
        agreed = consent_text(self.trip, device, name)
        if (device.replica, device.session) != peer or not verifies(device.signing, agreed, consent):
            return NOT_ADMITTED, bytes([UNPROVEN])
        newest = self.newest_secret
        box = seal(newest, device.session, self.entropy(32))
        if not self.membership.is_in(device):
            if self.membership.who_is_met(*peer) == OUT:
                return NOT_ADMITTED, bytes([UNPROVEN])
            openings = self.membership.open_invites(self.clock(), device)
            opening = self.link_secrets(openings).get(secret)
            if opening is None or not self.is_in:
                return NOT_ADMITTED, bytes([OVER])
            named = self.held.changes[opening].statement.participant
            if box is None or named is not None and named != device.participant:
                return NOT_ADMITTED, bytes([UNPROVEN])
            try:
                self.write(Admit(device, name, self.membership.invite(opening), consent, (epoch_name(newest), box)))
            except Refused:  # as where its name does not follow from the invite
                return NOT_ADMITTED, bytes([UNPROVEN])
        return ADMITTED, epoch_name(newest) + box

    def joined(self, epoch, box):
        """Takes an admission's secret; whether it is that epoch's."""
        secret = self.keys.open(box)
        if secret is None or epoch_name(secret) != epoch:
            return False
        self.secrets[epoch] = secret
        return True

    # Sessions

    def psks(self):
        """The secrets by which others may dial, each with its kind."""
        found = {secret: PAIR for device in self.membership.devices_in() + self.devices_to_tell() if device != self.keys.device
                 and (secret := self.keys.pair_secret(device))}
        found |= {secret: INVITE for secret in self.invites_answered()}
        return found | ({self.newest_secret: EPOCH} if self.newest_secret else {})

    def devices_to_tell(self):
        """The devices of people who are out, who are told so for a while."""
        return [device for device in self.held.devices.values() if device.participant not in self.held.graph.host
                and self.membership.standings[device.participant] in (REMOVED, LEFT, WAITS)
                and any(self.clock() < self.held.changes[index].wall + bounds.TELLING for index in self.membership.reasons(device))]

    def invites_answered(self):
        """The secrets of open invites, and of the last that are over but for a removal, whose secret somebody outside may know."""
        return [*self.link_secrets(self.membership.open_invites(self.clock())), *self.invites_over()]

    def invites_over(self):
        """The latter: under them nobody recognizes this node."""
        membership = self.membership
        is_open = set(membership.open_invites(self.clock()))
        over = [p for p in self.held.all_of(Invite) if membership.effective >> p & 1 and p not in is_open
                and not membership.is_known_outside(p)]
        return list(self.link_secrets(over))[-bounds.OVER_INVITES:]

    def may_dial(self, secret, replica, session_key):
        """Whether to identify this node to a peer that answered under a secret, named a replica and showed a key."""
        if secret == self.newest_secret or secret not in self.secrets.values() and self.psks().get(secret, INVITE) == INVITE:
            return True
        if self.membership.who_is_met(replica, session_key) != MEMBER:
            return False
        return secret in self.secrets.values() or self.keys.pair_secret(self.held.devices[replica]) == secret

    def session(self, psk, is_initiator, peer, secret):
        session = Session(self, psk, is_initiator, peer, secret)
        session.start()
        self.sessions.append(session)
        return session

    def changed(self):
        """Tells all sessions what is new."""
        if self.last is None:
            own = [p for p, change in enumerate(self.held.changes) if change.replica == self.keys.device.replica]
            self.last = own[-1] if own else None
        self.sessions = [session for session in self.sessions if not session.is_over]
        for session in self.sessions:
            if session.psk != INVITE and session.hello_heard:
                session.let_in()

    def own_admission(self):
        """The indices of what admits this device, and of its past. Where nothing that admits it counts, its person waits."""
        introduced = self.held.introductions.get(self.keys.device.replica, ())
        counting = [index for index in introduced if self.membership.effective >> index & 1]
        chosen = min(counting or introduced, key=self.membership.stamp, default=None)
        return [] if chosen is None else list(self.held.members(self.held.pasts[chosen]))

    def why_out(self, replica, session_key, held):
        """The indices of the change that tells a peer, which holds some changes, why it is out, and of its past."""
        if self.membership.who_is_met(replica, session_key) != OUT:
            return []
        reason = self.membership.why_out(self.held.devices[replica], held)
        return [] if reason is None else list(self.held.members(self.held.pasts[reason]))
