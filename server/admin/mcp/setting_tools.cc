#include <array>

#include "server/admin/mcp/tool.h"

namespace magneto::server::admin::mcp {
namespace {

using http::Method;
using Names = std::string_view[];
using Arguments = Argument[];

constexpr std::string_view kAText = R"({"type":"string"})";
constexpr std::string_view kAFlag = R"({"type":"boolean"})";
constexpr std::string_view kNumber = R"({"type":"integer","minimum":0})";
constexpr std::string_view kTexts = R"({"type":"array","items":{"type":"string"}})";
constexpr std::string_view kALag =
    R"({"type":"string","description":"a duration such as 2s, or held"})";

constexpr Names kOfSpace = {kNamespaceArgument};
constexpr Names kOfRule = {kNamespaceArgument, "id"};

constexpr Arguments kClock = {
    {"now", R"({"type":"string","description":"a time such as 2031-02-03T12:00:00Z"})"},
    {"advance", R"({"type":"string","description":"a duration such as 25h; -1h goes back"})"},
    {"frozen", R"({"type":"boolean","description":"true: the clock stands; false: it goes on"})"},
};
constexpr Arguments kRule = {
    {"operations", kTexts},
    {"table", kAText},
    {"index", kAText},
    {"key", R"({"type":"object","additionalProperties":{"type":"string"}})"},
    {kAccessKeyArgument, R"({"type":"string","description":"only requests with this access key"})"},
    {"probability", R"({"type":"number","minimum":0,"maximum":1})"},
    {"seed", kNumber},
    {"skip", kNumber},
    {"count", R"({"type":"integer","description":"hits at most so many requests"})"},
    {"for", R"({"type":"string","description":"how long the rule lasts: 10s"})"},
    {"fault",
     R"({"type":"object","description":"one of {\"error\": \"ThrottlingException\"}, {\"latency\": \"250ms\"}, {\"drop\": \"before\"}, {\"drop\": \"after\"}, {\"unprocessed\": 0.5}, {\"truncate\": 0.5}"})",
     true},
};
constexpr Arguments kRuleId = {{"id", kAText, true}};
constexpr Arguments kJournalSettings = {
    {"on", kAFlag},
    {"bodies", R"({"type":"boolean","description":"true: keep requests and answers"})"},
    {"bytes", R"({"type":"integer","description":"the room for records"})"},
};
constexpr Arguments kJournalFilter = {
    {"after", R"({"type":"integer","description":"only records behind this number"})"},
    {"limit", R"({"type":"integer","description":"records of the answer, 1000 unless given"})"},
    {"operation", kAText},
    {"table", kAText},
    {"error", kAText},
    {"status", kNumber},
};
constexpr Arguments kAssertions = {
    {"after", R"({"type":"integer","description":"only records behind this number"})"},
    {"assertions",
     R"({"type":"array","items":{"type":"object"},"description":"each one of {\"no_scan\": true}, {\"no_errors\": true}, {\"max_units\": 3}, {\"max_writes_per_key\": 1}, {\"max_calls\": {\"operation\": \"PutItem\", \"count\": 2}}, {\"no_n_plus_one\": 5}, {\"max_read_per_returned\": 10}, {\"only_tables\": [\"a\"]}; each may have a table"})",
     true},
};
constexpr Arguments kCosts = {
    {"after", R"({"type":"integer","description":"only records behind this number"})"},
    {"table", kAText},
    {"calls_per_second",
     R"({"type":"number","description":"the rate of each pattern, 1 unless given"})"},
    {"rates", R"({"type":"object","description":"the rates of single patterns, by name"})"},
    {"region",
     R"({"type":"string","description":"whose prices are used, us-east-1 unless given"})"},
    {"prices", R"({"type":"object","description":"prices instead of those of the list"})"},
    {"utilization",
     R"({"type":"number","description":"the part of provisioned capacity that is used, 0.7 unless given"})"},
    {"except_access_key",
     R"({"type":"string","description":"leaves out the requests with this key"})"},
};
constexpr Arguments kConsistency = {
    {"index_lag", kALag},
    {"replication_lag", kALag},
    {"ttl_delay", kAText},
    {"read_staleness",
     R"({"type":["object","string"],"description":"held, or {\"probability\": 0.3, \"seed\": 7, \"versions\": 5}"})"},
};
constexpr Arguments kReleased = {{"steps", R"({"type":"integer","minimum":1})"}};
constexpr Arguments kInsights = {{"table", kAText}, {"limit", kNumber}};

