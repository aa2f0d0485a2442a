#include "server/tools/schema/messages.h"

#include <fmt/format.h>

#include "server/system/counted.h"

namespace magneto::server::tools::schema::messages {
namespace {

// So much of a text of the file as a message shows.
std::string shortened(std::string_view text) {
  constexpr std::size_t kLimit = 200;
  return text.size() <= kLimit ? std::string(text) : std::string(text.substr(0, kLimit)) + "...";
}

// The first of some names.
std::string listed(std::span<const std::string> names) {
  constexpr std::size_t kLimit = 20;
  if (names.size() <= kLimit) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.first(kLimit), ", "), names.size() - kLimit);
}

}  // namespace

std::string unsupported(std::string_view name) {
  return fmt::format("{} is not supported, and left out", shortened(name));
}

std::string unknown_member(std::string_view name, std::string_view nearest) {
  return fmt::format("unknown member {}; did you mean {}?", shortened(name), nearest);
}

std::string unknown_type(std::string_view name, std::string_view nearest) {
  return fmt::format("unknown type {}; did you mean {}?", shortened(name), nearest);
}

std::string only_replica(std::string_view region) {
  return fmt::format("of the replicas, only that of {} is made", shortened(region));
}

std::string not_looked_at(std::string_view name) {
  return fmt::format("{} is not looked at", shortened(name));
}

std::string nested_stack(std::string_view name) {
  return fmt::format("the nested stack {} is not followed: give its template with --schema too",
                     shortened(name));
}

std::string too_few(std::string_view function, std::size_t count) {
  return fmt::format("{} needs a list of {} values", shortened(function), count);
}

std::string no_text(std::string_view what) { return fmt::format("{} is no text", shortened(what)); }

std::string no_such_name(std::string_view name) {
  return fmt::format("Ref {}: there is neither a parameter nor a resource of that name",
                     shortened(name));
}

std::string sub_no_text(std::string_view name) {
  return fmt::format("${{{}}} in Fn::Sub is no text", shortened(name));
}

std::string nothing_in_map(std::string_view map, std::string_view first, std::string_view second) {
  return fmt::format("Fn::FindInMap finds nothing under {}, {}, {}", shortened(map),
                     shortened(first), shortened(second));
}

std::string no_such_value(std::string_view index) {
  return fmt::format("Fn::Select has no value number {}", shortened(index));
}

std::string no_such_condition(std::string_view name) {
  return fmt::format("there is no condition {}", shortened(name));
}

std::string unresolved(std::string_view what) {
  return fmt::format("{} cannot be resolved here: write its value into the file", shortened(what));
}

std::string dynamic_reference(std::string_view text) {
  return fmt::format(
      "the dynamic reference {} cannot be resolved here: write its value into the file",
      shortened(text));
}

std::string needs_parameter(std::string_view name, std::string_view why) {
  return fmt::format("the parameter {0} {1}: give it with --schema-parameter {0}=VALUE",
                     shortened(name), why);
}

std::string ref_known_to_aws(std::string_view name) {
  return fmt::format(
      "Ref {0} is known to AWS alone: give its value with --schema-parameter {0}=VALUE",
      shortened(name));
}

std::string attribute_known_to_aws(std::string_view name) {
  return fmt::format(
      "Fn::GetAtt {0} is known to AWS alone: give its value with --schema-parameter {0}=VALUE",
      shortened(name));
}

std::string loop(std::string_view text) {
  return fmt::format("a variable refers to itself: {}", shortened(text));
}

std::string open_variable(std::string_view text) {
  return fmt::format("a ${{ has no }} in {}", shortened(text));
}

std::string variable_no_text(std::string_view name) {
  return fmt::format("${{{}}} is no text, and stands in one", shortened(name));
}

std::string variable_without_value(std::string_view name) {
  return fmt::format("${{{}}} has no value, and no fallback", shortened(name));
}

std::string unknown_variable(std::string_view name) {
  return fmt::format(
      "${{{0}}} cannot be resolved here: give the output of `serverless print`, or --schema-parameter '{0}=VALUE'",
      shortened(name));
}

std::string passed_over(std::string_view why) { return fmt::format("{}; passed over", why); }

std::string twice(std::string_view name) {
  return fmt::format("{} is there twice", shortened(name));
}

std::string no_yaml(std::string_view why) { return fmt::format("this is no YAML: {}", why); }

std::string no_json(std::string_view why) {
  return fmt::format("this is no JSON, and as YAML it cannot be read either: {}", why);
}

std::string unreadable(std::string_view why) {
  return fmt::format("the file cannot be read ({})", why);
}

std::string unreadable_folder(std::string_view why) {
  return fmt::format("the folder cannot be read ({})", why);
}

std::string unsupported_in(std::string_view name, std::string_view address) {
  return fmt::format("{} of {} is not supported, and left out", name, shortened(address));
}

