#pragma once

#include "server/system/sentence.h"

// Errors from opening an address, an access log or a port file. `why`: the reason that the system
// gives.
namespace magneto::server::http::messages {

// `port` and `host` form the address.
inline constexpr system::Sentence<2> kPortInUse{
    "port {port} on {host} is already in use; stop the program that holds it or choose another port with --port"};
inline constexpr system::Sentence<2> kPortDenied{
    "no permission to listen on port {port} on {host}; choose a port above 1023 with --port"};
inline constexpr system::Sentence<1> kNotAnAddress{
    "{host} is not an address of this machine; choose one with --host"};
inline constexpr system::Sentence<3> kCannotListen{"cannot listen on port {port} on {host}: {why}"};
inline constexpr system::Sentence<2> kUnknownHost{
    "cannot find the address of host '{host}' ({why}); give an address of this machine with --host"};
inline constexpr system::Sentence<2> kAccessLogFailed{
    "cannot open the access log {path} (--access-log): {why}"};
inline constexpr system::Sentence<2> kPortFileFailed{
    "cannot write the port file {path} ({why}); name a file in a writable directory with --port-file"};

}  // namespace magneto::server::http::messages
