"""Magneto, a DynamoDB-compatible database server, for tests: start() it, fork() it for each test, control its clock,
faults and journal."""

from magneto.control import ControlError, Fork, JournalError, Namespace
from magneto.server import Server, StartError, connect, start

__all__ = ["ControlError", "Fork", "JournalError", "Namespace", "Server", "StartError", "connect", "start"]
