#include "server/client/endpoint/aws_profile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "tests/support/engines.h"

namespace magneto::server::client {
namespace {

class AwsProfileTest : public testing::Test {
 protected:
  AwsProfileTest() { std::filesystem::create_directory(home_.file(".aws")); }

  void write(const std::string& name, std::string_view text) {
    std::ofstream(home_.file(".aws/" + name)) << text;
  }

  AwsProfile find(std::string_view profile = {},
                  std::map<std::string, std::string> variables = {}) {
    variables.try_emplace("HOME", home_.path());
    return find_aws_profile(profile, [&](const char* name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
  }

  std::string problem(std::string_view profile, std::map<std::string, std::string> variables = {}) {
    try {
      find(profile, std::move(variables));
    } catch (const ProfileError& error) {
      return error.what();
    }
    return {};
  }

  const storage::TempDirectory home_;
};

TEST_F(AwsProfileTest, FindsNothingWhereNothingIs) {
  const AwsProfile found = find();
  EXPECT_EQ(found.access_key, "");
  EXPECT_EQ(found.region, "");
}

TEST_F(AwsProfileTest, PrefersTheEnvironment) {
  write("credentials", "[default]\naws_access_key_id=FILE\naws_secret_access_key=fs\n");
  write("config", "[default]\nregion = eu-west-1\n");
  const AwsProfile found = find("", {{"AWS_ACCESS_KEY_ID", "ENV"},
                                     {"AWS_SECRET_ACCESS_KEY", "es"},
                                     {"AWS_SESSION_TOKEN", "token"}});
  EXPECT_EQ(found.access_key, "ENV");
  EXPECT_EQ(found.secret_key, "es");
  EXPECT_EQ(found.session_token, "token");
  EXPECT_EQ(found.region, "eu-west-1");
  // A requested profile is used even if the environment has keys.
  EXPECT_EQ(
      find("default", {{"AWS_ACCESS_KEY_ID", "ENV"}, {"AWS_SECRET_ACCESS_KEY", "es"}}).access_key,
      "FILE");
}

TEST_F(AwsProfileTest, ReadsProfilesOfBothFiles) {
  write("credentials",
        "[a]\naws_access_key_id = A\naws_secret_access_key = as\naws_session_token = at\n"
        "[b]\naws_access_key_id = B\naws_secret_access_key = bs\n");
  write("config",
        "[profile a]\nregion = us-west-2\naws_access_key_id = OTHER\naws_secret_access_key = os\n"
        "[profile c]\naws_access_key_id = C\naws_secret_access_key = cs\n");
  EXPECT_EQ(find("a").secret_key, "as");
  EXPECT_EQ(find("a").session_token, "at");
  EXPECT_EQ(find("a").region, "us-west-2");
  EXPECT_EQ(find("", {{"AWS_PROFILE", "b"}}).access_key, "B");
  EXPECT_EQ(find("", {{"AWS_PROFILE", "b"}}).session_token, "");
  EXPECT_EQ(find("c").access_key, "C");
  EXPECT_EQ(find("a", {{"AWS_REGION", "ap-south-1"}}).region, "ap-south-1");
  EXPECT_EQ(find("a", {{"AWS_DEFAULT_REGION", "ap-south-1"}}).region, "ap-south-1");
}

TEST_F(AwsProfileTest, RefusesByNameWhatItCannotDo) {
  write("config",
        "[profile process]\ncredential_process = /bin/keys\n[profile sso]\nsso_session = s\n"
        "[profile role]\nrole_arn = arn\nsource_profile = default\naws_access_key_id = K\n"
        "aws_secret_access_key = s\n[profile half]\naws_access_key_id = K\n");
  EXPECT_NE(problem("process").find("credential_process"), std::string::npos);
  EXPECT_NE(problem("process").find("--profile process"), std::string::npos);
  EXPECT_NE(problem("sso").find("sso_session"), std::string::npos);
  EXPECT_NE(problem("role").find("role_arn"), std::string::npos);
  EXPECT_NE(problem("half").find("aws_secret_access_key"), std::string::npos);
  EXPECT_NE(problem("none").find("no profile none"), std::string::npos);
  EXPECT_NE(problem("", {{"AWS_PROFILE", "gone"}}).find("no profile gone"), std::string::npos);
  EXPECT_NE(problem("", {{"AWS_ACCESS_KEY_ID", "k"}}).find("AWS_SECRET_ACCESS_KEY"),
            std::string::npos);
  EXPECT_NE(problem("", {{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://x"}}).find("CONTAINER"),
            std::string::npos);
}

TEST_F(AwsProfileTest, NamesTheLineOfAFaultButNotWhatItHolds) {
  write("credentials", "[default]\naws_access_key_id=K\nSECRETWITHOUTNAME\n");
  const std::string said = problem("");
  EXPECT_NE(said.find("credentials:3"), std::string::npos) << said;
  EXPECT_EQ(said.find("SECRET"), std::string::npos) << said;
}

}  // namespace
}  // namespace magneto::server::client
