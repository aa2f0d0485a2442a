#include "server/http/auth/credential_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/support/engines.h"

namespace magneto::server::http {
namespace {

constexpr std::string_view kKeys = "aws_access_key_id = AKIA\naws_secret_access_key = s/+=\n";

client::Credential only_credential(std::string_view text) {
  const auto set = parse_credentials(text, "keys.ini");
  EXPECT_EQ(set->by_access_key.size(), 1U);
  return set->by_access_key.begin()->second;
}

void expect_file_refused(std::string_view text, std::string_view message) {
  try {
    parse_credentials(text, "keys.ini");
    ADD_FAILURE() << message;
  } catch (const CredentialFileError& error) {
    EXPECT_EQ(error.what(), message);
  }
}

std::string profile(std::string_view more) {
  return "[ana]\n" + std::string(kKeys) + std::string(more);
}

TEST(ParseCredentials, ReadsAProfileOfAwsTools) {
  const client::Credential credential =
      only_credential(profile("region = eu-west-2\ns3 =\n  a = b\n"));
  EXPECT_EQ(credential.access_key, "AKIA");
  EXPECT_EQ(credential.secret_key, "s/+=");
  EXPECT_EQ(credential.session_token, "");
  EXPECT_EQ(credential.expiration, std::nullopt);
  EXPECT_EQ(credential.account, "000000000000");
  EXPECT_EQ(credential.principal_arn, "arn:aws:iam::000000000000:user/ana");
}

TEST(ParseCredentials, ReadsWhoseAKeyIs) {
  const client::Credential of_account = only_credential(profile("aws_account_id = 123456789012"));
  EXPECT_EQ(of_account.account, "123456789012");
  EXPECT_EQ(of_account.principal_arn, "arn:aws:iam::123456789012:user/ana");
  const std::string arn = "arn:aws:sts::210987654321:assumed-role/reader/one";
  const client::Credential of_principal = only_credential(profile("principal_arn = " + arn));
  EXPECT_EQ(of_principal.account, "210987654321");
  EXPECT_EQ(of_principal.principal_arn, arn);
  const client::Credential of_key =
      only_credential("[profile bo]\naws_access_key_id=111122223333\naws_secret_access_key=s");
  EXPECT_EQ(of_key.account, "111122223333");
  EXPECT_EQ(of_key.principal_arn, "arn:aws:iam::111122223333:user/bo");
}

TEST(ParseCredentials, ReadsSessions) {
  const client::Credential session = only_credential(
      profile("aws_session_token = to/ken==\naws_credential_expiration = 2026-01-02T03:04:05Z"));
  EXPECT_EQ(session.session_token, "to/ken==");
  EXPECT_EQ(session.expiration, client::parse_time("20260102T030405Z"));
}

TEST(ParseCredentials, TakesOneKeyUnderTwoNames) {
  const std::string twice = profile("") + "[bo]\n" + std::string(kKeys);
  EXPECT_EQ(only_credential(twice).profile, "ana");
  expect_file_refused(twice + "aws_session_token = t\n",
                      "keys.ini:4: profile [ana] in line 1 has the same aws_access_key_id");
  const std::string principal = "principal_arn = arn:aws:iam::000000000000:user/";
  expect_file_refused(twice + principal + "cy\n",
                      "keys.ini:4: profile [ana] in line 1 has the same aws_access_key_id");
  const std::string both = profile(principal + "cy\n") + "[bo]\n" + std::string(kKeys);
  EXPECT_EQ(only_credential(both + principal + "cy\n").principal_arn,
            "arn:aws:iam::000000000000:user/cy");
  expect_file_refused(both, "keys.ini:5: profile [ana] in line 1 has the same aws_access_key_id");
}

TEST(ParseCredentials, RefusesAProfileThatBeginsTwice) {
  expect_file_refused(profile("") + "[ana]\nregion = eu-west-2\n",
                      "keys.ini:4: [ana] also begins in line 1");
  expect_file_refused("[role]\n[ana]\n" + std::string(kKeys) + "[ role ]\n",
                      "keys.ini:5: [role] also begins in line 1");
}

TEST(ParseCredentials, PassesOverProfilesWithoutKeys) {
  EXPECT_EQ(parse_credentials("[role]\nrole_arn = x\n" + profile(""), "f")->by_access_key.size(),
            1U);
  for (const std::string_view text : {"", "[role]\nrole_arn = x", "# nothing"}) {
    expect_file_refused(
        text,
        "keys.ini (--credentials) holds no profile with aws_access_key_id and aws_secret_access_key");
  }
}

TEST(ParseCredentials, SaysWhichLineIsWrongAndNotWhatItHolds) {
  expect_file_refused("[a]\n\nnosecret", "keys.ini:3: neither a [section] nor a property with '='");
  expect_file_refused("[a]\naws_access_key_id = k",
                      "keys.ini:1: profile [a] has no aws_secret_access_key");
  expect_file_refused("[a]\naws_secret_access_key = k",
                      "keys.ini:1: profile [a] has no aws_access_key_id");
  expect_file_refused("[a]\n" + std::string(kKeys) + std::string(kKeys),
                      "keys.ini:1: profile [a] has aws_access_key_id twice");
  for (const std::string_view key : {"", "a/b", "a b", "a,b", "a%b", "a\x7F"}) {
    expect_file_refused(
        "[a]\naws_secret_access_key = s\naws_access_key_id = " + std::string(key),
        "keys.ini:3: aws_access_key_id must be up to 128 printable characters other "
        "than / , ; % & =");
  }
  expect_file_refused(
      "[a]\naws_access_key_id = a\naws_secret_access_key =",
      "keys.ini:3: aws_secret_access_key must be printable characters without blanks");
  expect_file_refused(profile("aws_account_id = 12"),
                      "keys.ini:4: aws_account_id must be twelve digits");
  for (const std::string_view arn : {"ana", "arn:aws:iam::12:user/ana", "arn:aws:iam::123456789012",
                                     "arn:aws:iam::123456789012:", "arn:aws"}) {
    expect_file_refused(profile("principal_arn = " + std::string(arn)),
                        "keys.ini:4: principal_arn must be an ARN with an account, such as "
                        "arn:aws:iam::123456789012:user/ana");
  }
  expect_file_refused(
      profile("aws_account_id = 123456789012\nprincipal_arn = arn:aws:iam::210987654321:user/ana"),
      "keys.ini:5: principal_arn names another account than aws_account_id");
  for (const std::string_view time : {"tomorrow", "2026-01-02", "2026-02-30T00:00:00Z",
                                      "2026-01-02T00-00:00Z", "2026-01-02T00:00:00+0000"}) {
    expect_file_refused(profile("aws_credential_expiration = " + std::string(time)),
                        "keys.ini:4: aws_credential_expiration must be a time such as "
                        "2026-01-01T00:00:00Z");
  }
}

void expect_unreadable(const std::string& file, std::string_view problem) {
  try {
    read_credential_file(file);
    ADD_FAILURE() << problem;
  } catch (const CredentialFileError& error) {
    EXPECT_EQ(error.what(),
              "cannot read credentials from " + file + " (--credentials): " + std::string(problem));
  }
}

TEST(ReadCredentialFile, ReadsRegularFilesUpToTheLimit) {
  const storage::TempDirectory directory;
  const std::string file = directory.file("keys");
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  std::ofstream(file) << std::string((kMaxCredentialFileMegabytes << 20), '#');
  ASSERT_EQ(::chmod(file.c_str(), 0640), 0);
  const system::WholeFile read = read_credential_file(file);
  EXPECT_EQ(read.text.size(), (kMaxCredentialFileMegabytes << 20));
  EXPECT_EQ(read.mode, 0640U);
  std::ofstream(file, std::ios::app) << '#';
  expect_unreadable(file, "it is larger than 1 MB");
  expect_unreadable(file + "x", "No such file or directory");
  expect_unreadable(std::filesystem::path(file).parent_path(), "it is not a regular file");
  ASSERT_EQ(::mkfifo((file + "pipe").c_str(), 0600), 0);
  expect_unreadable(file + "pipe", "it is not a regular file");
}

}  // namespace
}  // namespace magneto::server::http
