#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "api/json/error_dialect.h"
#include "api/json/json_reader.h"
#include "api/profile.h"
#include "api/validation/shape.h"

namespace magneto::storage {
class Database;
class Effort;
}  // namespace magneto::storage

namespace magneto::api {

class CallerDatabases;
class CallReport;
class Deliveries;
class Metering;
class RequestTables;
struct JobContext;

// The caller of a request, from the credential scope of the Authorization header.
struct Caller {
  std::string_view region = "us-east-1";
  std::string_view account = "000000000000";
  std::string_view access_key;
  std::string_view principal_arn;       // only for a verified caller
  std::string_view host = "localhost";  // the address at which the request arrived
  std::string_view address;             // address of the client; empty: not known
  // The id of the only table that the calls may reach. An import sets it, because it must not fill
  // a later table of the same name. Empty: any table.
  std::string_view only_table{};
  Profile profile = Profile::kAws;

  // Region and account in the ARNs of the caller's resources.
  std::string_view home_region() const {
    return profile == Profile::kDynamoDbLocal ? kLocalRegion : region;
  }
  std::string_view home_account() const {
    return profile == Profile::kDynamoDbLocal ? kLocalAccount : account;
  }
};

// The input of a handler: one request whose JSON and shape have been checked.
struct Request {
  storage::Database& database;  // the caller's; an empty one until the caller makes a table
  CallerDatabases& databases;   // makes the caller's first database
  const Caller& caller;
  json::Value input;    // the request body, an object
  std::string& output;  // the handler appends the response body, a JSON object
  storage::Effort& effort;
  const Metering& metering;
  // The decisions of fault rules and policies about members of a batch; nullptr: there are none.
  CallReport* report = nullptr;
  json::Layer layer = json::Layer::kCurrent;  // the layer that reads the request
  const JobContext* job_context = nullptr;    // nullptr: there are no jobs
  Deliveries* deliveries = nullptr;           // nullptr: changes are not sent
  // Caches lookups, so that each table is looked up once (find_table in request/arn.h); nullptr: no
  // cache.
  RequestTables* tables = nullptr;
};

// The protocol has two families of operations, each with its own target prefix: see
// server/http/request_router.
enum class WireService : std::uint8_t { kTables, kStreams };

// Where a request names its tables or other resources.
enum class RequestForm : std::uint8_t {
  kResource,            // one table or other resource: Operation::resource
  kTableItems,          // TableName, for an item or a read of many items
  kBatch,               // RequestItems: tables with keys or writes
  kTransaction,         // TransactItems: actions
  kOneStatement,        // Statement
  kStatements,          // Statements, each independent
  kTransactStatements,  // TransactStatements
};

// One operation of the protocol. Each operations/*.cc exports one; operation_table lists them all.
struct Operation {
  std::string_view name;  // "PutItem"
  const Shape& input;
  // Appends the response to request.output. Throws ApiError, ExpressionError or EngineError; then
  // the appended text is discarded.
  void (*handle)(Request& request);
  // The operation's own deserializer. It refuses a request before its shape is checked; the request
  // is an object whose text is `body`. nullptr: it has none. Throws ApiError.
  void (*deserialize)(json::Value input, std::string_view body) = nullptr;
  // True if the operation can wait for the disk: with --fsync it must not run on an I/O thread.
  bool writes = false;
  RequestForm form = RequestForm::kResource;
  // For kResource: the member that names the resource, by a name or an ARN; empty: none does.
  std::string_view resource = "TableName";
  std::string_view other_resource = {};  // a member in addition to or instead of it
  // The member that names the table which the operation creates from another resource, or the path
  // to it.
  std::string_view target = {};
  bool lists = false;         // the resource only filters a list of the whole account
  bool answers_much = false;  // the answer may be as large as a megabyte
  // What is refused where several servers share the store (docs/cluster.md): the operation, or requests
  // with one of these members.
  bool needs_store_alone = false;
  std::span<const std::string_view> members_of_store_alone = {};
  WireService service = WireService::kTables;
};

// The operation with that name; nullptr if there is none.
const Operation* find_operation(std::string_view name);

}  // namespace magneto::api
