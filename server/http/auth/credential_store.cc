#include "server/http/auth/credential_store.h"

#include <sys/stat.h>

#include "server/http/auth/messages.h"

namespace magneto::server::http {

CredentialStore::CredentialStore(const std::string& file, const Warn& warn)
    : file_(file,
            {.read = [file] { return read_credential_file(file); },
             .parse =
                 [this, file, warn](const system::WholeFile& whole) {
                   auto set = parse_credentials(whole.text, file);
                   const bool is_open = (whole.mode & (S_IRWXG | S_IRWXO)) != 0;
                   if (is_open && !warned_of_mode_) {
                     warn(messages::open_credentials(file, whole.mode));
                   }
                   warned_of_mode_ = is_open;
                   return set;
                 },
             .kept = [warn](std::string_view why) { warn(messages::kKeptCredentials(why)); }}) {}

}  // namespace magneto::server::http
