#include "server/tools/copy/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "server/system/counted.h"

namespace magneto::server::tools::messages {

std::string no_copy_endpoint(std::string_view flag) {
  return fmt::format("give an endpoint with {}, or Magneto's files with {}-data-dir", flag, flag);
}

std::string no_json_object(std::string_view flag) {
  return fmt::format("{} must be a JSON object", flag);
}

std::string same_directory(std::string_view directory) {
  return fmt::format("source and target are both {}", directory);
}

std::string same_endpoint(std::string_view source, std::string_view target,
                          std::string_view table) {
  return fmt::format("{} and {} are the same: table {} is one table at both", source, target,
                     table);
}

std::string state_in_use(std::string_view path) {
  return fmt::format("another copy that runs has the state file {}", path);
}

std::string no_state_file(std::string_view path) {
  return fmt::format("{} is no state file of a copy; it is left as it is", path);
}

std::string other_copy(std::string_view path, std::string_view what) {
  return fmt::format(
      "{} is the state of another copy: {} is not the same; give that copy's flags, or another file",
      path, what);
}

std::string no_tables(std::string_view endpoint) {
  return fmt::format(
      "{} has no tables to copy; some servers keep those of each access key and region apart",
      endpoint);
}

std::string no_table_name(std::string_view endpoint) {
  return fmt::format("{} lists a table whose name DynamoDB does not allow", endpoint);
}

std::string no_table_matches(std::string_view endpoint, std::string_view pattern) {
  return fmt::format("no table of {} is called {}", endpoint, pattern);
}

std::string no_description(std::string_view table) {
  return fmt::format("the description of table {} cannot be understood", table);
}

std::string left_out_of_table(std::string_view table, std::string_view what) {
  return fmt::format("table {} loses a setting: {}", table, what);
}

std::string table_vanished(std::string_view table, std::string_view endpoint) {
  return fmt::format("table {} of {} is gone", table, endpoint);
}

std::string table_not_active(std::string_view table, std::string_view status) {
  return fmt::format("table {} is {} at the source", table, status);
}

std::string table_difference(std::string_view setting, std::string_view source,
                             std::string_view target) {
  return fmt::format("{} is {}, at the target {}", setting, source, target);
}

std::string differing_target(std::string_view table, std::string_view difference) {
  return fmt::format("table {} differs: {}", table, difference);
}

std::string other_time_to_live(std::string_view table, std::string_view target,
                               std::string_view source) {
  return fmt::format("table {} has its time to live in {} at the target, at the source in {}",
                     table, target, source.empty() ? "nothing" : source);
}

std::string other_stream(std::string_view table, std::string_view target, std::string_view source) {
  return fmt::format("table {} has a stream of {} at the target, at the source of {}", table,
                     target, source.empty() ? "nothing" : source);
}

std::string target_not_empty(std::string_view table, std::string_view endpoint) {
  return fmt::format("table {} of {} has items already", table, endpoint);
}

std::string other_source(std::string_view table) {
  return fmt::format("table {} of the source is not the one that the state file knows", table);
}

std::string other_target(std::string_view table) {
  return fmt::format("table {} of the target is not the one that this copy began to fill", table);
}

std::string table_replaced(std::string_view table, std::string_view endpoint) {
  return fmt::format(
      "table {} of {} is no longer the one that this copy began with: it was deleted, made anew, or lost with a server that keeps tables in memory; the table must be copied anew, into an empty one and with another state file",
      table, endpoint);
}

std::string no_stream(std::string_view table) {
  return fmt::format(
      "table {} has no stream to follow; --enable-stream switches one on at the source, where it then stays",
      table);
}

std::string stream_without_images(std::string_view table, std::string_view view) {
  return fmt::format(
      "the stream of table {} has {}; to be followed it must have NEW_IMAGE or NEW_AND_OLD_IMAGES, for which it must be switched off and on",
      table, view);
}

std::string too_slow(double limit, double hours, std::string_view flag, double enough) {
  return fmt::format(
      "at {:.0f} units a second the items take {:.0f} hours at least, and changes made meanwhile are in the source's streams for a day: {} {:.0f} or more would do, or some of the tables at a time (--only)",
      limit, hours, flag, enough);
}

std::string taken_meanwhile(std::string_view table, std::string_view problems) {
  return fmt::format("somebody else made or changed table {} meanwhile:\n{}", table, problems);
}

std::string waits_for(std::string_view endpoint, std::string_view why) {
  return fmt::format("waiting, since {} takes no more for the moment: {}", endpoint, why);
}

std::string not_begun(std::string_view problems) {
  return fmt::format("nothing was changed, since not all tables can be copied:\n{}", problems);
}

std::string would_copy(std::string_view table, std::string_view what, std::int64_t items,
                       std::int64_t bytes) {
  return fmt::format("table {} {}: {} items of {} bytes, as the source last counted", table, what,
                     items, bytes);
}

std::string would_add(std::string_view what) { return fmt::format("  and then {}", what); }

std::string would_enable_stream(std::string_view table) {
  return fmt::format("  before that, table {} of the source would get a stream", table);
}

std::string time_to_live_by(std::string_view attribute) {
  return fmt::format("time to live by {}", attribute);
}

std::string stream_of(std::string_view view) { return fmt::format("a stream of {}", view); }

std::string changes_lost(std::string_view table) {
  return fmt::format(
      "changes of table {} are no longer in its stream, which keeps them for a day; the table must be copied anew, into an empty one and with another state file",
      table);
}

std::string other_stream_now(std::string_view table) {
  return fmt::format(
      "the stream of table {} is another one than when the copy began; the table must be copied anew, into an empty one and with another state file",
      table);
}

std::string stream_off(std::string_view table) {
  return fmt::format(
      "the stream of table {} was switched off; its changes up to then are applied, later ones are not known",
      table);
}

std::string no_stream_record(std::string_view table) {
  return fmt::format("the stream of table {} has a record without key or new image", table);
}

std::string follow_progress(std::uint64_t changes, double per_second, bool is_caught_up) {
  return fmt::format("{}: {} applied, {:.0f} a second", is_caught_up ? "following" : "catching up",
                     system::counted(changes, "change"), per_second);
}

std::string caught_up(std::uint64_t changes) {
  return fmt::format("caught up with the source, {} applied", system::counted(changes, "change"));
}

std::string followed(std::uint64_t changes) {
  return fmt::format("asked to end: {} {} applied, those that came last maybe not",
                     system::counted(changes, "change"), system::were(changes));
}

std::string going_on(std::string_view path) { return fmt::format("going on as {} says", path); }

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
    // Counts are hours old on AWS.
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

std::string verify_progress(std::string_view table) {
  return fmt::format("table {} is verified", table);
}

std::string table_verified(std::string_view table, std::uint64_t items, std::string_view digest) {
  return fmt::format("table {}: the target has the same {}, digest {}", table,
                     system::counted(items, "item"), digest);
}

std::string table_differs(std::string_view table, std::uint64_t source, std::uint64_t target) {
  return fmt::format("table {} is not the same: {} at the source, {} at the target", table,
                     system::counted(source, "item"), target);
}

std::string item_missing(std::string_view table, std::string_view key) {
  return fmt::format("  {}: the target does not have {}", table, key);
}

std::string item_too_many(std::string_view table, std::string_view key) {
  return fmt::format("  {}: the source does not have {}", table, key);
}

std::string item_differs(std::string_view table, std::string_view key) {
  return fmt::format("  {}: {} differs", table, key);
}

std::string verification_throttled(std::string_view endpoint) {
  return fmt::format("{} leaves keys of BatchGetItem unprocessed again and again", endpoint);
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

std::string can_go_on(std::string_view path) {
  return fmt::format("The same command with --state {} goes on from there", path);
}

std::string item_not_taken(std::string_view endpoint, std::string_view table, std::string_view item,
                           std::string_view why) {
  return fmt::format("{} does not take into table {} the item {}: {}", endpoint, table, item, why);
}

}  // namespace magneto::server::tools::messages
