#include "server/tools/copy/copy_plan.h"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "api/json/json_writer.h"
#include "server/tools/copy/messages.h"
#include "server/tools/copy/stream_source.h"

namespace magneto::server::tools {
namespace {

bool matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

std::vector<std::string> chosen_names(const CopyOptions& options, client::EndpointCalls& source) {
  std::vector<std::string> names = list_table_names(source);
  for (const std::string& pattern : options.only) {
    if (std::ranges::none_of(names, [&](const auto& name) { return matches(pattern, name); })) {
      throw std::runtime_error(messages::kNoTableMatches(source.endpoint().name(), pattern));
    }
  }
  if (!options.only.empty()) {
    std::erase_if(names, [&](const std::string& name) {
      return std::ranges::none_of(options.only,
                                  [&](const auto& pattern) { return matches(pattern, name); });
    });
  }
  if (names.empty()) throw std::runtime_error(messages::kNoTables(source.endpoint().name()));
  return names;
}

// Tries the filter before anything is changed, since only the endpoint can check it.
void try_filter(const CopyOptions& options, const std::string& table,
                client::EndpointCalls& source) {
  if (options.filter.expression.empty()) return;
  std::string body = bulk::scan_request({.table = table, .filter = options.filter}, 0, {});
  body.insert(1, R"("Limit":1,)");
  source.need("Scan", body);
}

class TablePlanner {
 public:
  TablePlanner(const CopyOptions& options, const client::Endpoint& from,
               client::EndpointCalls& target, const StateKeeper& states, const WarnOfCopy& warn)
      : options_(options), from_(from), target_(target), states_(states), warn_(warn) {}

  TablePlan plan(TableDescription source) {
    TablePlan plan;
    if (source.status != "ACTIVE" && source.status != "UPDATING") {
      plan.problems.push_back(messages::kTableNotActive(source.name, source.status));
    }
    const auto target = describe_table(target_, source.name);
    if (target) check_other(source, *target);
    const CopyState all = states_.state();
    const auto begun = all.tables.find(source.name);
    plan.is_begun = begun != all.tables.end();
    if (plan.is_begun) look_at_begun(source, target, begun->second, plan);
    const bool is_followed = plan.is_begun && !begun->second.stream_arn.empty();
    // A table that was created just before the process was killed is empty.
    if (target && !(plan.is_begun && begun->second.is_made)) {
      const auto existing = problems_of_existing(source, *target, target_);
      plan.problems.insert(plan.problems.end(), existing.begin(), existing.end());
    }
    if (!target) plan.create = create_request_of(source, warn_);
    if (is_followed && source.stream_arn != begun->second.stream_arn) {
      plan.problems.push_back(messages::kOtherStreamNow(source.name));
    } else {
      look_at_stream(source, plan);
    }
    plan.source = std::move(source);
    return plan;
  }

 private:
  // Names cannot decide this alone: a server may have several names, and one name may cover the
  // tables of several accounts.
  void check_other(const TableDescription& source, const TableDescription& target) const {
    const std::string& to = target_.endpoint().name();
    const bool is_same = source.id.empty() ? from_.name() == to : source.id == target.id;
    if (is_same) throw std::runtime_error(messages::kSameEndpoint(from_.name(), to, source.name));
  }

  static void look_at_begun(const TableDescription& source,
                            const std::optional<TableDescription>& target, const TableState& state,
                            TablePlan& plan) {
    if (state.source_id != source.id) {
      plan.problems.push_back(messages::kOtherSource(source.name));
    }
    const bool is_same = target && (state.target_id.empty() || state.target_id == target->id);
    if (state.is_made && !is_same) plan.problems.push_back(messages::kOtherTarget(source.name));
  }

