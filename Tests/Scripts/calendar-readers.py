#!/usr/bin/env python3
"""Reads the calendar of Scripts/calendar-readers with icalendar and with khal, and compares what they see with what was planned."""

import os
import subprocess
import sys
import tempfile
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import icalendar

PATH = Path(sys.argv[1])
UTC = timezone.utc
EVENTS = {
    "Fado": (datetime(2026, 3, 29, 0, 30, tzinfo=UTC), timedelta(hours=3)),
    "Castle": (datetime(2026, 3, 30, 9, 0, tzinfo=UTC), timedelta(minutes=90)),
    "Flight": (datetime(2026, 6, 12, 11, 0, tzinfo=UTC), timedelta(hours=7, minutes=30)),
    "Beach": (datetime(2026, 6, 12, 23, 0, tzinfo=UTC), timedelta(hours=2)),
    "Market": (datetime(2026, 6, 20, 9, 5), None),
    "Casa": (date(2026, 6, 12), timedelta(days=4)),
}
DEADLINES = {"Tickets": (date(2099, 5, 20), False), "Rent": (datetime(2099, 5, 21, 18, 0), True), "Casa": (date(2099, 5, 22), False)}
# What khal prints by the clocks of a zone. It gives an hour to what has no length.
SHOWN = {
    "Europe/Lisbon": ["2026-03-29 00:30 2026-03-29 04:30 Fado", "2026-03-30 10:00 2026-03-30 11:30 Castle",
                      "2026-06-20 09:05 2026-06-20 10:05 Market"],
    "Asia/Tokyo": ["2026-06-12 20:00 2026-06-13 03:30 Flight", "2026-06-13 08:00 2026-06-13 10:00 Beach",
                   "2026-06-20 09:05 2026-06-20 10:05 Market"],
    "Pacific/Honolulu": ["2026-06-12 01:00 2026-06-12 08:30 Flight", "2026-06-12 13:00 2026-06-12 15:00 Beach"],
}


def check(condition, what):
    if not condition:
        sys.exit(f"calendar-readers: {what}")


def read_by_icalendar():
    calendar = icalendar.Calendar.from_ical(PATH.read_bytes())
    events = {str(event["SUMMARY"]): event for event in calendar.walk("VEVENT")}
    check(events.keys() == EVENTS.keys(), f"icalendar sees {sorted(events)}")
    for title, (start, length) in EVENTS.items():
        event = events[title]
        seen = event["DTSTART"].dt
        check(seen == start and type(seen) is type(start), f"icalendar: {title} begins at {seen}, not {start}")
        if "DURATION" in event:
            check(event["DURATION"].dt == length, f"icalendar: {title} takes {event['DURATION'].dt}")
        elif "DTEND" in event:
            check(event["DTEND"].dt - seen == length, f"icalendar: {title} ends at {event['DTEND'].dt}")
        else:
            check(length is None, f"icalendar: {title} has no end")
    deadlines = {str(todo["SUMMARY"]): (todo["DUE"].dt, str(todo.get("STATUS")) == "COMPLETED") for todo in calendar.walk("VTODO")}
    check(deadlines == DEADLINES, f"icalendar sees the deadlines {deadlines}")
    identifiers = [str(component["UID"]) for component in calendar.walk() if component.name in ("VEVENT", "VTODO")]
    check(len(set(identifiers)) == len(identifiers), f"two components have one UID: {identifiers}")


def read_by_khal(zone, expected):
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "calendar").mkdir()
        config = home / "config"
        config.write_text(f"[calendars]\n[[trip]]\npath = {home}/calendar\n[locale]\nlocal_timezone = {zone}\ndefault_timezone = {zone}\n"
                          "timeformat = %H:%M\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\ndatetimeformat = %Y-%m-%d %H:%M\n"
                          f"longdatetimeformat = %Y-%m-%d %H:%M\n[sqlite]\npath = {home}/khal.db\n[default]\ndefault_calendar = trip\n")
        khal = ["khal", "-c", str(config)]
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "TZ": zone, "HOME": str(home)}
        subprocess.run([*khal, "import", "--batch", "-a", "trip", str(PATH)], check=True, env=environment, capture_output=True, timeout=60)
        shown = set()
        for day in ("2026-03-28", "2026-06-11", "2026-06-19"):
            done = subprocess.run([*khal, "list", "--format", "{start} {end} {title}", "--day-format", "", day, "3d"], check=True,
                                  env=environment, capture_output=True, text=True, timeout=60)
            shown |= {line.strip() for line in done.stdout.split("\n") if line.strip()}
        for line in expected:
            check(line in shown, f"khal in {zone} shows no “{line}”, but {sorted(shown)}")


read_by_icalendar()
for zone, expected in SHOWN.items():
    read_by_khal(zone, expected)
