#include <nss.h>

namespace magneto::server::system {
namespace {

// The machine's nsswitch.conf may name modules, which are shared libraries for the machine's own C
// library. A server with its own C library must not load them; files and DNS are built in
// (since glibc 2.34). Runs before main(), so no lookup can be first.
[[gnu::constructor]] void use_built_in_services() {
  ::__nss_configure_lookup("hosts", "files dns");
  ::__nss_configure_lookup("passwd", "files");
}

}  // namespace
}  // namespace magneto::server::system
