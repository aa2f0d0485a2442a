#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace magneto::server::formats {

// MD5 (RFC 1321) of bytes that arrive in pieces, as AWS's exports use it for their files. Throws
// std::runtime_error if OpenSSL is configured without MD5.
class Md5 {
 public:
  Md5();
  void add(std::string_view bytes);
  // Returns 16 bytes. Do not call add() afterwards.
  std::string finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  const std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// The MD5 of `bytes`, in base64.
std::string md5_base64(std::string_view bytes);

}  // namespace magneto::server::formats
