#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "api/error.h"
#include "api/validation/problem.h"

// The reasons for cancelling a transaction, and the checks of all its actions together.
namespace magneto::api {

// Why one action cancels its transaction, or that it does not (AWS API reference,
// "CancellationReason").
struct CancellationReason {
  std::string_view code = "None";
  std::string message;
  std::string item;  // JSON of the item that the condition saw; empty: not returned
};

inline constexpr std::string_view kValidationReason = "ValidationError";

// The reasons that the exception gives if actions are invalid: only that of the first invalid one
// (captured facts 2, "Transactions"), or for statements all (captured facts 3, P61).
enum class ToldReasons { kFirstInvalid, kAll };

// Throws TransactionCanceledException with one reason for each action.
[[noreturn]] void fail_cancelled(std::span<const CancellationReason> reasons,
                                 ToldReasons told = ToldReasons::kFirstInvalid);

// The reason for an error of one action.
CancellationReason reason_of(const ApiError& error);

// The reason for a problem with one action's key; code "None" if there is no problem.
CancellationReason reason_of(Problem problem);

// Throws ValidationException if two of `count` actions have the same item. `key_of` returns
// storage's key of an action's item; empty if it has none.
void check_distinct_items(std::size_t count,
                          absl::FunctionRef<std::string_view(std::size_t action)> key_of);

// Throws TransactionCanceledException if one of the actions has a reason other than "None".
void cancel_if_invalid(
    std::size_t count,
    absl::FunctionRef<const CancellationReason&(std::size_t action)> reason_of_action,
    ToldReasons told = ToldReasons::kFirstInvalid);

}  // namespace magneto::api
