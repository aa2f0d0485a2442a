#include "api/json/json_writer.h"
#include "api/operation.h"

// AWS API reference, DescribeLimits. Returns the initial quotas of an account.
namespace magneto::api {

extern const Operation kDescribeLimits;
namespace {

constexpr Shape kDescribeLimitsInput = older_request({});

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

constinit const Operation kDescribeLimits{.name = "DescribeLimits",
                                          .input = kDescribeLimitsInput,
                                          .handle = &describe_limits,
                                          .resource = {}};

}  // namespace magneto::api
