// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/farm/redis.h"
#include "tools/common/command/write_file.h"
#include <algorithm>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <sys/stat.h>
#include <thread>

namespace dovetail::farm {

namespace {

using Clock = std::chrono::steady_clock;

// A server that answers nothing for so long counts as lost: as long as the patience, within these limits. Commands that
// wait on purpose wait for a second at most.
constexpr std::chrono::seconds ShortestWait(2), LongestWait(10);
constexpr std::chrono::milliseconds FirstPause(20), LongestPause(1000);

Reply toReply(const redisReply &given) {
  Reply reply;
  switch (given.type) {
  case REDIS_REPLY_INTEGER:
    reply.kind = Reply::Kind::Integer;
    reply.integer = given.integer;
    break;
  case REDIS_REPLY_STRING:
  case REDIS_REPLY_STATUS:
    reply.kind = Reply::Kind::Text;
    reply.text.assign(given.str, size_t(given.len));
    break;
  case REDIS_REPLY_ERROR:
    reply.kind = Reply::Kind::Error;
    reply.text.assign(given.str, size_t(given.len));
    break;
  case REDIS_REPLY_ARRAY:
    reply.kind = Reply::Kind::List;
    for (size_t index = 0; index < given.elements; ++index)
      reply.list.push_back(toReply(*given.element[index]));
    break;
  default:
    break;
  }
  return reply;
}

bool startsWithAny(const std::string &text, std::initializer_list<std::string_view> words) {
  for (std::string_view word : words)
    if (text.starts_with(word))
      return true;
  return false;
}

bool toNumber(std::string_view text, int &number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size() && number >= 0;
}

} // namespace

Result<std::string> readSecret(const std::string &path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0)
    return makeError(ErrorCode::Io, "cannot read {}: {}", path, std::strerror(errno));
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return makeError(ErrorCode::InvalidInput, "{}: others may read this secret; chmod 600 takes that from them", path);
  return readWholeFile(path, 1 << 16);
}

void Redis::Free::operator()(redisContext *context) const {
  redisFree(context);
}

Redis::~Redis() = default;

Result<Redis::Place> Redis::parse(const std::string &url) {
  Place place;
  std::string_view rest = url;
  if (rest.starts_with("unix://")) {
    place.path = rest.substr(7);
    if (place.path.starts_with('/'))
      return place;
  } else if (rest.starts_with("redis://")) {
    rest.remove_prefix(8);
    bool isGood = true;
    if (const size_t slash = rest.find('/'); slash != std::string_view::npos) {
      isGood = slash + 1 == rest.size() || toNumber(rest.substr(slash + 1), place.database);
      rest = rest.substr(0, slash);
    }
    if (const size_t colon = rest.rfind(':'); colon != std::string_view::npos && !rest.ends_with(']')) {
      isGood = isGood && toNumber(rest.substr(colon + 1), place.port) && place.port > 0 && place.port < 65536;
      rest = rest.substr(0, colon);
    }
    if (rest.starts_with('[') && rest.ends_with(']'))
      rest = rest.substr(1, rest.size() - 2);
    place.host = rest;
    if (isGood && !place.host.empty() && rest.find('@') == std::string_view::npos)
      return place;
  }
  return makeError(ErrorCode::InvalidInput,
                   "\"{}\" names no server; redis://HOST[:PORT][/DATABASE] and unix:///PATH do. Passwords are in a "
                   "file (--password-file), TLS is stunnel's",
                   url.find('@') == std::string::npos ? url : "redis://…@…");
}

Result<std::unique_ptr<Redis>> Redis::prepare(const RedisOptions &options) {
  std::unique_ptr<Redis> redis(new Redis(options));
  redis->m_place = DOVETAIL_TRY(parse(options.url));
  if (!options.passwordFile.empty()) {
    std::string line = DOVETAIL_TRY(readSecret(options.passwordFile));
    line = line.substr(0, line.find('\n'));
    if (line.empty())
      return makeError(ErrorCode::InvalidInput, "{}: there is no password in it", options.passwordFile);
    const size_t space = line.find(' ');
    redis->m_login = {"AUTH"};
    if (space != std::string::npos)
      redis->m_login.push_back(line.substr(0, space));
    redis->m_login.push_back(line.substr(space == std::string::npos ? 0 : space + 1));
  }
  return redis;
}

