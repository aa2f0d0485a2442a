#pragma once

#include <string>

namespace magneto::api {

// The CreateTable request of a shorthand:
//   books (author:S, title:S) gsi ByYear (year:N) lsi ByPrice (author:S, price:N) KEYS_ONLY stream
//   NEW_IMAGE
// An index projects ALL, KEYS_ONLY or INCLUDE(a, b). In a global index with several partition
// attributes a semicolon parts them from the sort attributes: gsi ByPlace (country:S, city:S;
// zip:S). The table is on-demand unless it has units of its own, read and write, as each of its
// global indexes then has: books (author:S) units 5 1 gsi ByYear (year:N) units 5 1. Throws
// std::invalid_argument with what is wrong.
std::string create_table_request(const std::string& shorthand);

}  // namespace magneto::api
