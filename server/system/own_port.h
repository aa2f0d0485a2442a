#pragma once

#include <cstdint>
#include <string>

namespace magneto::server::system {

// Where connections to a port of a namespace's own lead: to that namespace and, when it is gone, to
// none, whatever has its name by then.
struct OwnPort {
  std::string name;
  std::uint64_t number;  // api::NamespaceDescription::number
};

}  // namespace magneto::server::system
