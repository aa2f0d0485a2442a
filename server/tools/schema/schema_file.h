#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/tools/schema/schema_parameters.h"
#include "server/tools/schema/table_request.h"

namespace magneto::server::tools::schema {

// Is told of what is left out, in a sentence that begins with the file and the line.
using ReportWarning = std::function<void(std::string_view what)>;

constexpr std::size_t kMaxFileSize = 16 << 20;  // bytes, of any of them

// The tables that a text describes, whichever of these it is:
//   requests of CreateTable, answers of DescribeTable, lists of them, {"Tables": [...]}
//   CloudFormation, SAM, what the CDK makes: cloudformation.h
//   serverless.yml: serverless.h
//   Terraform: terraform.h
// in JSON or YAML. `file` is its name in messages. Throws SchemaError, whose text begins with the
// file and the line.
std::vector<TableDefinition> read_schema(const std::string& text, const std::string& file,
                                         SchemaParameters& parameters, const ReportWarning& warn);

// The tables of files, and of those in folders, in the order of their names (those that end in
// .json, .yaml, .yml, .template or .tfstate; one of none of the forms above, or that cannot be read
// and has no trace of them, is passed over with a warning). Items for a table may lie beside its
// file (seed_items.h), as <table>.items.json or .items.jsonl, and an answer of DescribeTimeToLive as
// <table>.ttl.json. Throws SchemaError, also when two files have a table of one name.
std::vector<TableDefinition> read_schema_files(const std::vector<std::string>& paths,
                                               SchemaParameters& parameters,
                                               const ReportWarning& warn);

}  // namespace magneto::server::tools::schema
