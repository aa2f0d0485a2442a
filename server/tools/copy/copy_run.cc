#include "server/tools/copy/copy_run.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "server/tools/copy/copy_plan.h"
#include "server/tools/copy/messages.h"
#include "server/tools/copy/state_keeper.h"
#include "server/tools/copy/stream_follower.h"
#include "server/tools/copy/stream_positions.h"
#include "server/tools/copy/table_copy.h"
#include "server/tools/copy/table_setup.h"
#include "server/tools/copy/table_verification.h"

namespace magneto::server::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kCheckPeriod{30'000};  // for each followed table

std::string lines_of(const std::vector<std::string>& sentences) {
  std::string lines;
  for (const std::string& sentence : sentences) lines += (lines.empty() ? "  " : "\n  ") + sentence;
  return lines;
}

class CopyRun {
 public:
  CopyRun(const CopyOptions& options, client::Endpoint& source, client::Endpoint& target,
          const std::atomic<bool>& stop, bulk::ProgressLine& progress)
      : options_(options),
        progress_(progress),
        states_(options.state_file),
        read_limit_(options.read_limit),
        target_read_limit_(options.target_read_limit),
        write_limit_(options.write_limit),
        source_(source),
        target_(target),
        context_{options,      source,          target, states_, read_limit_, target_read_limit_,
                 write_limit_, StopSignal(stop)} {
    for (client::Endpoint* const endpoint : {&source, &target}) {
      endpoint->stop_when([signal = context_.stop] { return signal.is_set(); });
    }
  }

  int run() {
    try {
      plan();
      if (options_.dry_run) return tell_plan();
      check_plan();
      begin();
      return copy();
    } catch (const std::exception& error) {
      const bool is_asked = is_asked_for(error);
      tell_stop(is_asked ? messages::kAsked : error.what());
      return is_asked ? kCopyStopped : kCopyFailed;
    }
  }

 private:
  // ---- before anything is changed --------------------------------------------------------------

  void plan() {
    if (states_.is_resumed()) {
      check_state();
      progress_.print(messages::kGoingOn(options_.state_file));
    }
    plans_ = plan_copy(options_, source_, target_, states_,
                       [this](const std::string& what) { progress_.print(what); });
    time_problem_ = problem_of_time(options_, plans_);
  }

  void check_state() const {
    const CopyState state = states_.state();
    const auto check = [&](const std::string& now, const std::string& then, std::string_view what) {
      if (now == then) return;
      throw std::runtime_error(messages::kOtherCopy(options_.state_file, what));
    };
    check(context_.source.name(), state.from, "--from");
    check(context_.target.name(), state.to, "--to");
    check(settings_of(options_), state.settings, "--only, --filter or --follow");
  }

  void check_plan() const {
    std::vector<std::string> all;
    for (const TablePlan& plan : plans_) {
      all.insert(all.end(), plan.problems.begin(), plan.problems.end());
    }
    if (!time_problem_.empty()) all.push_back(time_problem_);
    const std::string problems = lines_of(all);
    if (!problems.empty()) throw std::runtime_error(messages::kNotBegun(problems));
  }

  int tell_plan() {
    bool possible = time_problem_.empty();
    if (!possible) progress_.print_problem(time_problem_);
    for (const TablePlan& plan : plans_) {
      const std::string& name = plan.source.name;
      possible &= plan.problems.empty();
      const std::string_view what = !plan.problems.empty() ? messages::kWouldNot
                                    : plan.is_begun        ? messages::kWouldGoOn
                                    : plan.create.empty()  ? messages::kWouldFill
                                                           : messages::kWouldMake;
      progress_.print(messages::kWouldCopy(name, what, plan.source.items, plan.source.bytes));
      for (const std::string& problem : plan.problems) progress_.print("  " + problem);
      const auto tell = [&](bool is_so, const std::string& added) {
        if (is_so) progress_.print(messages::kWouldAdd(added));
      };
      if (plan.wants_stream && options_.enable_stream) {
        progress_.print(messages::kWouldEnableStream(name));
      }
      tell(!plan.source.time_to_live.empty(), messages::kTimeToLiveBy(plan.source.time_to_live));
      tell(!plan.source.stream_view.empty(), messages::kStreamOf(plan.source.stream_view));
      tell(plan.source.is_protected, std::string(messages::kProtection));
    }
    return possible ? kCopyDone : kCopyFailed;
  }

  // ---- the copy --------------------------------------------------------------------------------

