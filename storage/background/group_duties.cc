#include "storage/background/group_duties.h"

#include <chrono>
#include <stop_token>
#include <utility>

namespace magneto::storage {
namespace {

constexpr std::chrono::seconds kTick{1};
constexpr int kTicksOfARefresh = 10;  // of statistics that nobody asks for

}  // namespace

GroupDuties::GroupDuties(const Parts& parts, std::function<void()> take_over_databases)
    : parts_(parts),
      take_over_databases_(std::move(take_over_databases)),
      task_(parts.timers, [this](const std::stop_token&) {
        task_.due_after(kTick);
        tick();
      }) {}

void GroupDuties::begin() {
  parts_.group.on_announced([this](std::span<const std::string> keys) { take_over(keys); });
  // Before clients are served: a change of theirs could be taken for one that was left undone.
  if (parts_.group.is_leader()) {
    parts_.lifecycle.resume();
  } else {
    parts_.group.on_leading([this] { resume_later(); });
  }
  task_.due_after(kTick);
}

// Without keys, a server has ended, and may have left work undone.
void GroupDuties::take_over(std::span<const std::string> keys) {
  take_over_databases_();
  parts_.catalog.take_over(keys);
  if (keys.empty() && parts_.group.is_leader()) resume_later();
}

void GroupDuties::resume_later() {
  parts_.jobs.post([this](const std::stop_token&) { parts_.lifecycle.resume(); });
}

void GroupDuties::tick() {
  if (++ticks_ % kTicksOfARefresh == 0) parts_.statistics.refresh();
  if (!parts_.group.is_leader()) return;
  parts_.expiry_timer.note(0);
  parts_.tokens.sweep();
}

}  // namespace magneto::storage
