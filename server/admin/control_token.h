#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace magneto::server::admin {

// Returns 32 random bytes in 43 characters of base64url. Throws std::system_error.
std::string make_control_token();

// Whether a user may choose this token: 1 to 256 of the characters that RFC 6750 allows in a bearer
// token.
bool is_control_token(std::string_view text);

// A file for its owner alone with the token and a line feed, which exists while the server runs. It
// is in the data directory, else in the user's folder of the running system, else in a folder of
// the user among the temporary files. It is not created where other users could write it.
class ControlTokenFile {
 public:
  // `data_directory`: empty for a server in memory. If the file cannot be written, `warn` gets the
  // reason, and path() is empty.
  ControlTokenFile(const std::string& data_directory, std::uint16_t port, std::string_view token,
                   const std::function<void(std::string_view)>& warn);
  ~ControlTokenFile();
  ControlTokenFile(const ControlTokenFile&) = delete;
  ControlTokenFile& operator=(const ControlTokenFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::uint64_t device_ = 0;  // of the created file, with its number
  std::uint64_t number_ = 0;
};

}  // namespace magneto::server::admin
