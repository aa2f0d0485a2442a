#include "server/tools/copy/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "server/system/counted.h"

namespace magneto::server::tools::messages {

std::string other_time_to_live(std::string_view table, std::string_view target,
                               std::string_view source) {
  return fmt::format("table {} has its time to live in {} at the target, at the source in {}",
                     table, target, source.empty() ? "nothing" : source);
}

std::string other_stream(std::string_view table, std::string_view target, std::string_view source) {
  return fmt::format("table {} has a stream of {} at the target, at the source of {}", table,
                     target, source.empty() ? "nothing" : source);
}

std::string too_slow(double limit, double hours, std::string_view flag, double enough) {
  return fmt::format(
      "at {:.0f} units a second the items take {:.0f} hours at least, and changes made meanwhile are in the source's streams for a day: {} {:.0f} or more would do, or some of the tables at a time (--only)",
      limit, hours, flag, enough);
}

std::string follow_progress(std::uint64_t changes, double per_second, bool is_caught_up) {
  return fmt::format("{}: {} applied, {:.0f} a second", is_caught_up ? "following" : "catching up",
                     system::counted(changes, "change"), per_second);
}

std::string caught_up(std::uint64_t changes) {
  return fmt::format("caught up with the source; {} applied", system::counted(changes, "change"));
}

std::string followed(std::uint64_t changes) {
  return fmt::format("asked to end: {} {} applied, the last ones perhaps not",
                     system::counted(changes, "change"), system::were(changes));
}

std::string limited(std::string_view endpoint, double units, std::string_view flag) {
  return fmt::format(
      "at most {:.0f} units a second of {} are used; {} says otherwise, 0 for no limit", units,
      endpoint, flag);
}

std::string copy_progress(std::string_view table, std::size_t number, std::size_t tables,
                          std::optional<double> share, std::uint64_t items, double per_second) {
  constexpr std::size_t kBarLength = 20;
  std::string bar;
  if (share) {
    // On AWS the counts are hours old.
    const double done = std::min(*share, 0.99);
    bar.assign(kBarLength, '-');
    std::fill_n(bar.begin(), static_cast<std::size_t>(done * kBarLength), '#');
    bar = fmt::format(" [{}] {:.0f} %", bar, std::floor(done * 100));
  }
  return fmt::format("table {} ({} of {}){}: {}, {:.0f} a second", table, number, tables, bar,
                     system::counted(items, "item"), per_second);
}

std::string table_copied(std::string_view table, std::uint64_t items, std::string_view digest) {
  return fmt::format("table {}: {} read and written, digest {}", table,
                     system::counted(items, "item"), digest);
}

std::string table_was_copied(std::string_view table, std::uint64_t items) {
  return fmt::format("table {}: its {} {} copied before", table, system::counted(items, "item"),
                     system::were(items));
}

std::string digest_differs(std::string_view table, std::uint64_t read, std::uint64_t written) {
  return fmt::format("the digests of table {} differ: {} {} read, {} written", table,
                     system::counted(read, "item"), system::were(read), written);
}

std::string table_verified(std::string_view table, std::uint64_t items, std::string_view digest) {
  return fmt::format("table {}: the target has the same {}, digest {}", table,
                     system::counted(items, "item"), digest);
}

std::string table_differs(std::string_view table, std::uint64_t source, std::uint64_t target) {
  return fmt::format("table {} is not the same: {} at the source, {} at the target", table,
                     system::counted(source, "item"), target);
}

std::string copy_done(std::size_t tables, std::uint64_t items, double seconds) {
  return fmt::format("{} with {} {} copied; this run took {:.1f} s",
                     system::counted(tables, "table"), system::counted(items, "item"),
                     tables == 1 ? "is" : "are", seconds);
}

std::string copy_stopped(std::string_view why, std::size_t tables_done, std::size_t tables,
                         std::uint64_t items) {
  return fmt::format("{}\nThe copy stopped: {} of {} done, {} written", why, tables_done,
                     system::counted(tables, "table"), system::counted(items, "item"));
}

}  // namespace magneto::server::tools::messages
