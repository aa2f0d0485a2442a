#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/tables/policy_document.h"
#include "storage/database.h"
#include "storage/model/table_schema.h"

// Policies of tables and streams, with their revisions. api/authorization enforces them.
namespace magneto::api {

// The owner of a policy: a table, or its newest stream.
struct PolicyResource {
  storage::TablePtr table;
  PolicySubject subject;
  std::string stream_label;  // of a stream
};

// Returns the kind of resource in a ResourceArn, whether it exists or not. Throws
// ValidationException if the ARN is not a table's or stream's.
PolicySubject policy_subject(std::string_view arn);

// Finds the resource of a ResourceArn. Throws ValidationException if the ARN is not one of a table
// or stream of the caller. Throws ResourceNotFoundException if the resource does not exist (as
// observed on AWS, October 2026).
PolicyResource find_policy_resource(const Request& request, std::string_view arn);

// Returns the resource's policy in the schema of its table. The first one throws
// ResourceNotFoundException if the stream is not the table's newest any more.
std::optional<storage::ResourcePolicy>& policy_of(storage::TableSchema& schema,
                                                  const PolicyResource& resource);
const std::optional<storage::ResourcePolicy>& policy_of(const storage::TableSchema& schema,
                                                        const PolicyResource& resource);

// Throws PolicyNotFoundException unless the policy has the revision `expected`; nullopt accepts
// all.
void check_revision(const std::optional<storage::ResourcePolicy>& policy,
                    std::optional<std::string_view> expected, std::string_view table);

// Writes "Policy" and "RevisionId" of an answer. A policy without a version is shown with the first
// version. But it does not equal a policy that was sent with that version (captured from AWS,
// October 2026).
void write_policy(json::Writer& writer, const storage::ResourcePolicy& policy);

// Makes a policy with a new revision: the time in milliseconds, as on AWS, or the previous revision
// plus one if that is greater.
storage::ResourcePolicy new_policy(std::string text, double now);

}  // namespace magneto::api
