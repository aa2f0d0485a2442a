#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Refusals of transactions, and reasons for their cancellation.
namespace magneto::api::messages {

// `codes`: such as "None, ConditionalCheckFailed".
std::string cancelled(std::string_view codes);
inline constexpr std::string_view kItemIsHeld = "Transaction is ongoing for the item";
inline constexpr std::string_view kRepeatedItem =
    "Transaction request cannot include multiple operations on one item";
std::string large_payload(std::size_t bytes);
inline constexpr std::string_view kLargeItems =
    "The aggregate size of the items in the transaction cannot exceed 4 MB";
inline constexpr std::string_view kTransactionTooLong =
    "The expressions of the transaction take too long to evaluate";
inline constexpr std::string_view kOtherRequestOfToken =
    "The request uses the same client token as a previous, but non-identical request";
inline constexpr std::string_view kTokenInProgress =
    "The transaction with the given request token is already in progress";
inline constexpr std::string_view kTooManyTokens =
    "Too many client request tokens are remembered: each is for ten minutes. Try again later, or without ClientRequestToken";

// TransactWriteItems.
inline constexpr std::string_view kSeveralActions =
    "TransactItems can only contain one of Check, Put, Update or Delete";
inline constexpr std::string_view kNoAction =
    "Value '' at 'transactItems' failed to satisfy constraint: TransactWriteRequest should contain Delete or Put or Update or ConditionCheck";

// ExecuteTransaction.
std::string invalid_statement(std::size_t number, std::string_view problem);
inline constexpr std::string_view kIndexInTransaction =
    "Reads on indices are not supported within transactions.";
inline constexpr std::string_view kReturningInTransaction =
    "RETURNING clause is not supported in ExecuteTransaction.";
inline constexpr std::string_view kTransactionReadWithoutKey =
    "Select statements within ExecuteTransaction must specify the primary key in the where clause.";
inline constexpr std::string_view kExistsWithoutCondition =
    "EXISTS() must contain a single item read with additional condition";
inline constexpr std::string_view kMixedTransaction =
    "ExecuteTransaction API does not support both read and write operations in the same request.";

}  // namespace magneto::api::messages
