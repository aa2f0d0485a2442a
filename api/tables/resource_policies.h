#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/tables/policy_document.h"
#include "storage/database.h"
#include "storage/model/table_schema.h"

// Policies of tables and streams: kept, with revisions; nobody is held to them.
namespace magneto::api {

// What a policy belongs to: a table, or its newest stream.
struct PolicyResource {
  storage::TablePtr table;
  PolicySubject subject;
  std::string stream_label;  // of a stream
};

// What a ResourceArn means, whether it is there or not. Throws ValidationException for an ARN that is
// none of a table or stream.
PolicySubject policy_subject(std::string_view arn);

// The one that a ResourceArn means. Throws ValidationException for an ARN that is none of a table or
// stream of the caller's, ResourceNotFoundException where it is missing (as observed on AWS, October
// 2026).
PolicyResource find_policy_resource(const Request& request, std::string_view arn);

// That of the table, in its schema. The slot of a stream that is not the table's any more: throws
// ResourceNotFoundException.
std::optional<storage::ResourcePolicy>& policy_of(storage::TableSchema& schema,
                                                  const PolicyResource& resource);
const std::optional<storage::ResourcePolicy>& policy_of(const storage::TableSchema& schema,
                                                        const PolicyResource& resource);

// Throws PolicyNotFoundException unless the policy of the resource is of the revision `expected`;
// nullopt: whatever it is.
void check_revision(const std::optional<storage::ResourcePolicy>& policy,
                    std::optional<std::string_view> expected, std::string_view table);

// "Policy" and "RevisionId" of an answer. A policy that came without a version is shown with the
// first one, though it is not the same policy as one that came with it (as captured from AWS, October
// 2026).
void write_policy(json::Writer& writer, const storage::ResourcePolicy& policy);

// A policy with a revision that none was given before: the time in milliseconds, as on AWS, or the
// next number.
storage::ResourcePolicy new_policy(std::string text, double now);

}  // namespace magneto::api
