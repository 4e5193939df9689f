// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/corpus/bad_list.h"
#include "parts/compile/toolchain_version.h"
#include "tools/common/command/write_file.h"
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

namespace dovetail {

namespace {

using Json = nlohmann::ordered_json;

std::string hashOfEntry(const std::string &build, const Hash128 &content, const std::string &gpu) {
  return Hasher().add(build).add(content).add(gpu).finish().toHex();
}

std::string listBeside(std::string capture) {
  if (const std::optional<CapturedName> captured = splitCapturedName(capture))
    capture = captured->path;
  while (capture.size() > 1 && capture.ends_with('/'))
    capture.pop_back();
  return capture + ".bad";
}

} // namespace

Result<BadList> BadList::read(const std::vector<std::string> &captures) {
  BadList list;
  for (const std::string &path : captures) {
    Capture capture{path, listBeside(path), {}};
    std::error_code failure; // a file that cannot be seen cannot be read either
    std::istringstream lines(std::filesystem::exists(capture.list, failure) ? DOVETAIL_TRY(readWholeFile(capture.list))
                                                                            : std::string());
    for (std::string line; std::getline(lines, line);)
      if (const Json entry = Json::parse(line, nullptr, false); entry.is_object() && entry.contains("entry"))
        if (entry["entry"].is_string() && entry.contains("reason") && entry["reason"].is_string())
          capture.lines[entry["entry"]] = line;
    list.m_captures.push_back(std::move(capture));
  }
  std::ranges::stable_sort(list.m_captures, std::greater(), [](const Capture &each) { return each.path.size(); });
  return list;
}

size_t BadList::captureOf(const CorpusUnit &unit) const {
  const auto found = std::ranges::find_if(
      m_captures, [&](const Capture &capture) { return unit.files.front().starts_with(capture.path); });
  return found == m_captures.end() ? 0 : size_t(found - m_captures.begin());
}

std::optional<std::string> BadList::find(const CorpusUnit &unit, const Hash128 &content, const std::string &gpu) const {
  const Capture &capture = m_captures[captureOf(unit)];
  const auto found = capture.lines.find(hashOfEntry(toolchainVersion().toHex(), content, gpu));
  if (found == capture.lines.end())
    return std::nullopt;
  return Json::parse(found->second)["reason"].get<std::string>();
}

Result<void> BadList::add(const CorpusUnit &unit, const Hash128 &content, const std::string &gpu,
                          const std::string &reason) {
  Capture &capture = m_captures[captureOf(unit)];
  const std::string build = toolchainVersion().toHex(), entry = hashOfEntry(build, content, gpu);
  const Json line = {{"pipeline", unit.name}, {"gpu", gpu}, {"build", build}, {"reason", reason}, {"entry", entry}};
  capture.lines[entry] = line.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string text;
  for (const auto &[hash, written] : capture.lines)
    text += written + "\n";
  return writeFileAtomically(capture.list, text);
}

} // namespace dovetail
