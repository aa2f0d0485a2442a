#include "server/main/dynamodb_local_arguments.h"

#include <gtest/gtest.h>

namespace magneto::server::main {
namespace {

using Arguments = std::vector<std::string>;

DynamoDbLocalArguments read(const Arguments& arguments) {
  std::string problem;
  DynamoDbLocalArguments read = read_dynamodb_local_arguments(arguments, problem);
  EXPECT_EQ(problem, "");
  return read;
}

TEST(DynamoDbLocalArguments, AreKnownByNameOrByAnOption) {
  EXPECT_TRUE(is_dynamodb_local_command("/usr/bin/java", {}));
  for (const char* const argument :
       {"-jar", "-sharedDb", "--sharedDb", "-inMemory", "-dbPath=.", "-port", "-help", "-version",
        "-Xmx512m", "-Djava.library.path=.", "-cors"}) {
    EXPECT_TRUE(is_dynamodb_local_command("magneto", {argument})) << argument;
  }
  for (const char* const argument : {"--port", "--help", "--version", "--cors", "-h", "data", ""}) {
    EXPECT_FALSE(is_dynamodb_local_command("/usr/local/bin/magneto", {argument})) << argument;
  }
}

TEST(DynamoDbLocalArguments, ForgetWhatIsTheJvms) {
  const DynamoDbLocalArguments arguments = read(
      {"-server", "-Xms64m", "-XX:+UseG1GC", "-Da=b", "-cp", "a.jar:b.jar",
       "com.example.ServerRunner", "-ea", "--add-modules", "x", "-agentlib:jdwp=a", "-sharedDb"});
  EXPECT_TRUE(arguments.flags.empty());
  EXPECT_TRUE(arguments.shared);
  EXPECT_FALSE(arguments.in_memory);
  EXPECT_EQ(arguments.folder, ".");
}

TEST(DynamoDbLocalArguments, ReadValuesBehindABlankOrASign) {
  EXPECT_EQ(read({"-dbPath", "/data"}).folder, "/data");
  EXPECT_EQ(read({"--dbPath=/data"}).folder, "/data");
  EXPECT_EQ(read({"-port=1"}).flags, Arguments({"--port", "1"}));
  EXPECT_EQ(read({"-cors", "*"}).flags, Arguments({"--cors", "*"}));
  EXPECT_EQ(read({"--fsync", "--data-dir", "x"}).flags, Arguments({"--fsync", "--data-dir", "x"}));
}

}  // namespace
}  // namespace magneto::server::main