  // From here on, the state file says which tables belong to this copy.
  void begin() {
    begun_ = true;
    states_.change([&](CopyState& state) {
      state.from = context_.source.name();
      state.to = context_.target.name();
      state.settings = settings_of(options_);
      for (const TablePlan& plan : plans_) {
        if (plan.is_begun) continue;
        TableState& table = state.tables[plan.source.name];
        table.source_id = plan.source.id;
        table.stream_view = plan.source.stream_view;
        table.segments.resize(options_.segments);
      }
    });
    states_.save();
  }

  int copy() {
    for (const TablePlan& plan : plans_) make_table(plan);
    if (options_.follow) take_positions();
    for (const TablePlan& plan : plans_) {
      ++number_;
      copy_table(plan);
    }
    if (options_.follow) follow(true);
    // Verify before the target itself removes expired items.
    const bool equal = !options_.verify || verify();
    for (const TablePlan& plan : plans_) finish(plan);
    for (const TablePlan& plan : plans_) check_target(plan.source.name);
    if (options_.follow && !options_.until_caught_up) return follow_on();
    progress_.print(messages::copy_done(plans_.size(), items_written(), seconds()));
    return equal ? kCopyDone : kCopyDiffers;
  }

  void make_table(const TablePlan& plan) {
    const std::string& name = plan.source.name;
    if (states_.table(name).is_made) return;
    const bool is_new = !plan.create.empty() &&
                        create_table(target_, name, plan.create, context_.stop,
                                     [this](const std::string& what) { progress_.print(what); });
    wait_until_active(target_, name, context_.stop);
    const auto made = describe_table(target_, name);
    if (!made) throw std::runtime_error(messages::kTableVanished(name, context_.target.name()));
    // Another client may have created or filled the table since the check.
    const std::string problems =
        is_new ? std::string() : lines_of(problems_of_existing(plan.source, *made, target_));
    if (!problems.empty()) throw std::runtime_error(messages::kTakenMeanwhile(name, problems));
    states_.change_table(name, [&](TableState& state) {
      state.target_id = made->id;
      state.is_made = true;
    });
    states_.save();
  }

  void take_positions() {
    for (const TablePlan& plan : plans_) {
      const std::string& name = plan.source.name;
      std::string arn = plan.source.stream_arn;
      if (plan.wants_stream) {
        enable_stream(source_, name, "NEW_AND_OLD_IMAGES", context_.stop);
        const auto now = describe_table(source_, name);
        if (!now) throw std::runtime_error(messages::kTableVanished(name, context_.source.name()));
        arn = now->stream_arn;
      }
      positions_.take(name, arn);
      followed_.push_back({.name = name, .stream_arn = arn, .keys = plan.source.keys});
    }
    states_.save();
  }

  // nullopt if unknown.
  std::optional<double> share_of(const TablePlan& plan) const {
    if (plan.source.items <= 0 || !options_.filter.expression.empty()) return std::nullopt;
    const auto written = static_cast<double>(states_.table(plan.source.name).written().count());
    return written / static_cast<double>(plan.source.items);
  }

  void copy_table(const TablePlan& plan) {
    const std::string& name = plan.source.name;
    if (const TableState before = states_.table(name); before.is_scanned()) {
      progress_.print(messages::table_was_copied(name, before.written().count()));
      return;
    }
    copied_ = 0;
    const auto start = Clock::now();
    copy_items(context_, name, copied_, [&] {
      context_.stop.check();
      positions_.hold();
      states_.save_if_due();
      if (!progress_.is_due()) return;
      const double time = std::chrono::duration<double>(Clock::now() - start).count();
      progress_.update(
          messages::copy_progress(name, number_, plans_.size(), share_of(plan), copied_,
                                  static_cast<double>(copied_) / std::max(time, 0.001)));
    });
    states_.save();
    const TableState done = states_.table(name);
    check_same(source_, name, done.source_id);
    check_target(name);
    if (done.read() != done.written()) {
      throw std::runtime_error(
          messages::digest_differs(name, done.read().count(), done.written().count()));
    }
    progress_.print(messages::table_copied(name, done.read().count(), done.read().text()));
  }

  // A different table may have the same name by now, without the copied items.
  static void check_same(client::EndpointCalls& side, const std::string& name,
                         const std::string& id) {
    if (id.empty() || table_id(side, name) == id) return;
    throw std::runtime_error(messages::kTableReplaced(name, side.endpoint().name()));
  }
  void check_target(const std::string& name) {
    check_same(target_, name, states_.table(name).target_id);
  }

  // Checks one target at each call and all in turn, from time to time while changes are applied.
  void check_in_turn() {
    const auto now = Clock::now();
    if (now < check_due_) return;
    check_target(plans_[next_check_].source.name);
    next_check_ = (next_check_ + 1) % plans_.size();
    check_due_ = now + kCheckPeriod / plans_.size();
  }

