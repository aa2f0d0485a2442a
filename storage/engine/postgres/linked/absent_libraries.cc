// Debian's libpq.a refers to Kerberos (RFC 2744) and LDAP (RFC 1823), whose archives Debian does not
// have. Each of their functions fails here. libpq then reports that it cannot use them, and takes a
// connection without them where the database allows that. The arguments do not matter.
#include <cstdint>

// NOLINTBEGIN(cert-dcl50-cpp, readability-identifier-naming): the names and types are those of C
namespace {

constexpr std::uint32_t kGssUnavailable = 16U << 16U;  // GSS_S_UNAVAILABLE
constexpr int kLdapFailed = -1;

}  // namespace

extern "C" {

extern void* const GSS_C_NT_HOSTBASED_SERVICE;
void* const GSS_C_NT_HOSTBASED_SERVICE = nullptr;

std::uint32_t gss_acquire_cred(...) { return kGssUnavailable; }
std::uint32_t gss_delete_sec_context(...) { return kGssUnavailable; }
std::uint32_t gss_display_status(...) { return kGssUnavailable; }
std::uint32_t gss_import_name(...) { return kGssUnavailable; }
std::uint32_t gss_init_sec_context(...) { return kGssUnavailable; }
std::uint32_t gss_release_buffer(...) { return kGssUnavailable; }
std::uint32_t gss_release_cred(...) { return kGssUnavailable; }
std::uint32_t gss_release_name(...) { return kGssUnavailable; }
std::uint32_t gss_unwrap(...) { return kGssUnavailable; }
std::uint32_t gss_wrap(...) { return kGssUnavailable; }
std::uint32_t gss_wrap_size_limit(...) { return kGssUnavailable; }

int ldap_count_entries(...) { return kLdapFailed; }
const char* ldap_err2string(...) { return "LDAP is not in this server"; }
void* ldap_first_entry(...) { return nullptr; }
void* ldap_get_values_len(...) { return nullptr; }
void* ldap_init(...) { return nullptr; }
int ldap_msgfree(...) { return kLdapFailed; }
int ldap_result(...) { return kLdapFailed; }
int ldap_search_st(...) { return kLdapFailed; }
int ldap_set_option(...) { return kLdapFailed; }
int ldap_simple_bind(...) { return kLdapFailed; }
int ldap_unbind(...) { return kLdapFailed; }
void ldap_value_free_len(...) {}

}  // extern "C"
// NOLINTEND(cert-dcl50-cpp, readability-identifier-naming)