constexpr std::array kSettingTools = {
    Tool{"read_clock",
         Effect::kReads,
         true,
         "Tells the time of a namespace.",
         {},
         Method::kGet,
         "namespaces/{}/clock",
         kOfSpace},
    Tool{"set_clock",
         Effect::kChanges,
         false,
         "Sets, advances or freezes the clock of a namespace. Expiry and recovery follow it.",
         {},
         Method::kPut,
         "namespaces/{}/clock",
         kOfSpace,
         kClock},
    Tool{"reset_clock",
         Effect::kChanges,
         true,
         "Brings the clock back to real time.",
         {},
         Method::kDelete,
         "namespaces/{}/clock",
         kOfSpace},
    Tool{"list_faults",
         Effect::kReads,
         true,
         "Lists the fault rules, with their hits.",
         {},
         Method::kGet,
         "namespaces/{}/faults",
         kOfSpace},
    Tool{
        "add_fault",
        Effect::kAdds,
        false,
        "Adds a rule that makes requests fail, wait or lose their answer. All members but fault choose the requests.",
        {},
        Method::kPost,
        "namespaces/{}/faults",
        kOfSpace,
        kRule},
    Tool{"remove_fault",
         Effect::kChanges,
         false,
         "Removes one fault rule.",
         {},
         Method::kDelete,
         "namespaces/{}/faults/{}",
         kOfRule,
         kRuleId},
    Tool{"clear_faults",
         Effect::kChanges,
         true,
         "Removes all fault rules.",
         {},
         Method::kDelete,
         "namespaces/{}/faults",
         kOfSpace},
    Tool{"configure_journal",
         Effect::kChanges,
         true,
         "Switches the journal of requests on or off. Switch it on before a test.",
         {},
         Method::kPut,
         "namespaces/{}/journal",
         kOfSpace,
         kJournalSettings},
    Tool{
        "read_journal",
        Effect::kReads,
        true,
        "Reads the records of requests: operation, table, keys, status, units, and the items read and returned.",
        {},
        Method::kGet,
        "namespaces/{}/journal",
        kOfSpace,
        kJournalFilter},
    Tool{"clear_journal",
         Effect::kChanges,
         true,
         "Removes the records.",
         {},
         Method::kDelete,
         "namespaces/{}/journal",
         kOfSpace},
    Tool{"assert_journal",
         Effect::kReads,
         true,
         "Checks assertions on the records, such as no_scan; each failure is a sentence.",
         {},
         Method::kPost,
         "namespaces/{}/journal/assert",
         kOfSpace,
         kAssertions},
    Tool{
        "report_costs",
        Effect::kReads,
        true,
        "Prices the recorded requests by access pattern, on demand and provisioned, and marks scans, wide filters, N+1 reads and hot keys.",
        {},
        Method::kPost,
        "namespaces/{}/journal/report",
        kOfSpace,
        kCosts},
    Tool{"read_consistency",
         Effect::kReads,
         true,
         "Tells how far eventually consistent reads, indexes and replicas lag behind.",
         {},
         Method::kGet,
         "namespaces/{}/consistency",
         kOfSpace},
    Tool{"set_consistency",
         Effect::kChanges,
         true,
         "Lets eventually consistent reads, indexes and replicas lag behind.",
         {},
         Method::kPut,
         "namespaces/{}/consistency",
         kOfSpace,
         kConsistency},
    Tool{"release_consistency",
         Effect::kChanges,
         false,
         "Moves held reads and indexes on by so many writes, or to the newest.",
         {},
         Method::kPost,
         "namespaces/{}/consistency/release",
         kOfSpace,
         kReleased},
    Tool{"reset_consistency",
         Effect::kChanges,
         true,
         "Ends all lags.",
         {},
         Method::kDelete,
         "namespaces/{}/consistency",
         kOfSpace},
    Tool{"read_insights",
         Effect::kReads,
         true,
         "Tells the most used keys of tables with contributor insights.",
         {},
         Method::kGet,
         "namespaces/{}/insights",
         kOfSpace,
         kInsights},
};

}  // namespace

std::span<const Tool> setting_tools() { return kSettingTools; }

}  // namespace magneto::server::admin::mcp
