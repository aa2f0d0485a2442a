#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/tools/schema/schema_parameters.h"
#include "server/tools/schema/table_request.h"

namespace magneto::server::tools::schema {

// Receives warnings about skipped parts: a sentence that begins with the file and the line.
using ReportWarning = std::function<void(std::string_view what)>;

constexpr std::size_t kMaxFileSize = 16 << 20;  // bytes, for each file

// Returns the tables that a text describes, in any of these forms, in JSON or YAML:
//   requests of CreateTable, answers of DescribeTable, lists of them, {"Tables": [...]}
//   CloudFormation, SAM, templates of the CDK: cloudformation.h
//   serverless.yml: serverless.h
//   Terraform: terraform.h
// `file` is the name for messages. Throws SchemaError; its text begins with the file and the line.
std::vector<TableDefinition> read_schema(const std::string& text, const std::string& file,
                                         SchemaParameters& parameters, const ReportWarning& warn);

// Returns the tables of files and of the files in folders, ordered by file name. In a folder, only
// files that end in .json, .yaml, .yml, .template or .tfstate are read. Such a file is skipped with
// a warning if it has none of the forms above, or if it is unreadable and shows no trace of them.
// Next to a table's file may be its items, <table>.items.json or .items.jsonl (seed_items.h), and
// an answer of DescribeTimeToLive, <table>.ttl.json. Throws SchemaError, also if two files have a
// table with the same name.
std::vector<TableDefinition> read_schema_files(const std::vector<std::string>& paths,
                                               SchemaParameters& parameters,
                                               const ReportWarning& warn);

}  // namespace magneto::server::tools::schema
