#include "api/json/json_writer.h"
#include "api/operation.h"

// AWS API reference, DescribeEndpoints.
namespace magneto::api {

extern const Operation kDescribeEndpoints;
namespace {

constexpr std::int64_t kCacheMinutes = 1'440;
constexpr Shape kDescribeEndpointsInput = older_request({});

// A client continues with the address in the answer, so it must be the address at which the request
// arrived.
void describe_endpoints(Request& request) {
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("Endpoints");
  writer.begin_array();
  writer.begin_object();
  writer.key("Address");
  writer.string(request.caller.host);
  writer.integer("CachePeriodInMinutes", kCacheMinutes);
  writer.end_object();
  writer.end_array();
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeEndpoints{.name = "DescribeEndpoints",
                                             .input = kDescribeEndpointsInput,
                                             .handle = &describe_endpoints,
                                             .resource = {}};

}  // namespace magneto::api
