#include "api/json/json_writer.h"
#include "api/operation_table.h"

// AWS API reference, DescribeLimits: the initial quotas of an account.
namespace magneto::api {
namespace {

constexpr Shape kInput = older_request({});

void describe_limits(Request& request) {
  json::Writer writer(request.output);
  writer.begin_object();
  writer.integer("AccountMaxReadCapacityUnits", 80'000);
  writer.integer("AccountMaxWriteCapacityUnits", 80'000);
  writer.integer("TableMaxReadCapacityUnits", 40'000);
  writer.integer("TableMaxWriteCapacityUnits", 40'000);
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeLimits{
    .name = "DescribeLimits", .input = kInput, .handle = &describe_limits};

}  // namespace magneto::api
