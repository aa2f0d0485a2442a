#include "server/tools/dynamodb_local/table_import.h"

#include <optional>
#include <utility>

#include "server/bulk/item_batch.h"
#include "server/tools/dynamodb_local/dynamodb_local_requests.h"
#include "server/tools/dynamodb_local/messages.h"

namespace magneto::server::tools {
namespace {

using api::json::Document;
using api::json::Value;

constexpr std::chrono::seconds kProgressTime{2};

}  // namespace

// Requests contain the items unchanged, so each item must be a JSON object by itself.
void TableImport::check() {
  Document document;
  std::string text = table_->info;
  const std::optional<Value> info = document.parse(text);
  if (!info || !info->is_object()) {
    file_->fail(messages::kDescriptionNotJson(name()));
  }
  file_->visit_items(*table_, [&](std::string_view item) {
    text = item;
    const std::optional<Value> parsed = document.parse(text);
    if (!parsed || !parsed->is_object()) {
      file_->fail(messages::kItemNotJson(name()));
    }
    ++count_;
  });
}

bool TableImport::create() {
  Document document;
  std::string info = table_->info;
  const Value parsed = document.parse(info).value_or(Value());
  if (operations_->call("CreateTable", create_table_request(*table_, parsed)) == 200) return true;
  report_->warning(messages::kTableRefused(name(), operations_->message()));
  return false;
}

void TableImport::fill() {
  operations_->wait_until_active(name());
  last_told_ = std::chrono::steady_clock::now();
  bulk::ItemBatch batch(*operations_, name(), [this](std::size_t) {
    if (refused_++ == 0) first_refusal_ = operations_->message();
  });
  const auto count = [&] { done_ = static_cast<std::int64_t>(batch.done()); };
  file_->visit_items(*table_, [&](std::string_view item) {
    batch.add(item);
    count();
    tell_progress();
  });
  batch.send();
  count();
  if (refused_ > 0) {
    report_->warning(messages::items_refused(refused_, count_, name(), first_refusal_));
  }
}

void TableImport::tell_progress() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_told_ < kProgressTime) return;
  last_told_ = now;
  report_->progress(messages::imported_so_far(done_, count_, name()));
}

void TableImport::finish() {
  Document document;
  std::string info = table_->info;
  const Value parsed = document.parse(info).value_or(Value());
  if (const auto request = time_to_live_request(*table_, parsed)) {
    ask("UpdateTimeToLive", *request, "time to live");
  }
  // Make each change separately, since UpdateTable accepts only one.
  operations_->wait_until_active(name());
  if (const auto request = stream_request(*table_)) {
    ask("UpdateTable", *request, "stream");
    operations_->wait_until_active(name());
  }
  if (table_->deletion_protection) {
    ask("UpdateTable", bulk::protection_request(name(), true), "deletion protection");
  }
}

void TableImport::ask(std::string_view operation, std::string body, std::string_view what) {
  if (operations_->call(operation, std::move(body)) == 200) return;
  report_->warning(messages::kImportedWithout(name(), what, operations_->message()));
}

}  // namespace magneto::server::tools