  void look_at_stream(const TableDescription& source, TablePlan& plan) const {
    if (!options_.follow) return;
    if (source.stream_view.empty()) {
      plan.wants_stream = true;
      if (!options_.enable_stream) plan.problems.push_back(messages::kNoStream(source.name));
    } else if (!source.stream_view.starts_with("NEW_")) {
      plan.problems.push_back(messages::kStreamWithoutImages(source.name, source.stream_view));
    }
  }

  const CopyOptions& options_;
  const client::Endpoint& from_;
  client::EndpointCalls& target_;
  const StateKeeper& states_;
  const WarnOfCopy& warn_;
};

}  // namespace

std::vector<std::string> problems_of_existing(const TableDescription& source,
                                              const TableDescription& existing,
                                              client::EndpointCalls& target) {
  std::vector<std::string> problems;
  for (const std::string& difference : structural_differences(source, existing)) {
    problems.push_back(messages::kDifferingTarget(source.name, difference));
  }
  if (!existing.time_to_live.empty() && existing.time_to_live != source.time_to_live) {
    problems.push_back(
        messages::other_time_to_live(source.name, existing.time_to_live, source.time_to_live));
  }
  if (!existing.stream_view.empty() && existing.stream_view != source.stream_view) {
    problems.push_back(
        messages::other_stream(source.name, existing.stream_view, source.stream_view));
  }
  // A table that is still being created has no items and cannot be read.
  if (existing.status != "CREATING" && has_items(target, source.name)) {
    problems.push_back(messages::kTargetNotEmpty(source.name, target.endpoint().name()));
  }
  return problems;
}

std::string problem_of_time(const CopyOptions& options, const std::vector<TablePlan>& plans) {
  constexpr double kBytesOfWrite = 1024;
  constexpr double kBytesOfRead = 4096;  // consistent
  if (!options.follow) return {};
  double bytes = 0;
  double items = 0;
  for (const TablePlan& plan : plans) {
    if (plan.is_begun) return {};  // the number of remaining items is unknown
    bytes += static_cast<double>(plan.source.bytes);
    items += static_cast<double>(plan.source.items);
  }
  const auto problem = [](double units, double limit, std::string_view flag) {
    const bool is_late = limit > 0 && units / limit > static_cast<double>(kSafeSeconds);
    return is_late ? messages::too_slow(limit, units / limit / 3600, flag,
                                        std::ceil(units / static_cast<double>(kSafeSeconds)))
                   : std::string();
  };
  const double writes = std::max(bytes / kBytesOfWrite, items);
  const std::string writing = problem(writes, options.write_limit, "--write-limit");
  return writing.empty() ? problem(bytes / kBytesOfRead, options.read_limit, "--read-limit")
                         : writing;
}

std::vector<TablePlan> plan_copy(const CopyOptions& options, client::EndpointCalls& source,
                                 client::EndpointCalls& target, const StateKeeper& states,
                                 const WarnOfCopy& warn) {
  const std::vector<std::string> names = chosen_names(options, source);
  try_filter(options, names.front(), source);
  // Check that streams are supported before anything is created.
  if (options.follow && !source.call("ListStreams", R"({"Limit":1})")) source.fail("ListStreams");
  TablePlanner planner(options, source.endpoint(), target, states, warn);
  std::vector<TablePlan> plans;
  for (const std::string& name : names) {
    auto table = describe_table(source, name);
    if (!table) throw std::runtime_error(messages::kTableVanished(name, source.endpoint().name()));
    plans.push_back(planner.plan(std::move(*table)));
  }
  return plans;
}

std::string settings_of(const CopyOptions& options) {
  std::string text;
  api::json::Writer writer(text);
  writer.begin_object();
  writer.key("only");
  writer.begin_array();
  for (const std::string& pattern : options.only) writer.string(pattern);
  writer.end_array();
  writer.text("filter", options.filter.expression);
  writer.text("names", options.filter.names);
  writer.text("values", options.filter.values);
  writer.key("follow");
  writer.boolean(options.follow);
  writer.end_object();
  return text;
}

}  // namespace magneto::server::tools
