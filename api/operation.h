#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

// Who asks, from the credential scope of the Authorization header.
struct Caller {
  std::string_view region = "us-east-1";
  std::string_view account = "000000000000";
  std::string_view access_key;
  std::string_view principal_arn;       // only of a verified caller
  std::string_view host = "localhost";  // the address by which the request came here
  std::string_view address;             // of the client; empty: not known
  // The id of the one table that the calls reach, for an import, which must not fill a later table of the
  // name; empty: any.
  std::string_view only_table{};
  Profile profile = Profile::kAws;

  // What ARNs of the caller's resources name.
  std::string_view home_region() const {
    return profile == Profile::kDynamoDbLocal ? kLocalRegion : region;
  }
  std::string_view home_account() const {
    return profile == Profile::kDynamoDbLocal ? kLocalAccount : account;
  }
};

// What a handler works with: one request, after its JSON and shape were checked.
struct Request {
  storage::Database& database;  // the caller's; one that has nothing while no table was made in it
  CallerDatabases& databases;   // for who makes the first one
  const Caller& caller;
  json::Value input;    // the request body, an object
  std::string& output;  // the handler appends the response body, a JSON object
  storage::Effort& effort;
  const Metering& metering;
  // What fault rules and policies decided about members of a batch; nullptr: nothing.
  CallReport* report = nullptr;
  // The request nests so deeply that DynamoDB answers in the older dialect (kOlderDialectLevels).
  bool older_dialect = false;
  const JobContext* job_context = nullptr;  // nullptr: jobs are done nowhere
  Deliveries* deliveries = nullptr;         // nullptr: changes are sent nowhere
  // Each table is looked up once (find_table in request/arn.h); nullptr: at each look.
  RequestTables* tables = nullptr;
};

// The protocol has two families of operations, each with a target of its own: see
// server/http/request_router.
enum class WireService : std::uint8_t { kTables, kStreams };

// Where a request names what it is about.
enum class RequestForm : std::uint8_t {
  kResource,            // one table or other resource: Operation::resource
  kTableItems,          // TableName, for an item or a read of many
  kBatch,               // RequestItems: tables with keys or writes
  kTransaction,         // TransactItems: actions
  kOneStatement,        // Statement
  kStatements,          // Statements, each for itself
  kTransactStatements,  // TransactStatements
};

// One operation of the protocol. Each operations/*.cc exports one; operation_table lists them all.
struct Operation {
  std::string_view name;  // "PutItem"
  const Shape& input;
  // Appends the response to request.output. Throws ApiError, ExpressionError or EngineError; what
  // it appended is discarded then.
  void (*handle)(Request& request);
  // How the operation's own deserializer refuses a request, an object whose text is `body`, before
  // its shape is looked at; nullptr: it has none. Throws ApiError.
  void (*deserialize)(json::Value input, std::string_view body) = nullptr;
  // True when the operation can wait for the disk, so must not run on an I/O thread with --fsync.
  bool writes = false;
  RequestForm form = RequestForm::kResource;
  // Of the form kResource: the members that name the resource, by a name or an ARN; empty: none does.
  std::string_view resource = "TableName";
  std::string_view other_resource = {};  // may stand beside or instead of it
  // The member that names the table which the operation makes from something else, or its path.
  std::string_view target = {};
  bool lists = false;         // the resource only selects from a list of the whole account
  bool answers_much = false;  // the answer may have a megabyte
  WireService service = WireService::kTables;
};

// The operation of that name, or nullptr.
const Operation* find_operation(std::string_view name);

}  // namespace magneto::api
