// SPDX-License-Identifier: MIT
#include "variants/dump/compile_dumps.h"
#include "parts/compile/toolchain_version.h"
#include "src/base/enumerators.h"
#include "src/base/field_bytes.h"
#include "src/state/state_fields.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <unistd.h>

namespace dovetail {

namespace {

namespace fs = std::filesystem;

constexpr uint32_t SpirvMagic = 0x07230203;

// Whether all shaders are SPIR-V. A pipeline file has modules as words that begin with the magic number.
bool canBeWritten(const PipelineContent &content) {
  return std::ranges::all_of(content.shaders, [](const ShaderDescription *shader) {
    return !shader || (!shader->words.empty() && shader->words.front() == SpirvMagic);
  });
}

Hash128 hashOf(DumpedBuild kind, const PipelineContent &content, bool hasFailed) {
  FieldWriter bytes;
  bytes.add(kind).add(hasFailed);
  for (const ShaderDescription *shader : content.shaders)
    bytes.add(shader ? hashDescription(*shader, hashBytes(std::as_bytes(std::span(shader->words)))) : Hash128());
  bytes.add(content.layout ? content.layout->nodes() : UserDataNodes());
  bytes.add(content.layout ? content.layout->immutableSamplers() : std::vector<uint32_t>());
  return content.state ? bytes.add(*content.state).hash() : bytes.hash();
}

// The command that repeats the build.
std::string_view commandFor(DumpedBuild kind) {
  static constexpr std::string_view Commands[] = {"dovetail compile", "dovetail compile",
                                                  "dovetail compile --monolithic", "dovetail inspect --code optimized"};
  static_assert(std::size(Commands) == enumeratorCount<DumpedBuild>());
  return Commands[size_t(kind)];
}

std::string_view nameOf(DumpedBuild kind) {
  static constexpr std::string_view Names[] = {"a shader", "a variant", "a monolithic variant", "an optimised variant"};
  static_assert(std::size(Names) == enumeratorCount<DumpedBuild>());
  return Names[size_t(kind)];
}

tl::unexpected<Error> systemError(std::string_view action, const std::string &path) {
  return makeError(ErrorCode::Io, "cannot {} {}: {}", action, path, std::strerror(errno));
}

// Writes a file, and removes it again if it cannot be renamed. The file is not synced, so that the build does not wait
// for a disk.
Result<void> writeFile(const fs::path &path, std::string_view text) {
  static std::atomic<unsigned> files = 0; // several devices may write the same file at a time
  const std::string temporary = fmt::format("{}.{}-{}", path.string(), ::getpid(), files.fetch_add(1));
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0)
    return systemError("write", temporary);
  bool isWritten = true;
  while (isWritten && !text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    isWritten = written >= 0 || errno == EINTR;
    text.remove_prefix(written > 0 ? size_t(written) : 0);
  }
  const int writeError = errno;
  const bool isClosed = ::close(file) == 0;
  if (!isWritten)
    errno = writeError;
  if (isWritten && isClosed && ::rename(temporary.c_str(), path.c_str()) == 0)
    return {};
  tl::unexpected<Error> failure = systemError("write", path.string());
  ::unlink(temporary.c_str());
  return failure;
}

} // namespace

CompileDumps::CompileDumps(DumpOptions options, std::string gpuName, Log log)
    : m_options(std::move(options)), m_gpuName(std::move(gpuName)), m_log(std::move(log)) {}

void BuildWatch::report(DumpedBuild kind, const ShaderSet &shaders, const PipelineState *state) const {
  const double slow = m_dumps.m_options.slowMilliseconds;
  if (m_error || (slow > 0 && m_milliseconds > slow))
    m_dumps.dump(kind, contentOf(shaders, state, m_dumps.m_gpuName), m_error ? &*m_error : nullptr, m_milliseconds);
}

void CompileDumps::warn(const std::string &text) const {
  if (m_log)
    m_log(LogLevel::Warning, text);
}

void CompileDumps::noteRefused(const ShaderDescription &shader, const Error &error) {
  PipelineContent content = {.gpuName = m_gpuName};
  content.shaders[size_t(shader.stage)] = &shader;
  if (isOn())
    dump(DumpedBuild::Shader, content, &error, 0);
}

// If memory runs out here, the build must not fail.
void CompileDumps::dump(DumpedBuild kind, const PipelineContent &content, const Error *error, double milliseconds) try {
  if (error && (error->code == ErrorCode::NotReady || error->code == ErrorCode::Cancelled))
    return;
  if (!canBeWritten(content))
    return;
  const Hash128 hash = hashOf(kind, content, error != nullptr);
  if (!isNew(hash))
    return;
  const std::string what = error ? fmt::format("{} could not be built: {}", nameOf(kind), error->text)
                                 : fmt::format("{} took {:.3f} ms to build", nameOf(kind), milliseconds);
  const std::string name = fmt::format("{}-{}.pipe", error ? "failed" : "slow", hash.toHex());
  const std::string comment =
      fmt::format("{}\nDovetail, build {}\n{} {}", what, toolchainVersion().toHex(), commandFor(kind), name);
  const fs::path path = fs::path(m_options.folder) / name;
  std::error_code failure; // creating the folder may fail; writing the file then fails, too
  fs::create_directories(m_options.folder, failure);
  if (Result<void> written = writeFile(path, writePipelineText(content, comment)); written)
    warn(fmt::format("{}: {}", path.string(), what)); // long texts are cut off in C
  else if (!m_isTurnedOff.exchange(true))
    warn(fmt::format("builds are not dumped: {}", written.error().text));
} catch (const std::bad_alloc &) {
}

bool CompileDumps::isNew(const Hash128 &hash) {
  {
    std::scoped_lock lock(m_mutex);
    if (m_known.size() < m_options.maxFiles)
      return m_known.insert(hash).second;
    if (m_known.contains(hash))
      return false;
  }
  if (!m_isTurnedOff.exchange(true))
    warn(fmt::format("builds are not dumped any more: {} files were written", m_options.maxFiles));
  return false;
}

} // namespace dovetail
