#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>

namespace magneto::server::system {

using Executor = boost::asio::io_context::executor_type;
using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;
using Timer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;
using Task = boost::asio::awaitable<void, Executor>;

// The last argument of an asynchronous call. With kAwait, `co_await` throws an error; with
// kAwaitResult, it returns the error together with the result.
inline constexpr boost::asio::use_awaitable_t<Executor> kAwait;
inline constexpr boost::asio::as_tuple_t<boost::asio::use_awaitable_t<Executor>> kAwaitResult;

}  // namespace magneto::server::system
