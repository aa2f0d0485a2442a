#include "server/tools/copy/table_verification.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "api/json/json_writer.h"
#include "server/bulk/export/table_scan.h"
#include "server/client/endpoint/endpoint_calls.h"
#include "server/client/endpoint/retry_delays.h"
#include "server/tools/copy/messages.h"

namespace magneto::server::tools {
namespace {

using api::json::Value;
using api::json::Writer;

constexpr std::size_t kMaxKeys = 100;          // of BatchGetItem
constexpr double kBytesOfVerifiedUnit = 4096;  // of a consistent read

// One side of the comparison.
struct Side {
  const client::Endpoint& endpoint;
  UnitLimit& limit;
};

void spend(const bulk::ScanPage& page, UnitLimit& limit, const StopSignal& stop) {
  limit.spend(page.units > 0 ? page.units : static_cast<double>(page.bytes) / kBytesOfVerifiedUnit,
              stop);
}

std::string key_json(Value item, const formats::KeyNames& names) {
  std::string text;
  Writer writer(text);
  writer.begin_object();
  for (const std::string& name : names) {
    writer.escaped_key(name);
    api::json::append_compact(item.object().find(name), writer.raw());
  }
  writer.end_object();
  return text;
}

std::string canonical(Value item) {
  std::string text;
  append_canonical_item(item, text);
  return text;
}

// Computes the digest of one side.
class DigestTaker : public bulk::PageTaker {
 public:
  DigestTaker(const StopSignal& stop, UnitLimit& limit, std::mutex& mutex, ItemDigest& sum)
      : stop_(stop), limit_(limit), mutex_(mutex), sum_(sum) {}

  void take(const bulk::ScanPage& page) override {
    for (const Value item : page.items) digest_.add(hash_of(canonical(item)));
    spend(page, limit_, stop_);
  }
  void finish() override {
    const std::lock_guard lock(mutex_);
    sum_.add(std::exchange(digest_, {}));
  }

 private:
  const StopSignal& stop_;
  UnitLimit& limit_;
  std::mutex& mutex_;
  ItemDigest& sum_;
  ItemDigest digest_;
};

// Thrown when enough differences have been found.
struct Enough : std::exception {};

// The differences found so far.
struct Differences {
  std::mutex mutex;  // guards sentences
  std::vector<std::string> sentences;

  void check() {
    const std::lock_guard lock(mutex);
    if (sentences.size() >= kMaxDifferences) throw Enough();
  }
  void add(std::string sentence) {
    const std::lock_guard lock(mutex);
    if (sentences.size() < kMaxDifferences) sentences.push_back(std::move(sentence));
  }
};

// Looks up the items of one side on the other side.
class Comparer : public bulk::PageTaker {
 public:
  // `forward`: the pages are the source's. A backward comparison reports only items that the source
  // does not have; the forward one has found all other differences.
  Comparer(const StopSignal& stop, const std::string& table, const formats::KeyNames& keys,
           bool forward, const Side& side, const Side& other, Differences& found)
      : stop_(stop),
        limit_(side.limit),
        other_limit_(other.limit),
        table_(table),
        keys_(keys),
        forward_(forward),
        other_(other.endpoint.another()),
        found_(found) {
    other_->stop_when([stop] { return stop.is_set(); });
  }

  void take(const bulk::ScanPage& page) override {
    std::map<std::string, Value> items;
    for (const Value item : page.items) {
      std::string key;
      formats::append_key(item, keys_, key);
      items[std::move(key)] = item;
      if (items.size() == kMaxKeys) compare(items);
    }
    compare(items);
    spend(page, limit_, stop_);
  }

 private:
  void compare(std::map<std::string, Value>& items) {
    found_.check();
    if (items.empty()) return;
    stop_.check();
    std::string body = first_request(items);
    const auto least = static_cast<double>(items.size());  // units; missing items cost units too
    client::RetryDelays delays;
    while (!body.empty()) {
      client::EndpointCalls calls(*other_);
      const Value answer = calls.need("BatchGetItem", body);
      for (const auto [table, found] : answer.object().find("Responses").object()) {
        for (const Value item : found.array()) compare_with(items, item);
      }
      const Value left = answer.object().find("UnprocessedKeys");
      body.clear();
      if (!left.object().empty()) {
        body = R"({"RequestItems":)";
        api::json::append_compact(left, body);
        body += "}";
        const auto delay = delays.next();
        if (!delay) throw std::runtime_error(messages::kVerificationThrottled(other_->name()));
        stop_.sleep_for(*delay);
      }
      const double bytes = static_cast<double>(calls.outcome().body.size());
      other_limit_.spend(std::max(least, bytes / kBytesOfVerifiedUnit), stop_);
    }
    for (const auto& [key, item] : items) {
      const std::string text = key_json(item, keys_);
      found_.add(forward_ ? messages::kItemMissing(table_, text)
                          : messages::kItemTooMany(table_, text));
    }
    items.clear();
  }

