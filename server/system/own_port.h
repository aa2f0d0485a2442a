#pragma once

#include <cstdint>
#include <string>

namespace magneto::server::system {

// The target of connections to a namespace's own port. They lead to this namespace only: once it is
// gone they lead nowhere, even if a new namespace has its name.
struct OwnPort {
  std::string name;
  std::uint64_t number;  // api::NamespaceDescription::number
};

}  // namespace magneto::server::system
