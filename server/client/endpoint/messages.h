#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// What the user is told of endpoints and of keys for them.
namespace magneto::server::client::messages {

// ---- keys --------------------------------------------------------------------------------------

std::string unreadable_profile_file(std::string_view path);
std::string long_profile_file(std::string_view path);
std::string profile_file_fault(std::string_view path, std::size_t line, std::string_view problem);
std::string no_such_profile(std::string_view profile);
std::string half_a_key(std::string_view access_key, std::string_view secret_key);
// `way`: the property or variable that says where keys come from.
std::string keys_elsewhere(std::string_view way, std::string_view profile);
std::string unknown_streams_host(std::string_view url);
std::string no_keys(std::string_view endpoint);
inline constexpr const char* kNoRegion =
    "no region is known; give one with --region, AWS_REGION or the profile";

// ---- addresses ---------------------------------------------------------------------------------

std::string no_endpoint_url(std::string_view text);
// An address of AWS without TLS.
std::string unsafe_aws_url(std::string_view url);

// ---- calls -------------------------------------------------------------------------------------

inline constexpr std::string_view kAlwaysThrottled =
    "the table's throughput does not suffice, though it was waited for";
inline constexpr std::string_view kNoBatchAnswer =
    "the answer does not say which items were put: it has no UnprocessedItems";
std::string error_of_a_call(std::string_view type, std::string_view message);
std::string call_refused(std::string_view endpoint, std::string_view operation,
                         std::string_view why);
// What came with status 200.
std::string no_json(std::string_view body);

// ---- connections -------------------------------------------------------------------------------

std::string cannot_connect(std::string_view endpoint, std::string_view why);
std::string lost_connection(std::string_view endpoint, std::string_view why);
std::string unsendable_field(std::string_view name);
inline constexpr const char* kOtherChecksum = "its X-Amz-Crc32 is another than its body's";
inline constexpr const char* kClosedByEndpoint = "the endpoint closed it";
inline constexpr const char* kManyInterimAnswers =
    "the endpoint sent too many interim answers (1xx) and no final one";
inline constexpr const char* kAnswerTooLong = "its answer is longer than any that is read";
std::string malformed_answer(std::string_view why);
std::string certificate_of_others(std::string_view endpoint, std::string_view why);
std::string certificate_refused(std::string_view endpoint, std::string_view why);
std::string unusable_ca_file(std::string_view path, std::string_view why);

}  // namespace magneto::server::client::messages
