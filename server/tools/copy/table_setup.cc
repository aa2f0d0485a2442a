#include "server/tools/copy/table_setup.h"

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string_view>

#include "api/json/json_writer.h"
#include "server/bulk/import/messages.h"
#include "server/bulk/operations.h"
#include "server/tools/copy/messages.h"

namespace magneto::server::tools {
namespace {

using api::json::Writer;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSetupPollTime{100};
constexpr std::chrono::hours kLongestSetup{1};  // AWS takes long to fill an index of a large table

using IsSo = std::function<bool(const TableDescription&)>;

// Whether a refused change was already made, by an attempt whose answer was lost.
bool is_changed(const client::EndpointCalls& refused, const std::string& name, const IsSo& is_so) {
  if (refused.outcome().error_type != "ValidationException") return false;
  client::EndpointCalls calls(refused.endpoint());
  const auto now = describe_table(calls, name);
  return now && is_so(*now);
}

// `is_so` returns whether a table has the state that the change causes.
void change(client::EndpointCalls& calls, std::string_view operation, const std::string& name,
            const std::string& body, const IsSo& is_so, const StopSignal& stop) {
  if (!call_in_turn(calls, operation, body, stop) && !is_changed(calls, name, is_so)) {
    calls.fail(operation);
  }
  wait_until_active(calls, name, stop);
}

std::string stream_request(const std::string& name, const std::string& view) {
  std::string body;
  Writer writer(body);
  writer.begin_object();
  writer.text("TableName", name);
  writer.key("StreamSpecification");
  writer.begin_object();
  writer.key("StreamEnabled");
  writer.boolean(true);
  writer.text("StreamViewType", view);
  writer.end_object();
  writer.end_object();
  return body;
}

std::string time_to_live_request(const std::string& name, const std::string& attribute) {
  std::string body;
  Writer writer(body);
  writer.begin_object();
  writer.text("TableName", name);
  writer.key("TimeToLiveSpecification");
  writer.begin_object();
  writer.key("Enabled");
  writer.boolean(true);
  writer.text("AttributeName", attribute);
  writer.end_object();
  writer.end_object();
  return body;
}

}  // namespace

void wait_until_active(client::EndpointCalls& calls, const std::string& name,
                       const StopSignal& stop) {
  const auto deadline = Clock::now() + kLongestSetup;
  while (Clock::now() < deadline) {
    // A new table may not be visible everywhere at once.
    if (calls.call("DescribeTable", bulk::table_request(name))) {
      if (bulk::is_active(calls.answer().object().find("Table"))) return;
    } else if (calls.outcome().error_type != "ResourceNotFoundException") {
      calls.fail("DescribeTable");
    }
    stop.sleep_for(kSetupPollTime);
  }
  throw std::runtime_error(bulk::messages::kTableNeverActive(name));
}

bool create_table(client::EndpointCalls& calls, const std::string& name, const std::string& request,
                  const StopSignal& stop, const TellOfWait& tell) {
  const bool is_made = call_in_turn(calls, "CreateTable", request, stop, tell);
  if (calls.outcome().retryable) calls.fail("CreateTable");
  if (!is_made && calls.outcome().error_type != "ResourceInUseException") {
    throw std::runtime_error(bulk::messages::kTableNotMade(name, calls.outcome().message));
  }
  wait_until_active(calls, name, stop);
  return is_made;
}

void enable_stream(client::EndpointCalls& calls, const std::string& name, const std::string& view,
                   const StopSignal& stop) {
  const auto is_so = [&](const TableDescription& now) { return now.stream_view == view; };
  change(calls, "UpdateTable", name, stream_request(name, view), is_so, stop);
}

void finish_table(client::EndpointCalls& target, const TableDescription& source,
                  const std::string& stream_view, const StopSignal& stop) {
  const std::string& name = source.name;
  const auto now = describe_table(target, name);
  if (!now) throw std::runtime_error(messages::kTableVanished(name, target.endpoint().name()));
  if (now->time_to_live != source.time_to_live && !source.time_to_live.empty()) {
    change(
        target, "UpdateTimeToLive", name, time_to_live_request(name, source.time_to_live),
        [&](const TableDescription& table) { return table.time_to_live == source.time_to_live; },
        stop);
  }
  if (now->stream_view != stream_view && !stream_view.empty()) {
    enable_stream(target, name, stream_view, stop);
  }
  if (source.is_protected && !now->is_protected) {
    change(
        target, "UpdateTable", name, bulk::protection_request(name, true),
        [](const TableDescription& table) { return table.is_protected; }, stop);
  }
}

}  // namespace magneto::server::tools
