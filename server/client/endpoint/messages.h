#pragma once

#include <string_view>

#include "server/system/sentence.h"

// Texts for the user about endpoints and their keys.
namespace magneto::server::client::messages {

// ---- keys --------------------------------------------------------------------------------------

inline constexpr system::Sentence<1> kUnreadableProfileFile{"{path} cannot be read"};
inline constexpr system::Sentence<1> kLongProfileFile{"{path} is too large for a profile file"};
inline constexpr system::Sentence<3> kProfileFileFault{"{path}:{line}: {problem}"};
inline constexpr system::Sentence<1> kNoSuchProfile{
    "there is no profile {profile} in AWS's files of credentials and configuration"};
inline constexpr system::Sentence<2> kHalfAKey{
    "{access_key} and {secret_key} belong together, but only one of them is given"};
// `way`: the property or variable that says where keys come from.
inline constexpr system::Sentence<2> kKeysElsewhere{
    "keys by {way} are not supported; set them in the environment: eval \"$(aws configure export-credentials --profile {profile} --format env)\""};
inline constexpr system::Sentence<1> kUnknownStreamsHost{
    "cannot tell which host serves the streams of {url}: use the region's endpoint, such as aws:eu-west-1"};
inline constexpr system::Sentence<1> kNoKeys{
    "no keys for {endpoint} were found in the environment or AWS's files (those of a machine's or a container's role are not asked for); set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give --profile"};
inline constexpr const char* kNoRegion =
    "no region is set; give one with --region, AWS_REGION or the profile";

// ---- addresses ---------------------------------------------------------------------------------

inline constexpr system::Sentence<1> kNoEndpointUrl{
    "{text} is not a server address; give http://HOST:PORT, https://HOST, aws or aws:REGION"};
// An address of AWS without TLS.
inline constexpr system::Sentence<1> kUnsafeAwsUrl{
    "{url} would carry the items to AWS in clear text; give https://"};

// ---- calls -------------------------------------------------------------------------------------

inline constexpr std::string_view kAlwaysThrottled =
    "the table's throughput is too low, even after waiting";
inline constexpr std::string_view kNoBatchAnswer =
    "the answer does not say which items were put: it has no UnprocessedItems";
inline constexpr system::Sentence<2> kErrorOfACall{"{type} ({message})"};
inline constexpr system::Sentence<3> kCallRefused{"{endpoint} does not answer {operation}: {why}"};
// An unexpected body with status 200.
inline constexpr system::Sentence<1> kNoJson{"the answer is not DynamoDB's: {body}"};

// ---- connections -------------------------------------------------------------------------------

inline constexpr system::Sentence<2> kCannotConnect{"cannot connect to {endpoint} ({why})"};
inline constexpr system::Sentence<2> kLostConnection{
    "the connection to {endpoint} was lost ({why})"};
inline constexpr system::Sentence<1> kUnsendableField{
    "the value of header field {name} has characters other than printable ASCII"};
inline constexpr const char* kOtherChecksum = "its X-Amz-Crc32 does not match its body";
inline constexpr const char* kClosedByEndpoint = "the endpoint closed it";
inline constexpr const char* kManyInterimAnswers =
    "the endpoint sent too many interim answers (1xx) and no final one";
inline constexpr const char* kAnswerTooLong = "its answer is too long";
inline constexpr system::Sentence<1> kMalformedAnswer{"its answer is not HTTP: {why}"};
inline constexpr system::Sentence<2> kCertificateOfOthers{
    "the certificate of {endpoint} is for another name ({why})"};
inline constexpr system::Sentence<2> kCertificateRefused{
    "the certificate of {endpoint} cannot be trusted ({why}); --ca names a file of further certificates to trust"};
inline constexpr system::Sentence<2> kUnusableCaFile{"{path} is not a certificate file ({why})"};

}  // namespace magneto::server::client::messages
