#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// What the command line, its variables and the configuration file are refused with, and what it prints.
namespace magneto::server::system::messages {

// `flag` with its dashes; what a value must be goes behind the flag's name.
std::string usage_error(std::string_view command, std::string_view problem);
std::string of_flag(std::string_view flag, std::string_view variable, std::string_view problem);
std::string of_flag(std::string_view flag, std::string_view problem);  // one without a variable
inline constexpr const char* kEmptyValue = "is empty: give a value, or leave it out";
std::string not_a_number(std::uint64_t lowest, std::uint64_t highest, std::string_view given);
std::string not_a_quantity(double lowest, double highest, std::string_view given);
std::string not_one_of(std::string_view names, std::string_view given);
std::string not_a_list(std::string_view of_what, std::string_view given);
inline constexpr const char* kOrigins = "origins such as http://a.example:3000";
inline constexpr const char* kHosts = "names without a port";
std::string needs_value(std::string_view flag);
std::string given_twice(std::string_view flag);
std::string not_a_switch(std::string_view flag, std::string_view variable);
std::string not_a_switch(std::string_view flag);
// `nearest`: what was probably meant; empty: nothing comes near.
std::string unknown_argument(std::string_view argument, std::string_view nearest);
// `word` is a command that does not come first.
std::string misplaced_command(std::string_view word);
std::string missing_words(std::string_view type);
std::string unknown_command(std::string_view word, std::string_view nearest,
                            std::string_view names);
std::string unknown_variable(std::string_view name, std::string_view nearest);
std::string not_a_server_url(std::string_view given);
// What a health check found; `body` is the answer's.
std::string unhealthy(std::string_view url, int status, std::string_view body);
// What --help says of commands.
std::string command_line(std::string_view name, std::string_view purpose);
std::string commands_overview(std::string_view lines);
inline constexpr const char* kSyncWithoutDirectory =
    "--fsync needs a directory to write to: give one with --data-dir";
inline constexpr const char* kBudgetWithoutDirectory =
    "--memory-budget-mb is for caches of what lies on disk: give a directory with --data-dir";
inline constexpr const char* kDelayWithoutReplicas =
    "--replication-delay-ms is for replicas in other regions: they need --isolate region";
std::string no_page_folder(std::string_view path);
inline constexpr const char* kPageWithoutBrowser =
    "--ui-dir is the folder of the data browser, which --no-ui takes away: give one of them";
std::string no_objects_folder(std::string_view path);
inline constexpr const char* kObjectsAmongData =
    "--s3-dir and --data-dir must not lie in each other: clients name what is in the first";
inline constexpr const char* kVerifyWithoutKeys =
    "--auth verify needs keys: give a file of them with --credentials";
inline constexpr const char* kKeysWithoutVerify =
    "--credentials is for --auth verify: without it, any credentials will do";
inline constexpr const char* kIdentitiesWithoutVerify =
    "--iam is for --auth verify: without it, nobody knows who asks";
inline constexpr const char* kKeyOfSelfSigned =
    "--tls-self-signed makes a key of its own: leave --tls-key out";
inline constexpr const char* kCertificateWithoutKey =
    "--tls-cert needs its private key: give it with --tls-key";
inline constexpr const char* kKeyWithoutCertificate =
    "--tls-key needs its certificate: give it with --tls-cert";
inline constexpr const char* kParametersWithoutSchema =
    "--schema-parameter is for files: name them with --schema";
inline constexpr const char* kSchemaOfNobody =
    "--schema makes tables for no particular access key: it needs --isolate none or --isolate region";
std::string not_a_parameter(std::string_view given);
// DynamoDB Local's.
std::string no_folder(std::string_view path);
std::string unknown_local_option(std::string_view argument, std::string_view nearest);
inline constexpr const char* kFolderInMemory =
    "-dbPath and -inMemory cannot be set at the same time: leave one out";

// One line for the terminal: the error that ended it, or how an import goes on.
std::string line(std::string_view what);

}  // namespace magneto::server::system::messages
