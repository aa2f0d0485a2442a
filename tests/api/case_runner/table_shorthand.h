#pragma once

#include <string>

namespace magneto::api {

// Returns the CreateTable request of a shorthand:
//   books (author:S, title:S) gsi ByYear (year:N) lsi ByPrice (author:S, price:N) KEYS_ONLY stream
//   NEW_IMAGE
// An index projects ALL, KEYS_ONLY or INCLUDE(a, b). In a global index with several partition
// attributes a semicolon separates them from the sort attributes: gsi ByPlace (country:S, city:S;
// zip:S). The table is on-demand unless it has its own read and write units. Then each global index
// has its own too: books (author:S) units 5 1 gsi ByYear (year:N) units 5 1. Throws
// std::invalid_argument with the problem.
std::string create_table_request(const std::string& shorthand);

}  // namespace magneto::api
