#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace magneto::server::formats {

// MD5 (RFC 1321) of bytes that come in pieces, as AWS's exports have it of their files. Throws
// std::runtime_error where OpenSSL was configured to have none.
class Md5 {
 public:
  Md5();
  void add(std::string_view bytes);
  // 16 bytes; nothing may be added after it.
  std::string finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  const std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// In base64.
std::string md5_base64(std::string_view bytes);

}  // namespace magneto::server::formats
