// The only translation unit that compiles the bodies of Asio and Beast.
#include <boost/asio/impl/src.hpp>

// Disables an assertion in Beast's parser. It requires at least five bytes at the second look at a
// last chunk, but after "0\r\n" a client may have sent only one more byte. The code after the
// assertion handles that correctly.
#define BOOST_DISABLE_ASSERTS
#include <boost/assert.hpp>
#include <boost/beast/src.hpp>
