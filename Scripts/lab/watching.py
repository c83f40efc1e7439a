"""What a running node tells its watchers, and when."""

import subprocess
import threading
import time


class Watching:
    """Reads `caravan watch --json` and notes when each line came that holds a text."""

    def __init__(self, person, text):
        self.text, self.lines, self.changed = text, [], threading.Condition()
        host = person.host
        words = host._enter(person.words("watch", "--json"), None)
        self.process = subprocess.Popen(words, env=host._environment(), stdout=subprocess.PIPE, text=True)
        host.processes[f"watch-{person.job}-{id(self)}"] = self.process
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append((time.monotonic(), line))
                self.changed.notify_all()

    def is_seen(self, count, seconds):
        """Waits for that many lines; when the last of them came, or None."""
        with self.changed:
            self.changed.wait_for(lambda: len(self.times()) >= count, seconds)
            return self.times()[count - 1] if len(self.times()) >= count else None

    def when(self, text, seconds):
        """Waits for a line that holds a text besides; when it came, or None."""
        with self.changed:
            self.changed.wait_for(lambda: self._first(text) is not None, seconds)
            return self._first(text)

    def times(self):
        return [when for when, line in self.lines if self.text in line]

    def _first(self, text):
        return next((when for when, line in self.lines if self.text in line and text in line), None)