  // Applies changes until there are none at the moment, or until the user stops it.
  void follow(bool until_caught_up) {
    if (!follower_) follower_.emplace(context_, source_, positions_, followed_);
    const auto start = Clock::now();
    const std::uint64_t before = follower_->changes();
    follower_->run(until_caught_up, [&] {
      states_.save_if_due();
      check_in_turn();
      if (!progress_.is_due()) return;
      const double time = std::chrono::duration<double>(Clock::now() - start).count();
      const auto changes = static_cast<double>(follower_->changes() - before);
      progress_.update(messages::follow_progress(
          follower_->changes(), changes / std::max(time, 0.001), !until_caught_up));
    });
    states_.save();
    progress_.print(messages::caught_up(follower_->changes()));
  }

  int follow_on() {
    try {
      follow(false);
    } catch (const std::exception& error) {
      if (!is_asked_for(error)) throw;
      states_.save();
      progress_.print(messages::followed(follower_->changes()));
    }
    return kCopyDone;
  }

  void finish(const TablePlan& plan) {
    const std::string& name = plan.source.name;
    const TableState state = states_.table(name);
    if (state.is_set_up) return;
    check_target(name);
    finish_table(target_, plan.source, state.stream_view, context_.stop);
    states_.change_table(name, [](TableState& table) { table.is_set_up = true; });
    states_.save();
  }

  bool verify() {
    bool equal = true;
    for (const TablePlan& plan : plans_) {
      const std::string& name = plan.source.name;
      const Verification result = verify_table(context_, name, plan.source.keys, [&] {
        context_.stop.check();
        if (progress_.is_due()) progress_.update(messages::kVerifyProgress(name));
      });
      if (result.is_equal) {
        progress_.print(
            messages::table_verified(name, result.target.count(), result.target.text()));
        continue;
      }
      equal = false;
      progress_.print_problem(
          messages::table_differs(name, result.source.count(), result.target.count()));
      for (const std::string& difference : result.differences) progress_.print(difference);
      if (result.differences.empty()) progress_.print(messages::kNoDifferenceFound);
      if (!plan.source.time_to_live.empty()) progress_.print(messages::kMayHaveExpired);
    }
    return equal;
  }

  // If the user stops the copy, a call that is not repeated fails like any other.
  bool is_asked_for(const std::exception& error) const {
    if (!context_.stop.is_set()) return false;
    return dynamic_cast<const Stopped*>(&error) != nullptr ||
           dynamic_cast<const client::CallGivenUp*>(&error) != nullptr;
  }

  // ---- results
  // -----------------------------------------------------------------------------------

  std::uint64_t items_written() const {
    std::uint64_t items = 0;
    for (const auto& [name, table] : states_.state().tables) items += table.written().count();
    return items;
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void tell_stop(std::string_view why) {
    if (!begun_) {
      progress_.print_problem(why);
      return;
    }
    const CopyState state = states_.state();
    const auto done = std::ranges::count_if(
        state.tables, [](const auto& table) { return table.second.is_set_up; });
    progress_.print_problem(messages::copy_stopped(why, static_cast<std::size_t>(done),
                                                   state.tables.size(), items_written()));
    if (!states_.has_file()) {
      progress_.print(messages::kCannotGoOn);
      return;
    }
    try {
      states_.save();
      progress_.print(messages::kCanGoOn(options_.state_file));
    } catch (const std::exception& error) {
      progress_.print_problem(error.what());
    }
  }

  const CopyOptions& options_;
  bulk::ProgressLine& progress_;
  StateKeeper states_;
  UnitLimit read_limit_;
  UnitLimit target_read_limit_;
  UnitLimit write_limit_;
  client::EndpointCalls source_;
  client::EndpointCalls target_;
  const CopyContext context_;
  StreamPositions positions_{context_, source_};
  std::vector<FollowedTable> followed_;
  std::optional<CopyFollower> follower_;
  std::vector<TablePlan> plans_;
  std::string time_problem_;  // about all tables together; empty: none
  bool begun_ = false;
  std::size_t number_ = 0;  // of the table that is being copied, from 1
  std::atomic<std::uint64_t> copied_{0};
  std::size_t next_check_ = 0;  // in plans_
  Clock::time_point check_due_{};
  const Clock::time_point start_ = Clock::now();
};

}  // namespace

int run_copy(const CopyOptions& options, client::Endpoint& source, client::Endpoint& target,
             const std::atomic<bool>& stop, bulk::ProgressLine& progress) {
  return CopyRun(options, source, target, stop, progress).run();
}

}  // namespace magneto::server::tools