std::string terraform_name_unknown(std::string_view address) {
  return fmt::format(
      "the name of {} is known after it is applied only: give the state instead of the plan, or write the name into the configuration",
      shortened(address));
}

std::string terraform_owner_unknown(std::string_view address) {
  return fmt::format(
      "the table of {} is known after it is applied only, so this is left out: give the state instead of the plan, or write the table's name into the configuration",
      shortened(address));
}

std::string terraform_owner_missing(std::string_view address, std::string_view table) {
  return fmt::format("{} is left out: the file has no table {}", shortened(address),
                     shortened(table));
}

std::string terraform_item_no_json(std::string_view address) {
  return fmt::format("the item of {} is no JSON object", shortened(address));
}

std::string terraform_version(std::string_view version) {
  return fmt::format(
      "a state of version {} is not read, but one of version 4: Terraform 0.12 and later write it",
      shortened(version));
}

std::string table_twice(std::string_view table, std::string_view place) {
  return fmt::format("there is a table {} in {} too", table, place);
}

std::string unused_parameter(std::string_view name) {
  return fmt::format("--schema-parameter {}: no file asks for it", shortened(name));
}

std::string table_refused(std::string_view place, std::string_view table,
                          std::string_view operation, std::string_view why) {
  return fmt::format("{}: table {} is refused by {}: {}", place, table, operation, why);
}

std::string item_refused(std::string_view place, std::string_view table, std::string_view operation,
                         std::string_view why) {
  return fmt::format("{}: an item for table {} is refused by {}: {}", place, table, operation, why);
}

std::string difference(std::string_view setting, std::string_view store, std::string_view file) {
  return fmt::format("{} is {}, in the file {}", setting, store, file);
}

std::string not_made(std::string_view why, std::span<const std::string> left) {
  return fmt::format(
      "the tables of --schema cannot be made: {}{}", why,
      left.empty() ? ""
                   : fmt::format("\nThese could not be deleted again; the next start does it: {}",
                                 listed(left)));
}

std::string note_not_written(std::string_view path, std::string_view why) {
  return fmt::format(
      "cannot write {}, where the tables that --schema makes are noted ({}); make room, or make it writable",
      path, why);
}

std::string wrong_region(std::string_view given) {
  return fmt::format("the parameter AWS::Region is no region: '{}'", shortened(given));
}

std::string region_of_another(std::string_view owner, std::string_view region) {
  return fmt::format(
      "this is for {1}, and with --isolate region its tables would be those of {0}: give --schema-parameter AWS::Region={1}",
      owner, shortened(region));
}

std::string note_unreadable(std::string_view path) {
  return fmt::format("cannot read {}, which says which tables an earlier start made in part", path);
}

std::string parts_removed(std::span<const std::string> tables) {
  return fmt::format(
      "an earlier start was ended while it made tables of --schema; what there was of them is deleted: {}",
      listed(tables));
}

std::string part_not_removed(std::string_view table, std::string_view why) {
  return fmt::format(
      "an earlier start was ended while it made table {} of --schema, and what there is of it cannot be deleted: {}",
      table, why);
}

std::string filled_so_far(std::size_t done, std::size_t items, std::string_view table) {
  return fmt::format("Put {} of {} of --schema into table {}", done, system::counted(items, "item"),
                     table);
}

std::string in_file(std::string_view file, std::uint32_t line, std::string_view what) {
  if (line == 0) return fmt::format("{}: {}", file, what);
  return fmt::format("{}:{}: {}", file, line, what);
}

std::string tables_differ(std::string_view tables, std::size_t left_out) {
  return fmt::format(
      "the store has tables that are not what --schema says, and nothing was changed:{}{}\n  Change or delete these tables, or start without --schema.",
      tables, left_out == 0 ? "" : fmt::format("\n    and {} more", left_out));
}

std::string differing_table(std::string_view table, std::string_view place) {
  return fmt::format("\n  table {} of {}:", table, place);
}

std::string tables_of_files(std::span<const std::string> files, std::span<const std::string> tables,
                            std::size_t made) {
  constexpr std::size_t kLongestList = 300;  // bytes
  std::string names;
  std::size_t shown = 0;
  for (; shown < tables.size(); ++shown) {
    if (shown > 0 && names.size() + tables[shown].size() > kLongestList) break;
    names += (shown == 0 ? "" : ", ") + tables[shown];
  }
  if (shown < tables.size()) names += fmt::format(" and {} more", tables.size() - shown);
  const std::size_t old = tables.size() - made;
  return fmt::format(
      "{} from {}{}{}{}", system::counted(tables.size(), "table"),
      files.size() == 1 ? shortened(files.front()) : system::counted(files.size(), "file"),
      old == 0 ? "" : fmt::format(" ({} {} there already)", old, system::were(old)),
      tables.empty() ? "" : ": ", names);
}

}  // namespace magneto::server::tools::schema::messages