  std::string first_request(const std::map<std::string, Value>& items) const {
    std::string body;
    Writer writer(body);
    writer.begin_object();
    writer.key("RequestItems");
    writer.begin_object();
    writer.escaped_key(table_);
    writer.begin_object();
    writer.key("ConsistentRead");
    writer.boolean(true);
    writer.key("Keys");
    writer.begin_array();
    for (const auto& [key, item] : items) writer.raw().append(key_json(item, keys_));
    writer.end_array();
    writer.end_object();
    writer.end_object();
    writer.end_object();
    return body;
  }

  void compare_with(std::map<std::string, Value>& items, Value other) {
    std::string key;
    formats::append_key(other, keys_, key);
    const auto mine = items.find(key);
    if (mine == items.end()) return;
    if (forward_ && canonical(mine->second) != canonical(other)) {
      found_.add(messages::kItemDiffers(table_, key_json(other, keys_)));
    }
    items.erase(mine);
  }

  const StopSignal& stop_;
  UnitLimit& limit_;  // of the side that is read
  UnitLimit& other_limit_;
  const std::string& table_;
  const formats::KeyNames& keys_;
  const bool forward_;
  const std::unique_ptr<client::Endpoint> other_;
  Differences& found_;
};

class Verifying {
 public:
  Verifying(const CopyContext& context, const std::string& table, const formats::KeyNames& keys,
            const std::function<void()>& meanwhile)
      : context_(context), table_(table), keys_(keys), meanwhile_(meanwhile) {}

  Verification run() {
    const CopyOptions& options = context_.options;
    Verification result;
    result.target = digest_of(target_, {});
    result.source =
        options.follow ? digest_of(source_, options.filter) : context_.states.table(table_).read();
    result.is_equal = result.source == result.target;
    if (result.is_equal) return result;
    Differences found;
    try {
      compare(true, options.filter, found);
      compare(false, {}, found);
    } catch (const Enough&) {
      // The differences found so far are reported; the rest is not read.
    }
    result.differences = std::move(found.sentences);
    return result;
  }

 private:
  bulk::TableScan scan(const bulk::ScanFilter& filter, const Side& side) const {
    return {.table = table_,
            .consistent = true,
            .workers = context_.options.segments,
            .segments = context_.options.segments,
            .filter = filter,
            .asks_for_units = side.limit.is_set()};
  }

  ItemDigest digest_of(const Side& side, const bulk::ScanFilter& filter) const {
    std::mutex mutex;
    ItemDigest sum;
    scan_table(
        scan(filter, side), side.endpoint,
        [&] { return std::make_unique<DigestTaker>(context_.stop, side.limit, mutex, sum); },
        meanwhile_);
    return sum;
  }

  void compare(bool forward, const bulk::ScanFilter& filter, Differences& found) const {
    const Side& side = forward ? source_ : target_;
    const Side& other = forward ? target_ : source_;
    scan_table(
        scan(filter, side), side.endpoint,
        [&] {
          return std::make_unique<Comparer>(context_.stop, table_, keys_, forward, side, other,
                                            found);
        },
        meanwhile_);
  }

  const CopyContext& context_;
  const Side source_{context_.source, context_.read_limit};
  const Side target_{context_.target, context_.target_read_limit};
  const std::string& table_;
  const formats::KeyNames& keys_;
  const std::function<void()>& meanwhile_;
};

}  // namespace

Verification verify_table(const CopyContext& context, const std::string& table,
                          const formats::KeyNames& keys, const std::function<void()>& meanwhile) {
  return Verifying(context, table, keys, meanwhile).run();
}

}  // namespace magneto::server::tools
