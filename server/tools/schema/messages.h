#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "server/system/sentence.h"

// What the user is told of files of --schema. Texts of a file are shortened.
namespace magneto::server::tools::schema::messages {

// So much of a text of the file as a message shows.
std::string shortened(std::string_view text);

// A sentence that shows texts of a file.
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
inline constexpr FileSentence<1> kUnsupported{"{name} is not supported, and left out"};
inline constexpr FileSentence<2> kUnknownMember{"unknown member {name}; did you mean {nearest}?"};
inline constexpr FileSentence<2> kUnknownType{"unknown type {name}; did you mean {nearest}?"};
inline constexpr FileSentence<1> kOnlyReplica{"of the replicas, only that of {region} is made"};
inline constexpr FileSentence<1> kNotLookedAt{"{name} is not looked at"};
inline constexpr FileSentence<1> kNestedStack{
    "the nested stack {name} is not followed: give its template with --schema too"};
inline constexpr system::Sentence<2> kTooFew{"{function} needs a list of {count} values"};
inline constexpr FileSentence<1> kNoText{"{what} is no text"};
inline constexpr FileSentence<1> kNoSuchName{
    "Ref {name}: there is neither a parameter nor a resource of that name"};
inline constexpr FileSentence<1> kSubNoText{"${{{name}}} in Fn::Sub is no text"};
inline constexpr FileSentence<3> kNothingInMap{
    "Fn::FindInMap finds nothing under {map}, {first}, {second}"};
inline constexpr FileSentence<1> kNoSuchValue{"Fn::Select has no value number {index}"};
inline constexpr FileSentence<1> kNoSuchCondition{"there is no condition {name}"};
inline constexpr FileSentence<1> kUnresolved{
    "{what} cannot be resolved here: write its value into the file"};
inline constexpr FileSentence<1> kDynamicReference{
    "the dynamic reference {text} cannot be resolved here: write its value into the file"};
inline constexpr FileSentence<2> kNeedsParameter{
    "the parameter {name} {why}: give it with --schema-parameter {name}=VALUE"};
inline constexpr FileSentence<1> kRefKnownToAws{
    "Ref {name} is known to AWS alone: give its value with --schema-parameter {name}=VALUE"};
inline constexpr FileSentence<1> kAttributeKnownToAws{
    "Fn::GetAtt {name} is known to AWS alone: give its value with --schema-parameter {name}=VALUE"};
inline constexpr FileSentence<1> kLoop{"a variable refers to itself: {text}"};
inline constexpr FileSentence<1> kOpenVariable{"a ${{ has no }} in {text}"};
inline constexpr FileSentence<1> kVariableNoText{"${{{name}}} is no text, and stands in one"};
inline constexpr FileSentence<1> kVariableWithoutValue{"${{{name}}} has no value, and no fallback"};
inline constexpr FileSentence<1> kUnknownVariable{
    "${{{name}}} cannot be resolved here: give the output of `serverless print`, or --schema-parameter '{name}=VALUE'"};
inline constexpr system::Sentence<1> kPassedOver{"{why}; passed over"};
inline constexpr FileSentence<1> kTwice{"{name} is there twice"};
inline constexpr system::Sentence<1> kNoYaml{"this is no YAML: {why}"};
inline constexpr system::Sentence<1> kNeitherJsonNorYaml{
    "this is no JSON, and as YAML it cannot be read either: {why}"};
inline constexpr system::Sentence<1> kUnreadable{"the file cannot be read ({why})"};
inline constexpr system::Sentence<1> kUnreadableFolder{"the folder cannot be read ({why})"};
// `address`: what Terraform calls a resource.
inline constexpr FileSentence<2> kUnsupportedIn{
    "{name} of {address} is not supported, and left out"};
inline constexpr FileSentence<1> kTerraformNameUnknown{
    "the name of {address} is known after it is applied only: give the state instead of the plan, or write the name into the configuration"};
inline constexpr FileSentence<1> kTerraformOwnerUnknown{
    "the table of {address} is known after it is applied only, so this is left out: give the state instead of the plan, or write the table's name into the configuration"};
inline constexpr FileSentence<2> kTerraformOwnerMissing{
    "{address} is left out: the file has no table {table}"};
inline constexpr FileSentence<1> kTerraformItemNoJson{"the item of {address} is no JSON object"};
inline constexpr FileSentence<1> kTerraformVersion{
    "a state of version {version} is not read, but one of version 4: Terraform 0.12 and later write it"};
inline constexpr system::Sentence<2> kTableTwice{"there is a table {table} in {place} too"};
inline constexpr FileSentence<1> kUnusedParameter{"--schema-parameter {name}: no file asks for it"};
inline constexpr system::Sentence<4> kTableRefused{
    "{place}: table {table} is refused by {operation}: {why}"};
inline constexpr system::Sentence<4> kItemRefused{
    "{place}: an item for table {table} is refused by {operation}: {why}"};
inline constexpr system::Sentence<3> kDifference{"{setting} is {store}, in the file {file}"};

// A start that does not come to its end. `left`: tables that could not be deleted again.
std::string not_made(std::string_view why, std::span<const std::string> left);
inline constexpr system::Sentence<2> kNoteNotWritten{
    "cannot write {path}, where the tables that --schema makes are noted ({why}); make room, or make it writable"};
inline constexpr system::Sentence<1> kNoteUnreadable{
    "cannot read {path}, which says which tables an earlier start made in part"};
inline constexpr FileSentence<1> kWrongRegion{"the parameter AWS::Region is no region: '{given}'"};
inline constexpr FileSentence<2> kRegionOfAnother{
    "this is for {region}, and with --isolate region its tables would be those of {owner}: give --schema-parameter AWS::Region={region}"};
std::string parts_removed(std::span<const std::string> tables);
inline constexpr system::Sentence<2> kPartNotRemoved{
    "an earlier start was ended while it made table {table} of --schema, and what there is of it cannot be deleted: {why}"};
std::string filled_so_far(std::size_t done, std::size_t items, std::string_view table);

// What is said of a line of a file; line 0: of the whole.
std::string in_file(std::string_view file, std::uint32_t line, std::string_view what);

// All that differs; `tables` has a line for each table and each setting.
std::string tables_differ(std::string_view tables, std::size_t left_out);
inline constexpr system::Sentence<2> kDifferingTable{"\n  table {table} of {place}:"};

// Of the line that says where the server listens: which tables there are now. `made`: how many of them
// were not there before.
std::string tables_of_files(std::span<const std::string> files, std::span<const std::string> tables,
                            std::size_t made);

}  // namespace magneto::server::tools::schema::messages
