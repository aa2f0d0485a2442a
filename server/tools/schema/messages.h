#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// What the user is told of files of --schema. Texts of a file are shortened.
namespace magneto::server::tools::schema::messages {

// A template or a serverless.yml that cannot be worked out here, and what else is wrong in a file.
inline constexpr const char* kRefersToItself = "this refers to itself, or is nested too deeply";
inline constexpr const char* kTooManySteps = "working this out takes too many steps";
inline constexpr const char* kTextTooLong = "a text grows beyond 1 MB here";
inline constexpr const char* kTableNameNoText = "TableName is no text";
inline constexpr const char* kGetAttWithoutAttribute = "Fn::GetAtt names no attribute";
inline constexpr const char* kSubWithoutEnd = "Fn::Sub has a ${ without a }";
inline constexpr const char* kJoinedNoText = "a value of Fn::Join is no text";
inline constexpr const char* kSplitByNothing = "the delimiter of Fn::Split is empty";
inline constexpr const char* kNoCondition =
    "this is no condition: it needs one of Fn::Equals, Fn::And, Fn::Or, Fn::Not and Condition";
inline constexpr const char* kNoJson = "this is no JSON";
inline constexpr const char* kTerraformLog =
    "this is what Terraform prints while it works: run `terraform plan -out p && terraform show -json p > plan.json` and give plan.json";
inline constexpr const char* kLongYaml = "YAML of more than 4 MB is not read";
inline constexpr const char* kNotUtf8 = "the file is not in UTF-8";
inline constexpr const char* kNulCharacter = "it has a NUL character";
inline constexpr const char* kTooMuch =
    "the file holds too much, or its aliases stand for too much";
inline constexpr const char* kTooDeep = "the file is nested more than 100 levels deep";
inline constexpr const char* kNoForm =
    "this is none of CreateTable's JSON, CloudFormation, serverless.yml and Terraform's JSON";
inline constexpr const char* kTerraformLanguage =
    "Terraform's own language is not read: run `terraform plan -out p && terraform show -json p > plan.json` and give plan.json";
inline constexpr const char* kTerraformFolder =
    "this folder describes tables in Terraform's own language alone, which is not read: run `terraform plan -out p && terraform show -json p > plan.json` and give plan.json";
inline constexpr const char* kPipeWithoutWriter = "this is a pipe that no process writes into";
inline constexpr const char* kProgram =
    "programs are not run: give what they make, such as a template in cdk.out";
inline constexpr const char* kLargeFile = "the file is larger than 16 MB";
inline constexpr const char* kNoTable = "there is no table in it";
inline constexpr const char* kNothingForTables = "there is nothing in it that describes tables";
inline constexpr const char* kFolderWithoutFiles =
    "there is no file in this folder that ends in .json, .yaml, .yml, .template or .tfstate";
inline constexpr const char* kNoTimeToLive = "this is no answer of DescribeTimeToLive";
inline constexpr const char* kNoItem = "this is no item";
inline constexpr const char* kLineNoJson = "this line is no JSON";
inline constexpr const char* kExtensions = "the extensions of resources are not applied";
inline constexpr const char* kNotATable = "this is no table: it has no TableName";
inline constexpr const char* kTableWithoutName = "the table has no TableName";
inline constexpr const char* kItemsNoList = "Items is no list of items";
inline constexpr const char* kAliasInItself = "an alias stands in its own anchor";
inline constexpr const char* kNameNoText = "the name of a member is no text";
inline constexpr const char* kManyDocuments = "the file has more than one YAML document";
inline constexpr const char* kInSystemsManager = "lies in AWS Systems Manager";
inline constexpr const char* kNoDefault = "has no default";
inline constexpr const char* kNoValue = "has no value";

// The same, with a name or a text of the file.
std::string unsupported(std::string_view name);
std::string unknown_member(std::string_view name, std::string_view nearest);
std::string unknown_type(std::string_view name, std::string_view nearest);
std::string only_replica(std::string_view region);
std::string not_looked_at(std::string_view name);
std::string nested_stack(std::string_view name);
std::string too_few(std::string_view function, std::size_t count);
std::string no_text(std::string_view what);
std::string no_such_name(std::string_view name);
std::string sub_no_text(std::string_view name);
std::string nothing_in_map(std::string_view map, std::string_view first, std::string_view second);
std::string no_such_value(std::string_view index);
std::string no_such_condition(std::string_view name);
std::string unresolved(std::string_view what);
std::string dynamic_reference(std::string_view text);
std::string needs_parameter(std::string_view name, std::string_view why);
std::string ref_known_to_aws(std::string_view name);
std::string attribute_known_to_aws(std::string_view name);
std::string loop(std::string_view text);
std::string open_variable(std::string_view text);
std::string variable_no_text(std::string_view name);
std::string variable_without_value(std::string_view name);
std::string unknown_variable(std::string_view name);
std::string passed_over(std::string_view why);
std::string twice(std::string_view name);
std::string no_yaml(std::string_view why);
std::string no_json(std::string_view why);
std::string unreadable(std::string_view why);
std::string unreadable_folder(std::string_view why);
// `address`: what Terraform calls a resource.
std::string unsupported_in(std::string_view name, std::string_view address);
std::string terraform_name_unknown(std::string_view address);
std::string terraform_owner_unknown(std::string_view address);
std::string terraform_owner_missing(std::string_view address, std::string_view table);
std::string terraform_item_no_json(std::string_view address);
std::string terraform_version(std::string_view version);
std::string table_twice(std::string_view table, std::string_view place);
std::string unused_parameter(std::string_view name);
std::string table_refused(std::string_view place, std::string_view table,
                          std::string_view operation, std::string_view why);
std::string item_refused(std::string_view place, std::string_view table, std::string_view operation,
                         std::string_view why);
std::string difference(std::string_view setting, std::string_view store, std::string_view file);

// A start that does not come to its end. `left`: tables that could not be deleted again.
std::string not_made(std::string_view why, std::span<const std::string> left);
std::string note_not_written(std::string_view path, std::string_view why);
std::string note_unreadable(std::string_view path);
std::string wrong_region(std::string_view given);
std::string region_of_another(std::string_view owner, std::string_view region);
std::string parts_removed(std::span<const std::string> tables);
std::string part_not_removed(std::string_view table, std::string_view why);
std::string filled_so_far(std::size_t done, std::size_t items, std::string_view table);

// What is said of a line of a file; line 0: of the whole.
std::string in_file(std::string_view file, std::uint32_t line, std::string_view what);

// All that differs; `tables` has a line for each table and each setting.
std::string tables_differ(std::string_view tables, std::size_t left_out);
std::string differing_table(std::string_view table, std::string_view place);

// Of the line that says where the server listens: which tables there are now. `made`: how many of them
// were not there before.
std::string tables_of_files(std::span<const std::string> files, std::span<const std::string> tables,
                            std::size_t made);

}  // namespace magneto::server::tools::schema::messages
