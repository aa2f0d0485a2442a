#pragma once

#include <string_view>

namespace magneto::fuzz {

// The checks of a target's properties. If a property does not hold, the program names it and
// aborts; the fuzzer keeps the input.
void require(bool holds, std::string_view property, std::string_view detail = {});
void require_equal(std::string_view actual, std::string_view expected, std::string_view property);

}  // namespace magneto::fuzz
