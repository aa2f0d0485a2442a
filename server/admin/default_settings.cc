#include "server/admin/default_settings.h"

#include <optional>
#include <utility>

#include "api/control_error.h"
#include "api/faults/fault_rule_json.h"
#include "api/journal/journal_json.h"
#include "api/json/json_writer.h"
#include "server/admin/control_members.h"
#include "server/admin/messages.h"
#include "server/admin/setting_changes.h"
#include "storage/databases.h"

namespace magneto::server::admin {
namespace {

// Changes `settings`. With `databases` nullptr, only checks the members and changes `settings`.
void apply_settings(api::ControlSettings& settings, storage::Databases* databases,
                    api::json::Object wanted) {
  if (const auto clock = object_member(wanted, "clock")) {
    check_members(*clock, kClockMembers);
    change_clock(settings.clock, *clock);
  }
  if (const auto consistency = object_member(wanted, "consistency")) {
    check_members(*consistency, kConsistencyMembers);
    change_consistency(databases, *consistency);
  }
  if (const auto journal = object_member(wanted, "journal")) {
    check_members(*journal, api::kJournalSettings);
    settings.journal.change(api::read_journal_settings(*journal, settings.journal.settings()));
  }
  const api::json::Value rules = wanted.find("faults");
  if (!rules) return;
  if (!rules.is_array())
    throw api::ControlError(messages::kWrongKind("faults", messages::kAListOfRules));
  for (const api::json::Value rule : rules.array()) {
    if (!rule.is_object())
      throw api::ControlError(messages::kWrongKind("faults", messages::kAListOfRules));
    check_members(rule.object(), api::fault_rule_members());
    settings.faults.add(api::read_fault_rule(rule.object()));
  }
}

}  // namespace

void DefaultSettings::set(api::json::Object wanted) {
  api::ControlSettings tried("");
  apply_settings(tried, nullptr, wanted);
  std::string text;
  api::json::Writer writer(text);
  writer.begin_object();
  for (const api::json::Member member : wanted) {
    writer.key(member.name);
    api::json::append_compact(member.value, writer.raw());
  }
  writer.end_object();
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
}

void DefaultSettings::clear() {
  const std::lock_guard lock(mutex_);
  text_.clear();
}

std::string DefaultSettings::text() const {
  const std::lock_guard lock(mutex_);
  return text_;
}

void DefaultSettings::apply(api::Namespace& made) const {
  std::string wanted = text();
  if (wanted.empty()) return;
  api::json::Document document;
  apply_settings(*made.settings(), &made.databases(), document.parse(wanted)->object());
}

void DefaultSettings::write(api::json::Writer& answer) const {
  const std::string wanted = text();
  answer.raw() += wanted.empty() ? "{}" : wanted;
}

}  // namespace magneto::server::admin
