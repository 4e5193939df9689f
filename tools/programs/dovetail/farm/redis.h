// SPDX-License-Identifier: MIT
//
// A connection to a Redis server, through hiredis. A farm's commands may all be sent twice without harm (work_queue.h),
// so a connection that is lost is made again and the commands are repeated, until the patience ends.
#pragma once

#include "src/base/error.h"
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

struct redisContext;
struct redisReply;

namespace dovetail::farm {

struct RedisOptions {
  std::string url;          // "redis://HOST[:PORT][/DATABASE]" or "unix:///PATH"
  std::string passwordFile; // "": no password. Its first line is PASSWORD or USER PASSWORD
  // How long a server that is not there is waited for.
  std::chrono::milliseconds patience = std::chrono::seconds(10);
  std::function<bool()> givesUp = [] { return false; }; // asked between attempts
};

struct Reply {
  enum class Kind : uint8_t { Nothing, Integer, Text, List, Error };
  Kind kind = Kind::Nothing;
  int64_t integer = 0;
  std::string text; // Text, Error
  std::vector<Reply> list;

  bool isError() const { return kind == Kind::Error; }
};

using RedisCommand = std::vector<std::string>;

// Not thread-safe.
class Redis {
public:
  // Connects with the first command. Errors: InvalidInput for a URL or a password file that cannot be used; Io if the
  // password file cannot be read.
  static Result<std::unique_ptr<Redis>> prepare(const RedisOptions &options);
  // Connects at once. Errors: also Io if there is no server, or if it refuses the password.
  static Result<std::unique_ptr<Redis>> connect(const RedisOptions &options);
  ~Redis();

  // Sends all commands at once. Errors: Io if the patience ends, or the server refuses the password. A command that
  // fails has a reply of Kind::Error.
  Result<std::vector<Reply>> runAll(const std::vector<RedisCommand> &commands);
  // One command. Errors: also Io if it fails.
  Result<Reply> run(const RedisCommand &command);

  // How often the connection was made again.
  uint64_t reconnects() const { return m_reconnects; }

private:
  struct Place {
    std::string host, path; // one of them
    int port = 6379, database = 0;
  };
  explicit Redis(const RedisOptions &options) : m_options(options) {}
  static Result<Place> parse(const std::string &url);
  Result<void> connectOnce();
  Result<std::vector<Reply>> runOnce(const std::vector<RedisCommand> &commands);

  struct Free {
    void operator()(redisContext *context) const;
  };
  const RedisOptions m_options;
  Place m_place;
  RedisCommand m_login; // AUTH; empty: none
  std::unique_ptr<redisContext, Free> m_context;
  bool m_isRefused = false;
  uint64_t m_reconnects = 0;
};

// Reads a secret that nobody else may read. Errors: Io; InvalidInput if others may read the file.
Result<std::string> readSecret(const std::string &path);

} // namespace dovetail::farm
