#include "server/main/command_line.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <vector>

#include "tests/server/main/command_line_case.h"

namespace magneto::server::main {
namespace {

using std::chrono::milliseconds;

TEST(CommandLine, VerifiesWithCredentials) {
  const Config config = accepted_config({"--auth", "verify", "--credentials", "keys"});
  EXPECT_EQ(config.sessions.auth, http::AuthMode::kVerify);
  EXPECT_EQ(config.credentials_file, "keys");
  expect_usage_error({"--auth", "verify"},
                     "--auth verify needs keys: give a file with keys, --credentials FILE");
  expect_usage_error({"--credentials", "keys"},
                     "--credentials needs --auth verify: without it, any credentials are accepted");
  expect_usage_error({"--iam", "users"},
                     "--iam needs --auth verify: without it, the server does not know the caller");
}

TEST(CommandLine, ServesTheBrowserUnlessToldNotTo) {
  EXPECT_TRUE(accepted_config({}).has_browser);
  EXPECT_FALSE(accepted_config({"--no-ui"}).has_browser);
}

TEST(CommandLine, TakesACertificateWithItsKey) {
  EXPECT_FALSE(accepted_config({}).speaks_tls());
  const Config files = accepted_config({"--tls-cert", "a.pem", "--tls-key", "a.key"});
  EXPECT_EQ(files.tls_certificate, "a.pem");
  EXPECT_EQ(files.tls_key, "a.key");
  EXPECT_TRUE(files.speaks_tls());
  EXPECT_TRUE(accepted_config({"--tls-self-signed"}).speaks_tls());
  EXPECT_EQ(accepted_config({"--tls-self-signed", "--tls-cert", "a.pem"}).tls_certificate, "a.pem");
  expect_usage_error({"--tls-cert", "a.pem"},
                     "--tls-cert needs its private key: give it with --tls-key");
  expect_usage_error({"--tls-key", "a.key"},
                     "--tls-key needs its certificate: give it with --tls-cert");
  expect_usage_error({"--tls-self-signed", "--tls-key", "a.key"},
                     "--tls-self-signed makes its own key: leave --tls-key out");
}

TEST(CommandLine, HasDefaults) {
  const Config config = accepted_config({});
  EXPECT_EQ(config.port, 8000);
  EXPECT_EQ(config.host, "localhost");
  EXPECT_EQ(config.profile, api::Profile::kAws);
  EXPECT_EQ(config.isolation, api::Isolation::kNone);
  EXPECT_EQ(config.data_directory, "");
  EXPECT_FALSE(config.sync_writes);
  EXPECT_FALSE(config.enforce_throughput);
  EXPECT_EQ(config.threads, 0U);
  EXPECT_EQ(config.partitions, 0U);
  EXPECT_EQ(config.history_megabytes, std::nullopt);
  EXPECT_EQ(config.control_plane_delay, milliseconds(0));
  EXPECT_EQ(config.global_index_delay, std::nullopt);
  EXPECT_EQ(config.time_to_live_delay, milliseconds(10'000));
  EXPECT_EQ(config.sessions.auth, http::AuthMode::kShape);
  EXPECT_EQ(config.isolation, api::Isolation::kNone);
  EXPECT_TRUE(config.cors_origins.empty());
  EXPECT_EQ(config.allowed_hosts, std::nullopt);
  EXPECT_EQ(config.port_file, "");
  EXPECT_EQ(config.log_level, system::LogLevel::kWarning);
}

TEST(CommandLine, ReadsFlags) {
  const Config config = accepted_config({"--port",
                                         "0",
                                         "--host=::1",
                                         "--data-dir",
                                         "d",
                                         "--fsync",
                                         "--enforce-throughput",
                                         "--threads",
                                         "3",
                                         "--partitions",
                                         "7",
                                         "--control-plane-delay-ms",
                                         "20",
                                         "--gsi-delay-ms",
                                         "0",
                                         "--ttl-delay-ms",
                                         "30",
                                         "--auth",
                                         "off",
                                         "--isolate",
                                         "credentials",
                                         "--port-file",
                                         "f",
                                         "--memory-budget-mb",
                                         "64",
                                         "--pitr-max-mb",
                                         "5",
                                         "--max-connections",
                                         "9",
                                         "--log-level",
                                         "debug"});
  EXPECT_EQ(config.port, 0);
  EXPECT_EQ(config.host, "::1");
  EXPECT_EQ(config.data_directory, "d");
  EXPECT_TRUE(config.sync_writes);
  EXPECT_TRUE(config.enforce_throughput);
  EXPECT_EQ(config.threads, 3U);
  EXPECT_EQ(config.partitions, 7U);
  EXPECT_EQ(config.control_plane_delay, milliseconds(20));
  EXPECT_EQ(config.global_index_delay, milliseconds(0));
  EXPECT_EQ(config.time_to_live_delay, milliseconds(30));
  EXPECT_EQ(config.history_megabytes, 5U);
  EXPECT_EQ(config.sessions.auth, http::AuthMode::kOff);
  EXPECT_EQ(config.isolation, api::Isolation::kCredentials);
  EXPECT_EQ(config.port_file, "f");
  EXPECT_EQ(config.memory_budget_megabytes, 64U);
  EXPECT_EQ(config.max_connections, 9U);
  EXPECT_EQ(config.log_level, system::LogLevel::kDebug);
}

TEST(CommandLine, ReadsListsOfOriginsAndHosts) {
  using Names = std::vector<std::string>;
  const Config config =
      accepted_config({"--cors", "http://a.example:80, null ,", "--allowed-hosts=db,::1"});
  EXPECT_EQ(config.cors_origins, (Names{"http://a.example", "null"}));
  EXPECT_EQ(config.allowed_hosts, (Names{"db", "[::1]"}));
  const EnvironmentVariable origins("MAGNETO_CORS", "*");
  const EnvironmentVariable hosts("MAGNETO_ALLOWED_HOSTS", "*");
  EXPECT_EQ(accepted_config({}).cors_origins, Names{"*"});
  EXPECT_EQ(accepted_config({}).allowed_hosts, Names{"*"});
  EXPECT_EQ(accepted_config({"--cors", "https://b.example"}).cors_origins,
            Names{"https://b.example"});
  expect_usage_error({"--cors", "http://a.example/"},
                     "--cors (MAGNETO_CORS) must be * or a list of origins such as "
                     "http://a.example:3000, not 'http://a.example/'");
  expect_usage_error(
      {"--allowed-hosts", "a,db:8000"},
      "--allowed-hosts (MAGNETO_ALLOWED_HOSTS) must be * or a list of names without a "
      "port, not 'db:8000'");
}

TEST(CommandLine, ReadsTheEnvironment) {
  const EnvironmentVariable port("MAGNETO_PORT", "1234");
  const EnvironmentVariable directory("MAGNETO_DATA_DIR", "d");
  const EnvironmentVariable sync("MAGNETO_FSYNC", "true");
  const EnvironmentVariable throughput("MAGNETO_ENFORCE_THROUGHPUT", "true");
  const EnvironmentVariable delay("MAGNETO_GSI_DELAY_MS", "5");
  const EnvironmentVariable auth("MAGNETO_AUTH", "off");
  const EnvironmentVariable empty("MAGNETO_THREADS", "");
  const Config config = accepted_config({});
  EXPECT_EQ(config.port, 1234);
  EXPECT_EQ(config.data_directory, "d");
  EXPECT_TRUE(config.sync_writes);
  EXPECT_TRUE(config.enforce_throughput);
  EXPECT_EQ(config.global_index_delay, milliseconds(5));
  EXPECT_EQ(config.sessions.auth, http::AuthMode::kOff);
  EXPECT_EQ(config.threads, 0U);
}

TEST(CommandLine, PrefersFlagsToTheEnvironmentAndLaterToEarlier) {
  const EnvironmentVariable port("MAGNETO_PORT", "1234");
  EXPECT_EQ(accepted_config({"--port", "5678"}).port, 5678);
  EXPECT_EQ(accepted_config({"--port", "5678", "--port", "9"}).port, 9);
}

TEST(CommandLine, SaysWhatIsWrong) {
  expect_usage_error({"--port", "abc"},
                     "--port (MAGNETO_PORT) must be a whole number from 0 to 65535, not 'abc'");
  expect_usage_error({"--port", "65536"},
                     "--port (MAGNETO_PORT) must be a whole number from 0 to 65535, not '65536'");
  expect_usage_error({"--port", "-1"},
                     "--port (MAGNETO_PORT) must be a whole number from 0 to 65535, not '-1'");
  expect_usage_error({"--threads", "0"},
                     "--threads (MAGNETO_THREADS) must be a whole number from 1 to 256, not '0'");
  expect_usage_error({"--auth", "maybe"},
                     "--auth (MAGNETO_AUTH) must be one of off, shape, verify, not 'maybe'");
  expect_usage_error(
      {"--isolate", "key"},
      "--isolate (MAGNETO_ISOLATE) must be one of credentials, none, region, not 'key'");
  expect_usage_error({"--port"}, "--port needs a value");
  expect_usage_error({"--bogus", "--more"}, "unknown argument --bogus");
  expect_usage_error({"--no-ui", "stray"}, "unknown argument stray");
  expect_usage_error({"--fsync"},
                     "--fsync needs a directory to write to: give one with --data-dir");
  const EnvironmentVariable sync("MAGNETO_FSYNC", "perhaps");
  expect_usage_error({}, "--fsync (MAGNETO_FSYNC) is either true or false");
}

TEST(CommandLine, ReadsAndRefusesFlagsOfAStore) {
  const Config config =
      accepted_config({"--store", "postgres://a@b/c", "--store-password-file", "p",
                       "--store-connections", "4", "--lease-ms", "900", "--memory-budget-mb", "64",
                       "--relay", "--advertise-address", "db-front-1:8001"});
  EXPECT_TRUE(config.relays);
  EXPECT_EQ(config.advertise_address, "db-front-1:8001");
  EXPECT_EQ(config.store, "postgres://a@b/c");
  EXPECT_EQ(config.store_password_file, "p");
  EXPECT_EQ(config.store_connections, 4U);
  EXPECT_EQ(config.lease, std::chrono::milliseconds(900));
  EXPECT_FALSE(config.is_in_memory());
  expect_usage_error({"--store", "postgres://a@b/c", "--data-dir", "d"},
                     "--store and --data-dir each say where tables are kept: give one of them");
  expect_usage_error(
      {"--store", "postgres://a@b/c", "--fsync"},
      "--fsync is for --data-dir: with --store the database decides when a write reaches its disk (fsync, synchronous_commit)");
  expect_usage_error(
      {"--relay"},
      "--relay passes connections on to the server that holds the store: give --store too");
  expect_usage_error({"--advertise-address", "a"},
                     "--advertise-address is for the other servers of a store: give --store too");
  for (const std::string given : {"a/", "a:b", "a:", ":1", "http://a", "a b", "a:70000", "a?"}) {
    expect_usage_error({"--store", "postgres://a@b/c", "--advertise-address", given.c_str()},
                       "--advertise-address must be HOST or HOST:PORT, not '" + given + "'");
  }
  expect_usage_error({"--store-password-file", "p"},
                     "--store-password-file has the password of --store: give both");
  expect_usage_error(
      {"--store", "postgres://a@b/c", "--lease-ms", "499"},
      "--lease-ms (MAGNETO_LEASE_MS) must be a whole number from 500 to 600000, not '499'");
  expect_usage_error(
      {"--store", "postgres://a@b/c", "--store-connections", "1"},
      "--store-connections (MAGNETO_STORE_CONNECTIONS) must be a whole number from 2 to 256, not '1'");
}

// "--data-dir $UNSET" would serve from memory.
TEST(CommandLine, RefusesEmptyTexts) {
  const std::string problem = " is empty: give a value, or leave it out";
  for (const char* const flag :
       {"--data-dir", "--credentials", "--iam", "--event-sources", "--s3-dir", "--s3-endpoint",
        "--kinesis-endpoint", "--port-file", "--access-log", "--tls-cert", "--tls-key", "--host",
        "--schema", "--ui-dir", "--store", "--store-password-file", "--advertise-address"}) {
    std::string variable = "MAGNETO_" + std::string(flag + 2);
    for (char& c : variable) c = c == '-' ? '_' : static_cast<char>(std::toupper(c));
    const std::string told = std::string(flag) + " (" + variable + ")" + problem;
    expect_usage_error({flag, ""}, told);
    expect_usage_error({(std::string(flag) + "=").c_str(), "--fsync"}, told);
    const EnvironmentVariable empty(variable.c_str(), "");
    expect_usage_error({}, told);
  }
  const EnvironmentVariable empty("MAGNETO_DATA_DIR", "");
  EXPECT_EQ(accepted_config({"--data-dir", "d"}).data_directory, "d");
  EXPECT_TRUE(
      accepted_config({"--data-dir=d", "--cors=", "--allowed-hosts", ""}).cors_origins.empty());
  EXPECT_EQ(accepted_config({"--data-dir=d", "--control-token=a="}).control_token, "a=");
}

TEST(CommandLine, NamesWhatAFlagLacks) {
  expect_usage_error(
      {"--memory-budget-mb", "64"},
      "--memory-budget-mb sizes the caches of a data directory: give one with --data-dir");
  for (const char* const isolation : {"none", "credentials"}) {
    expect_usage_error(
        {"--replication-delay-ms", "0", "--isolate", isolation},
        "--replication-delay-ms is for replicas in other regions: they need --isolate "
        "region");
  }
  EXPECT_EQ(
      accepted_config({"--replication-delay-ms", "7", "--isolate", "region"}).replication_delay,
      milliseconds(7));
}

TEST(CommandLine, TakesSwitchesFromTheEnvironmentAsTrueOrFalse) {
  const EnvironmentVariable throughput("MAGNETO_ENFORCE_THROUGHPUT", "perhaps");
  expect_usage_error({},
                     "--enforce-throughput (MAGNETO_ENFORCE_THROUGHPUT) is either true or false");
}

TEST(CommandLine, NamesTheEnvironmentsMistakes) {
  const EnvironmentVariable level("MAGNETO_LOG_LEVEL", "loud");
  expect_usage_error(
      {},
      "--log-level (MAGNETO_LOG_LEVEL) must be one of debug, error, info, off, warning, "
      "not 'loud'");
}

TEST(CommandLine, ExplainsItself) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(std::get<int>(parse_words({"--help"})), 0);
  const std::string help = testing::internal::GetCapturedStdout();
  for (const std::string_view flag : {"--port",
                                      "--host",
                                      "--data-dir",
                                      "--fsync",
                                      "--threads",
                                      "--partitions",
                                      "--control-plane-delay-ms",
                                      "--gsi-delay-ms",
                                      "--ttl-delay-ms",
                                      "--enforce-throughput",
                                      "--auth",
                                      "--isolate",
                                      "--cors",
                                      "--allowed-hosts",
                                      "--port-file",
                                      "--memory-budget-mb",
                                      "--max-connections",
                                      "--log-level",
                                      "--version",
                                      "--help",
                                      "magneto replay",
                                      "magneto healthcheck",
                                      "Examples:"}) {
    EXPECT_NE(help.find(flag), std::string::npos) << flag;
  }
  testing::internal::CaptureStdout();
  EXPECT_EQ(std::get<int>(parse_words({"--version"})), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "magneto " MAGNETO_VERSION "\n");
}

TEST(CommandLine, UnderstandsThatOfDynamoDbLocal) {
  const Config config = accepted_config(
      {"-Djava.library.path=./DynamoDBLocal_lib", "-Xmx1g", "-jar", "DynamoDBLocal.jar", "-dbPath",
       "/tmp", "-port", "9000", "-cors", "app.example,http://b.example", "-optimizeDbBeforeStartup",
       "-disableTelemetry", "-delayTransientStatuses"});
  EXPECT_EQ(config.profile, api::Profile::kDynamoDbLocal);
  EXPECT_EQ(config.host, "::");
  EXPECT_EQ(config.port, 9000);
  EXPECT_EQ(config.partitions, 1U);
  EXPECT_EQ(config.dynamodb_local_folder, "/tmp");
  EXPECT_EQ(config.data_directory, "/tmp/magneto");
  EXPECT_EQ(config.isolation, api::Isolation::kCredentials);
  EXPECT_NE(config.control_plane_delay, milliseconds(0));
  EXPECT_FALSE(config.delays_whole_tables);
  EXPECT_EQ(
      config.cors_origins,
      std::vector<std::string>({"http://app.example", "https://app.example", "http://b.example"}));
}

TEST(CommandLine, KeepsFilesInTheWorkingDirectoryAsDynamoDbLocalDoes) {
  EXPECT_EQ(accepted_config({"-jar", "DynamoDBLocal.jar"}).data_directory, "./magneto");
  const Config in_memory = accepted_config({"-inMemory", "-sharedDb"});
  EXPECT_EQ(in_memory.data_directory, "");
  EXPECT_EQ(in_memory.dynamodb_local_folder, "");
  EXPECT_EQ(in_memory.isolation, api::Isolation::kNone);
}

TEST(CommandLine, TakesOurFlagsBesideThoseOfDynamoDbLocal) {
  const Config config = accepted_config({"-inMemory", "--gsi-delay-ms", "50", "--host", "127.0.0.1",
                                         "--partitions=4", "--enforce-throughput", "-port=9001"});
  EXPECT_EQ(config.profile, api::Profile::kDynamoDbLocal);
  EXPECT_EQ(config.global_index_delay, milliseconds(50));
  EXPECT_EQ(config.host, "127.0.0.1");
  EXPECT_EQ(config.partitions, 4U);
  EXPECT_TRUE(config.enforce_throughput);
  EXPECT_EQ(config.port, 9001);
}

TEST(CommandLine, LikeChoosesTheProfile) {
  const Config local = accepted_config({"--like", "dynamodb-local"});
  EXPECT_EQ(local.profile, api::Profile::kDynamoDbLocal);
  EXPECT_EQ(local.data_directory, "");
  EXPECT_EQ(local.isolation, api::Isolation::kCredentials);
  EXPECT_EQ(accepted_config({"-inMemory", "--like", "aws"}).profile, api::Profile::kAws);
  const EnvironmentVariable like("MAGNETO_LIKE", "dynamodb-local");
  EXPECT_EQ(accepted_config({}).profile, api::Profile::kDynamoDbLocal);
  expect_usage_error({"--like", "sqlite"},
                     "--like (MAGNETO_LIKE) must be one of aws, dynamodb-local, not 'sqlite'");
}

TEST(CommandLine, SchemasAndTheirParametersAddUp) {
  const Config config =
      accepted_config({"--schema", "a.yaml", "--schema=folder", "--schema-parameter", "Stage=dev",
                       "--schema-parameter", "Key.Arn=a=b"});
  EXPECT_EQ(config.schema_files, (std::vector<std::string>{"a.yaml", "folder"}));
  EXPECT_EQ(config.schema_parameters.at("Stage"), "dev");
  EXPECT_EQ(config.schema_parameters.at("Key.Arn"), "a=b");
  const EnvironmentVariable file("MAGNETO_SCHEMA", "of, the environment");
  EXPECT_EQ(accepted_config({}).schema_files, std::vector<std::string>{"of, the environment"});
}

TEST(CommandLine, TakesAFolderOfThePage) {
  const std::string page = std::string(MAGNETO_SOURCE_DIR) + "/server/browser/page";
  EXPECT_EQ(accepted_config({"--ui-dir", page.c_str()}).browser_folder, page);
  expect_usage_error({"--ui-dir", "/proc"},
                     "--ui-dir /proc has no index.html: give server/browser/page of the sources");
  expect_usage_error(
      {"--ui-dir", page.c_str(), "--no-ui"},
      "--ui-dir names the folder of the data browser, and --no-ui removes the data browser: "
      "give one of them");
}

TEST(CommandLine, TakesOnePlaceOfBuckets) {
  const char* const both =
      "--s3-dir and --s3-endpoint are two places for the same buckets: give one of them";
  expect_usage_error({"--s3-dir", "/", "--s3-endpoint", "https://s3.eu-west-1.amazonaws.com"},
                     both);
  for (const char* const url :
       {"localhost:9000", "http://", "http://a/path", "ftp://a", "http://a:b"}) {
    expect_usage_error({"--s3-endpoint", url}, std::string("--s3-endpoint ") + url +
                                                   " is not a URL such as http://localhost:9000");
  }
}

TEST(CommandLine, RefusesSchemasOfNobody) {
  expect_usage_error({"--schema", "a", "--schema-parameter", "=x"},
                     "--schema-parameter (MAGNETO_SCHEMA_PARAMETER) must be NAME=VALUE, not '=x'");
  expect_usage_error({"--schema-parameter", "a=x"},
                     "--schema-parameter needs files: name them with --schema");
  expect_usage_error(
      {"--schema", "a", "--isolate", "credentials"},
      "--schema creates tables that belong to no access key: it needs --isolate none or "
      "--isolate region");
}

TEST(CommandLine, RefusesWhatDynamoDbLocalRefuses) {
  expect_usage_error({"-inMemory", "-dbPath", "."},
                     "-dbPath and -inMemory cannot be set at the same time: leave one out");
  expect_usage_error({"-inMemory", "-bogus"},
                     "DynamoDB Local has no option -bogus; -help lists the options");
  expect_usage_error({"-inMemory", "-port"}, "-port needs a value");
  expect_usage_error({"-dbPath", "/nonexistent"},
                     "-dbPath /nonexistent is not a folder: make it first");
  expect_usage_error({"-inMemory", "-port", "abc"},
                     "--port (MAGNETO_PORT) must be a whole number from 0 to 65535, not 'abc'");
}

}  // namespace
}  // namespace magneto::server::main
