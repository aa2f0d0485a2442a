#include <array>

#include "server/admin/mcp/tool.h"

namespace magneto::server::admin::mcp {
namespace {

using http::Method;
using Names = std::string_view[];
using Arguments = Argument[];

constexpr std::string_view kText = R"({"type":"string"})";
constexpr std::string_view kDuration =
    R"({"type":"string","description":"a duration such as 250ms, 10s, 1h30m, 7d"})";

constexpr Names kSpace = {kNamespaceArgument};
constexpr Names kNamed = {"name"};

constexpr Arguments kNewNamespace = {
    {"name", R"({"type":"string","description":"A-Z a-z 0-9 . _ -; made up if left out"})"},
    {"from",
     R"({"type":"object","description":"the namespace or snapshot to copy; left out: empty","properties":{"namespace":{"type":"string"},"snapshot":{"type":"string"}},"additionalProperties":false})"},
    {"port",
     R"({"type":["boolean","integer"],"description":"true for a port of its own, or the number of the port"})"},
    {"expires_after", kDuration},
};
constexpr Arguments kName = {{"name", kText, true}};
constexpr Arguments kTruncated = {{"tables", R"({"type":"array","items":{"type":"string"}})"}};
constexpr Arguments kSettled = {{"timeout", kDuration}};
constexpr Arguments kNewSnapshot = {{"name", kText, true}, {kNamespaceArgument, kText}};
constexpr Arguments kRestored = {{"snapshot", kText, true}};
constexpr Arguments kSchema = {
    {"text",
     R"({"type":"string","description":"the file: CloudFormation, SAM, CDK's output, serverless.yml, Terraform's state or plan, or CreateTable's JSON"})",
     true},
    {"file", R"({"type":"string","description":"its name, for messages"})"},
    {"parameters",
     R"({"type":"object","additionalProperties":{"type":"string"},"description":"values of the template's parameters"})"},
    {"dry_run", R"({"type":"boolean","description":"true: only checks and compares"})"},
    {kRegionArgument, kText},
    {kAccessKeyArgument, kText},
};
constexpr Arguments kCopy = {
    {"from", R"({"type":"string","description":"the namespace to copy from"})", true},
    {"tables",
     R"({"type":"array","items":{"type":"string"},"description":"names or patterns with *; left out: all"})"},
    {kRegionArgument, kText},
    {kAccessKeyArgument, kText},
};

constexpr std::array kNamespaceTools = {
    Tool{"server_status",
         Effect::kReads,
         true,
         "Tells the server's version, start, settings and endpoint.",
         {},
         Method::kGet,
         "status"},
    Tool{"list_namespaces",
         Effect::kReads,
         true,
         "Lists the namespaces. Each has its own tables, streams, clock, fault rules and journal.",
         {},
         Method::kGet,
         "namespaces"},
    Tool{
        "create_namespace",
        Effect::kAdds,
        false,
        "Makes a namespace: empty, or with from a fork, which is a copy of another one. Forks are cheap: use one for each experiment.",
        {},
        Method::kPost,
        "namespaces",
        {},
        kNewNamespace},
    Tool{"delete_namespace",
         Effect::kChanges,
         false,
         "Deletes a namespace; main cannot be deleted.",
         {},
         Method::kDelete,
         "namespaces/{}",
         kNamed,
         kName},
    Tool{"reset_namespace",
         Effect::kChanges,
         true,
         "Restores a namespace's beginning: a fork is a copy again, any other has no tables.",
         {},
         Method::kPost,
         "namespaces/{}/reset",
         kSpace},
    Tool{"truncate_tables",
         Effect::kChanges,
         true,
         "Deletes the items of all tables, or of those that are named. The tables stay.",
         {},
         Method::kPost,
         "namespaces/{}/truncate",
         kSpace,
         kTruncated},
    Tool{"settle",
         Effect::kReads,
         true,
         "Waits until background work is done: indexes, expired items.",
         {},
         Method::kPost,
         "namespaces/{}/settle",
         kSpace,
         kSettled},
    Tool{"list_snapshots",
         Effect::kReads,
         true,
         "Lists the snapshots.",
         {},
         Method::kGet,
         "snapshots"},
    Tool{"take_snapshot",
         Effect::kAdds,
         false,
         "Gives the present state of a namespace a name.",
         {},
         Method::kPost,
         "snapshots",
         {},
         kNewSnapshot},
    Tool{"delete_snapshot",
         Effect::kChanges,
         false,
         "Deletes a snapshot.",
         {},
         Method::kDelete,
         "snapshots/{}",
         kNamed,
         kName},
    Tool{"restore_snapshot",
         Effect::kChanges,
         true,
         "Replaces the data of a namespace by that of a snapshot.",
         {},
         Method::kPost,
         "namespaces/{}/restore",
         kSpace,
         kRestored},
    Tool{
        "import_schema",
        Effect::kAdds,
        true,
        "Creates the tables that a template or a table's JSON describes, with their items. A table that exists and fits stays; one that differs is named, and nothing is made.",
        {},
        Method::kPost,
        "namespaces/{}/schema",
        kSpace,
        kSchema},
    Tool{
        "copy_tables",
        Effect::kAdds,
        false,
        "Copies tables with their items from another namespace. The tables must not exist here, or be empty and fit.",
        {},
        Method::kPost,
        "namespaces/{}/copy",
        kSpace,
        kCopy},
};

}  // namespace

std::span<const Tool> namespace_tools() { return kNamespaceTools; }

}  // namespace magneto::server::admin::mcp
