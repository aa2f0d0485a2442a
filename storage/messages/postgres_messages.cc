#include "storage/messages/postgres_messages.h"

#include <fmt/format.h>

namespace magneto::storage::messages {

std::string libpq_missing(std::string_view why) {
  return fmt::format(
      "--store needs PostgreSQL's client library: {} (on Debian: apt-get install libpq5)", why);
}

std::string libpq_too_old(std::string_view function) {
  return fmt::format(
      "--store needs PostgreSQL's client library of release 14 or later: this one has no {}",
      function);
}

std::string bad_store_url(std::string_view why) {
  return fmt::format("--store must be a URL such as postgres://user@host/database: {}", why);
}

std::string store_unreachable(std::string_view store, std::string_view why) {
  return fmt::format("cannot connect to the store at {}: {}", store, why);
}

std::string store_lost(std::string_view why) {
  return fmt::format("the connection to the store's database is lost: {}", why);
}

std::string store_refused(std::string_view why) {
  return fmt::format("the store's database refused a statement: {}", why);
}

std::string newer_store(int format, int newest) {
  return fmt::format(
      "the store was written by a newer Magneto (format {}, this one knows {}); use that version or another database",
      format, newest);
}

std::string too_many_snapshots(int limit) {
  return fmt::format(
      "the store has {} snapshots already, which forks and backups hold; end some of them first",
      limit);
}

std::string key_too_long(std::size_t bytes, std::size_t limit) {
  return fmt::format(
      "a key of {} encoded bytes does not fit into a store in PostgreSQL, which takes {}", bytes,
      limit);
}

std::string store_in_use_by_one(std::string_view address) {
  return fmt::format(
      "the store is in use by a server without --shared, at {}: end it and the servers that wait, or leave --shared out",
      address);
}

std::string store_in_use_by_group(std::string_view address) {
  return fmt::format(
      "the store is in use by servers with --shared, such as the one at {}: end them, or start this one with --shared too",
      address);
}

std::string clock_differs(double seconds) {
  return fmt::format(
      "the clock of this machine differs from that of the store's database by {:.1f} seconds",
      seconds);
}

std::string clock_refused(double seconds, std::int64_t limit) {
  return fmt::format(
      "the clock of this machine differs from that of the store's database by {:.1f} seconds: --shared allows {}",
      seconds, limit);
}

std::string too_many_servers(std::size_t limit) {
  return fmt::format("the store is in use by {} servers already, which is the limit", limit);
}

}  // namespace magneto::storage::messages