Result<std::unique_ptr<Redis>> Redis::connect(const RedisOptions &options) {
  std::unique_ptr<Redis> redis = DOVETAIL_TRY(prepare(options));
  DOVETAIL_TRY(redis->run(RedisCommand{"PING"}));
  redis->m_reconnects = 0;
  return redis;
}

Result<void> Redis::connectOnce() {
  const timeval connecting = {2, 0};
  m_context.reset(m_place.path.empty() ? redisConnectWithTimeout(m_place.host.c_str(), m_place.port, connecting)
                                       : redisConnectUnixWithTimeout(m_place.path.c_str(), connecting));
  if (!m_context || m_context->err) {
    const std::string reason = m_context ? m_context->errstr : "memory ran out";
    m_context.reset();
    return makeError(ErrorCode::Io, "{}: {}", m_options.url, reason);
  }
  ++m_reconnects;
  fcntl(m_context->fd, F_SETFD, FD_CLOEXEC);
  const auto wait =
      std::clamp(std::chrono::duration_cast<std::chrono::seconds>(m_options.patience), ShortestWait, LongestWait);
  redisSetTimeout(m_context.get(), {wait.count(), 0});
  std::vector<RedisCommand> commands;
  if (!m_login.empty())
    commands.push_back(m_login);
  if (m_place.database != 0)
    commands.push_back({"SELECT", std::to_string(m_place.database)});
  if (commands.empty())
    return {};
  for (const Reply &reply : DOVETAIL_TRY(runOnce(commands)))
    if (reply.isError()) {
      m_isRefused = !startsWithAny(reply.text, {"LOADING"});
      m_context.reset();
      return makeError(ErrorCode::Io, "{}: the server refuses: {}", m_options.url, reply.text);
    }
  return {};
}

Result<std::vector<Reply>> Redis::runOnce(const std::vector<RedisCommand> &commands) {
  const auto fail = [&]() -> tl::unexpected<Error> {
    const std::string reason = m_context->err == REDIS_ERR_IO ? std::strerror(errno) : m_context->errstr;
    m_context.reset();
    return makeError(ErrorCode::Io, "{}: the connection is lost: {}", m_options.url, reason);
  };
  for (const RedisCommand &command : commands) {
    std::vector<const char *> words;
    std::vector<size_t> lengths;
    for (const std::string &word : command) {
      words.push_back(word.data());
      lengths.push_back(word.size());
    }
    if (redisAppendCommandArgv(m_context.get(), int(words.size()), words.data(), lengths.data()) != REDIS_OK)
      return fail();
  }
  std::vector<Reply> replies;
  bool isRefused = false;
  for (size_t count = 0; count < commands.size(); ++count) {
    void *given = nullptr;
    if (redisGetReply(m_context.get(), &given) != REDIS_OK || !given)
      return fail();
    const std::unique_ptr<void, void (*)(void *)> owned(given, freeReplyObject);
    replies.push_back(toReply(*static_cast<redisReply *>(given)));
    isRefused = isRefused || (replies.back().isError() && startsWithAny(replies.back().text, {"NOAUTH", "NOPERM"}));
    if (replies.back().isError() && startsWithAny(replies.back().text, {"LOADING", "BUSY ", "TRYAGAIN", "MASTERDOWN"}))
      return fail(); // the server is on its way
  }
  m_isRefused = isRefused;
  if (isRefused)
    return makeError(ErrorCode::Io, "{}: the server refuses: {}", m_options.url, replies.back().text);
  return replies;
}

Result<std::vector<Reply>> Redis::runAll(const std::vector<RedisCommand> &commands) {
  const Clock::time_point end = Clock::now() + m_options.patience;
  for (std::chrono::milliseconds pause = FirstPause;; pause = std::min(2 * pause, LongestPause)) {
    Result<void> connected = m_context ? Result<void>() : connectOnce();
    Result<std::vector<Reply>> replies =
        connected ? runOnce(commands) : Result<std::vector<Reply>>(tl::unexpected(connected.error()));
    if (replies || m_isRefused || Clock::now() + pause > end || m_options.givesUp())
      return replies;
    std::this_thread::sleep_for(pause);
  }
}

Result<Reply> Redis::run(const RedisCommand &command) {
  std::vector<Reply> replies = DOVETAIL_TRY(runAll({command}));
  if (replies.front().isError())
    return makeError(ErrorCode::Io, "{}: {}: {}", m_options.url, command.front(), replies.front().text);
  return std::move(replies.front());
}

} // namespace dovetail::farm
