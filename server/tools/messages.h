#pragma once

#include "server/system/sentence.h"

// Errors about the command lines of commands.
namespace magneto::server::tools::messages {

// The command line has no endpoint. `flag`: "--to" or "--from".
inline constexpr system::Sentence<1> kNoEndpoint{
    "give the endpoint with {flag}, or Magneto's files with --data-dir"};
// For --format json, which may mean two formats; `names` are the names of all formats.
inline constexpr system::Sentence<1> kWhichJson{
    "json can mean two formats: json-typed is DynamoDB's, with {{\"S\": \"x\"}} as a value, json-plain has \"x\"; it must be one of {names}"};
inline constexpr system::Sentence<1> kNoDirectory{"{path} is not a directory"};
inline constexpr const char* kFolderNeeded = "--format aws needs a folder, not -";
inline constexpr const char* kNoFolderReplaced =
    "--force does not replace a folder; with --format aws, remove it first";

}  // namespace magneto::server::tools::messages
