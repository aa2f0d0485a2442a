#include "server/formats/md5.h"

#include <openssl/evp.h>

#include <stdexcept>

#include "api/json/base64.h"
#include "server/formats/messages.h"

namespace magneto::server::formats {
namespace {

void need(int result) {
  if (result != 1) throw std::runtime_error(messages::kNoMd5);
}

}  // namespace

Md5::Md5() : context_(::EVP_MD_CTX_new()) {
  need(context_ ? ::EVP_DigestInit_ex(context_.get(), ::EVP_md5(), nullptr) : 0);
}

void Md5::Free::operator()(evp_md_ctx_st* context) const { ::EVP_MD_CTX_free(context); }

void Md5::add(std::string_view bytes) {
  need(::EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

std::string Md5::finish() {
  std::string digest(16, '\0');
  need(::EVP_DigestFinal_ex(context_.get(), reinterpret_cast<unsigned char*>(digest.data()),
                            nullptr));
  return digest;
}

std::string md5_base64(std::string_view bytes) {
  Md5 md5;
  md5.add(bytes);
  std::string text;
  api::json::encode_base64(md5.finish(), text);
  return text;
}

}  // namespace magneto::server::formats
