// The one translation unit that compiles the bodies of Asio's TLS, which only clients use.
#include <boost/asio/ssl/impl/src.hpp>
