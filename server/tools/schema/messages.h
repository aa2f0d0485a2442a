#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Messages to the user about files of --schema. Texts of a file are shortened.
namespace magneto::server::tools::schema::messages {

// A text of the file, cut to the length that a message shows.
std::string shortened(std::string_view text);

// A sentence that quotes texts of a file.
template <std::size_t kNames>
class FileSentence {
 public:
  explicit consteval FileSentence(std::string_view sentence) : sentence_(sentence) {}

  template <typename... Texts>
  std::string operator()(const Texts&... texts) const {
    return sentence_(shortened(texts)...);
  }

 private:
  system::Sentence<kNames> sentence_;
};

// A template or a serverless.yml that cannot be evaluated here, and other errors in a file.
inline constexpr const char* kRefersToItself = "this refers to itself, or is nested too deeply";
inline constexpr const char* kTooManySteps = "evaluating this takes too many steps";
inline constexpr const char* kTextTooLong = "a string grows beyond 1 MB here";
inline constexpr const char* kTableNameNoText = "TableName is not a string";
inline constexpr const char* kGetAttWithoutAttribute = "Fn::GetAtt names no attribute";
inline constexpr const char* kSubWithoutEnd = "Fn::Sub has a ${ without a }";
inline constexpr const char* kJoinedNoText = "a value of Fn::Join is not a string";
inline constexpr const char* kSplitByNothing = "the delimiter of Fn::Split is empty";
inline constexpr const char* kNoCondition =
    "this is not a condition: it needs one of Fn::Equals, Fn::And, Fn::Or, Fn::Not and Condition";
inline constexpr const char* kNoJson = "this is not JSON";
inline constexpr const char* kTerraformLog =
    "this is what Terraform prints while it works: run `terraform plan -out p && terraform show -json p > plan.json` and give plan.json";
inline constexpr const char* kLongYaml = "YAML of more than 4 MB is not read";
inline constexpr const char* kNotUtf8 = "the file is not in UTF-8";
inline constexpr const char* kNulCharacter = "it has a NUL character";
inline constexpr const char* kTooMuch =
    "the file holds too much, or its aliases stand for too much";
inline constexpr const char* kTooDeep = "the file is nested more than 100 levels deep";
inline constexpr const char* kNoForm =
    "this is not CreateTable's JSON, CloudFormation, serverless.yml or Terraform's JSON";
inline constexpr const char* kTerraformLanguage =
    "Terraform's own language is not read: run `terraform plan -out p && terraform show -json p > plan.json` and give plan.json";
inline constexpr const char* kTerraformFolder =
    "this folder describes tables in Terraform's own language alone, which is not read: run `terraform plan -out p && terraform show -json p > plan.json` and give plan.json";
inline constexpr const char* kPipeWithoutWriter = "this is a pipe without a writing process";
inline constexpr const char* kProgram =
    "programs are not run: give their output, such as a template in cdk.out";
inline constexpr const char* kLargeFile = "the file is larger than 16 MB";
inline constexpr const char* kNoTable = "there is no table in it";
inline constexpr const char* kNothingForTables = "it does not describe any tables";
inline constexpr const char* kFolderWithoutFiles =
    "there is no file in this folder that ends in .json, .yaml, .yml, .template or .tfstate";
inline constexpr const char* kNoTimeToLive = "this is not an answer of DescribeTimeToLive";
inline constexpr const char* kNoItem = "this is not an item";
inline constexpr const char* kLineNoJson = "this line is not JSON";
inline constexpr const char* kExtensions = "the extensions of resources are not applied";
inline constexpr const char* kNotATable = "this is not a table: it has no TableName";
inline constexpr const char* kTableWithoutName = "the table has no TableName";
inline constexpr const char* kItemsNoList = "Items is not a list of items";
inline constexpr const char* kAliasInItself = "an alias refers to the anchor that contains it";
inline constexpr const char* kNameNoText = "the name of a member is not a string";
inline constexpr const char* kManyDocuments = "the file has more than one YAML document";
inline constexpr const char* kInSystemsManager = "lies in AWS Systems Manager";
inline constexpr const char* kNoDefault = "has no default";
inline constexpr const char* kNoValue = "has no value";

// The same, with a name or a text from the file.
inline constexpr FileSentence<1> kUnsupported{"{name} is not supported and is ignored"};
inline constexpr FileSentence<2> kUnknownMember{"unknown member {name}; did you mean {nearest}?"};
inline constexpr FileSentence<2> kUnknownType{"unknown type {name}; did you mean {nearest}?"};
inline constexpr FileSentence<1> kOnlyReplica{"only the replica in {region} is created"};
inline constexpr FileSentence<1> kNotLookedAt{"{name} is ignored"};
inline constexpr FileSentence<1> kNestedStack{
    "the nested stack {name} is not followed: give its template with --schema too"};
inline constexpr system::Sentence<2> kTooFew{"{function} needs a list of {count} values"};
inline constexpr FileSentence<1> kNoText{"{what} is not a string"};
inline constexpr FileSentence<1> kNoSuchName{
    "Ref {name}: there is neither a parameter nor a resource of that name"};
inline constexpr FileSentence<1> kSubNoText{"${{{name}}} in Fn::Sub is not a string"};
inline constexpr FileSentence<3> kNothingInMap{
    "Fn::FindInMap finds nothing under {map}, {first}, {second}"};
inline constexpr FileSentence<1> kNoSuchValue{"Fn::Select has no value number {index}"};
inline constexpr FileSentence<1> kNoSuchCondition{"there is no condition {name}"};
inline constexpr FileSentence<1> kUnresolved{
    "{what} cannot be resolved here: write its value in the file"};
inline constexpr FileSentence<1> kDynamicReference{
    "the dynamic reference {text} cannot be resolved here: write its value in the file"};
inline constexpr FileSentence<2> kNeedsParameter{
    "the parameter {name} {why}: give it with --schema-parameter {name}=VALUE"};
inline constexpr FileSentence<1> kRefKnownToAws{
    "Ref {name} is known to AWS alone: give its value with --schema-parameter {name}=VALUE"};
inline constexpr FileSentence<1> kAttributeKnownToAws{
    "Fn::GetAtt {name} is known to AWS alone: give its value with --schema-parameter {name}=VALUE"};
inline constexpr FileSentence<1> kLoop{"a variable refers to itself: {text}"};
inline constexpr FileSentence<1> kOpenVariable{"a ${{ has no }} in {text}"};
inline constexpr FileSentence<1> kVariableNoText{
    "${{{name}}} is not a string, but is used inside one"};
inline constexpr FileSentence<1> kVariableWithoutValue{"${{{name}}} has no value, and no fallback"};
inline constexpr FileSentence<1> kUnknownVariable{
    "${{{name}}} cannot be resolved here: give the output of `serverless print`, or --schema-parameter '{name}=VALUE'"};
inline constexpr system::Sentence<1> kPassedOver{"{why}; passed over"};
inline constexpr FileSentence<1> kTwice{"{name} occurs twice"};
inline constexpr system::Sentence<1> kNoYaml{"this is not YAML: {why}"};
inline constexpr system::Sentence<1> kNeitherJsonNorYaml{
    "this is not JSON, and it cannot be read as YAML either: {why}"};
inline constexpr system::Sentence<1> kUnreadable{"the file cannot be read ({why})"};
inline constexpr system::Sentence<1> kUnreadableFolder{"the folder cannot be read ({why})"};
// `address`: Terraform's name of a resource.
inline constexpr FileSentence<2> kUnsupportedIn{
    "{name} of {address} is not supported and is ignored"};
inline constexpr FileSentence<1> kTerraformNameUnknown{
    "the name of {address} is known only after apply: give the state instead of the plan, or write the name in the configuration"};
inline constexpr FileSentence<1> kTerraformOwnerUnknown{
    "the table of {address} is known only after apply, so this is ignored: give the state instead of the plan, or write the table's name in the configuration"};
inline constexpr FileSentence<2> kTerraformOwnerMissing{
    "{address} is ignored: the file has no table {table}"};
inline constexpr FileSentence<1> kTerraformItemNoJson{"the item of {address} is not a JSON object"};
inline constexpr FileSentence<1> kTerraformVersion{
    "a state of version {version} cannot be read; Terraform 0.12 and later write version 4, which can"};
inline constexpr system::Sentence<2> kTableTwice{"table {table} is also in {place}"};
inline constexpr FileSentence<1> kUnusedParameter{"--schema-parameter {name}: no file uses it"};
inline constexpr system::Sentence<4> kTableRefused{
    "{place}: table {table} is refused by {operation}: {why}"};
inline constexpr system::Sentence<4> kItemRefused{
    "{place}: an item for table {table} is refused by {operation}: {why}"};
inline constexpr system::Sentence<3> kDifference{"{setting} is {store}, in the file {file}"};

// For a start that fails. `left`: tables that could not be deleted again.
std::string not_made(std::string_view why, std::span<const std::string> left);
inline constexpr system::Sentence<1> kNoteNotWritten{
    "cannot save which tables --schema creates: {why}"};
inline constexpr system::Sentence<1> kNoteDamaged{
    "the list of the tables that an earlier --schema left unfinished is damaged: to keep all tables, put a file {name} with the line 'everybody' into the data directory"};
inline constexpr FileSentence<1> kWrongRegion{
    "the parameter AWS::Region is not a region: '{given}'"};
inline constexpr FileSentence<2> kRegionOfAnother{
    "this is for {region}, and with --isolate region its tables would be those of {owner}: give --schema-parameter AWS::Region={region}"};
std::string parts_removed(std::span<const std::string> tables);
inline constexpr system::Sentence<2> kPartNotRemoved{
    "an earlier start ended while it created table {table} of --schema, and the unfinished table cannot be deleted: {why}"};
std::string filled_so_far(std::size_t done, std::size_t items, std::string_view table);

// A message about a line of a file; line 0 means the whole file.
std::string in_file(std::string_view file, std::uint32_t line, std::string_view what);

// All differences; `tables` has a line for each table and each setting.
std::string tables_differ(std::string_view tables, std::size_t left_out);
inline constexpr system::Sentence<2> kDifferingTable{"\n  table {table} of {place}:"};

// Part of the line that says where the server listens: the tables from files. `made`: how many of
// them did not exist before.
std::string tables_of_files(std::span<const std::string> files, std::span<const std::string> tables,
                            std::size_t made);

}  // namespace magneto::server::tools::schema::messages
