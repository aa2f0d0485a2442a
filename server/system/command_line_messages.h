#pragma once

#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Errors about the command line, its variables and the configuration file, and texts that it
// prints.
namespace magneto::server::system::messages {

// `flag` has its dashes. A message about a value follows the flag's name.
inline constexpr Sentence<2> kUsageError{"magneto: {problem} ({command} --help lists the flags)\n"};
inline constexpr Sentence<3> kOfFlagAndVariable{"{flag} ({variable}) {problem}"};
inline constexpr Sentence<2> kOfFlag{"{flag} {problem}"};
inline constexpr const char* kEmptyValue = "is empty: give a value, or leave it out";
inline constexpr Sentence<3> kNotANumber{
    "must be a whole number from {lowest} to {highest}, not '{given}'"};
std::string not_a_quantity(double lowest, double highest, std::string_view given);
inline constexpr Sentence<2> kNotOneOf{"must be one of {names}, not '{given}'"};
inline constexpr Sentence<2> kNotAList{"must be * or a list of {of_what}, not '{given}'"};
inline constexpr const char* kOrigins = "origins such as http://a.example:3000";
inline constexpr const char* kHosts = "names without a port";
inline constexpr Sentence<1> kNeedsValue{"{flag} needs a value"};
inline constexpr Sentence<1> kGivenTwice{"{flag} is given more than once; it takes one value"};
inline constexpr const char* kNotASwitch = "is either true or false";
// `nearest`: the flag that was probably meant; empty if none is similar.
std::string unknown_argument(std::string_view argument, std::string_view nearest);
// `word` is a command that is not the first word.
inline constexpr Sentence<1> kMisplacedCommand{
    "{word} is a command, and must come first: magneto {word}"};
inline constexpr Sentence<1> kMissingWords{"at least one {type} is required"};
std::string unknown_command(std::string_view word, std::string_view nearest,
                            std::string_view names);
std::string unknown_variable(std::string_view name, std::string_view nearest);
inline constexpr Sentence<1> kNotAServerUrl{
    "--url must be a URL such as http://localhost:8000, not '{given}'"};
// The result of a failed health check; `body` is that of the answer.
inline constexpr Sentence<3> kUnhealthy{"{url} answers with status {status}: {body}"};
// The lines of --help about commands.
std::string command_line(std::string_view name, std::string_view purpose);
inline constexpr Sentence<1> kCommandsOverview{
    "Without a command, magneto starts a server. Each command has a --help:\n{lines}"};
inline constexpr const char* kSyncWithoutDirectory =
    "--fsync needs a directory to write to: give one with --data-dir";
inline constexpr const char* kBudgetWithoutDirectory =
    "--memory-budget-mb sizes the caches of a data directory: give one with --data-dir";
inline constexpr const char* kStoreWithDirectory =
    "--store and --data-dir each say where tables are kept: give one of them";
inline constexpr const char* kStoreWithSync =
    "--fsync is for --data-dir: with --store the database decides when a write reaches its disk (fsync, synchronous_commit)";
inline constexpr const char* kPasswordWithoutStore =
    "--store-password-file has the password of --store: give both";
inline constexpr const char* kSharedWithoutStore =
    "--shared is for servers that use one database: give --store too";
inline constexpr Sentence<1> kNotWithShared{
    "{flag} is not supported with --shared: leave one of them out"};
inline constexpr const char* kRelayWithoutStore =
    "--relay passes connections on to the server that holds the store: give --store too";
inline constexpr const char* kAddressWithoutStore =
    "--advertise-address is for the other servers of a store: give --store too";
inline constexpr Sentence<1> kNotAnAddress{
    "--advertise-address must be HOST or HOST:PORT, not '{given}'"};
inline constexpr const char* kDelayWithoutReplicas =
    "--replication-delay-ms is for replicas in other regions: they need --isolate region";
inline constexpr Sentence<1> kNoPageFolder{
    "--ui-dir {path} has no index.html: give server/browser/page of the sources"};
inline constexpr const char* kPageWithoutBrowser =
    "--ui-dir names the folder of the data browser, and --no-ui removes the data browser: give one of them";
inline constexpr Sentence<1> kNoObjectsFolder{"--s3-dir {path} is not a folder: make it first"};
inline constexpr const char* kObjectsAmongData =
    "--s3-dir and --data-dir must not contain each other: clients can name every file in --s3-dir";
inline constexpr const char* kVerifyWithoutKeys =
    "--auth verify needs keys: give a file with keys, --credentials FILE";
inline constexpr const char* kKeysWithoutVerify =
    "--credentials needs --auth verify: without it, any credentials are accepted";
inline constexpr const char* kIdentitiesWithoutVerify =
    "--iam needs --auth verify: without it, the server does not know the caller";
inline constexpr const char* kKeyOfSelfSigned =
    "--tls-self-signed makes its own key: leave --tls-key out";
inline constexpr const char* kCertificateWithoutKey =
    "--tls-cert needs its private key: give it with --tls-key";
inline constexpr const char* kKeyWithoutCertificate =
    "--tls-key needs its certificate: give it with --tls-cert";
inline constexpr const char* kParametersWithoutSchema =
    "--schema-parameter needs files: name them with --schema";
inline constexpr const char* kSchemaOfNobody =
    "--schema creates tables that belong to no access key: it needs --isolate none or --isolate region";
inline constexpr Sentence<1> kNotAParameter{"must be NAME=VALUE, not '{given}'"};
// For the options of DynamoDB Local.
inline constexpr Sentence<1> kNoFolder{"-dbPath {path} is not a folder: make it first"};
std::string unknown_local_option(std::string_view argument, std::string_view nearest);
inline constexpr const char* kFolderInMemory =
    "-dbPath and -inMemory cannot be set at the same time: leave one out";

// One line for the terminal: the error that ended the command, or the progress of an import.
inline constexpr Sentence<1> kLine{"magneto: {what}\n"};

}  // namespace magneto::server::system::messages
