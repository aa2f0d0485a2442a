// The one translation unit that compiles the bodies of Asio and Beast.
#include <boost/asio/impl/src.hpp>

// Beast's parser asserts that at least five bytes are there when it looks at a last chunk for the
// second time, but after "0\r\n" a client may have sent one byte more. The code behind the
// assertion is right for that.
#define BOOST_DISABLE_ASSERTS
#include <boost/assert.hpp>
#include <boost/beast/src.hpp>
