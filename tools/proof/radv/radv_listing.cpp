// SPDX-License-Identifier: MIT
//
// The text has labels, and instructions with their encodings behind a semicolon. "(then repeated N times)" stands for a
// run of equal instructions. ACO adds a hex dump of the constants, which follow the last instruction.
#include "tools/proof/radv/radv_listing.h"
#include <algorithm>
#include <charconv>
#include <optional>

namespace dovetail {

namespace {

constexpr size_t MaxConstants = 4096; // dwords

std::string_view trim(std::string_view text) {
  size_t first = text.find_first_not_of(" \t");
  size_t last = text.find_last_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last + 1 - first);
}

// Words in hexadecimal, separated by spaces.
std::optional<std::vector<uint32_t>> readWords(std::string_view text) {
  std::vector<uint32_t> words;
  for (text = trim(text); !text.empty(); text = trim(text)) {
    uint32_t word = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), word, 16);
    if (error != std::errc())
      return std::nullopt;
    words.push_back(word);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
  }
  return words;
}

bool isBranch(std::string_view instruction) {
  return instruction.starts_with("s_branch") || instruction.starts_with("s_cbranch");
}

std::string mnemonicOf(std::string_view instruction) {
  std::string mnemonic(instruction.substr(0, instruction.find(' ')));
  for (std::string_view suffix : {"_e32", "_e64", "_sdwa", "_dpp"})
    if (mnemonic.ends_with(suffix))
      mnemonic.resize(mnemonic.size() - suffix.size());
  return mnemonic;
}

class Reader {
public:
  Result<RadvListing> run(std::string_view text) {
    while (!text.empty()) {
      size_t end = std::min(text.find('\n'), text.size());
      DOVETAIL_CHECK(readLine(trim(text.substr(0, end))));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(m_listing);
  }

private:
  Result<void> readLine(std::string_view line) {
    constexpr std::string_view Repeated = "(then repeated ";
    if (line.empty() || line.starts_with("/*") || line.ends_with(":")) // labels end with ":"
      return {};
    if (line.starts_with("[")) { // constants: "[offset] word word …"
      std::optional<std::vector<uint32_t>> words =
          readWords(line.substr(std::min(line.find(']'), line.size() - 1) + 1));
      if (!words)
        return makeError(ErrorCode::Unsupported, "a line of constants that is none: {}", line);
      m_listing.constants += words->size();
      return {};
    }
    if (line.starts_with(Repeated)) {
      unsigned times = 0;
      std::from_chars(line.data() + Repeated.size(), line.data() + line.size(), times);
      for (; times > 0; --times)
        addLast();
      return {};
    }
    const size_t semicolon = line.find(';');
    std::optional<std::vector<uint32_t>> words;
    if (semicolon != std::string_view::npos)
      words = readWords(line.substr(semicolon + 1));
    if (!words || words->empty())
      return makeError(ErrorCode::Unsupported, "an instruction without its encoding: {}", line);
    readInstruction(trim(line.substr(0, semicolon)), *words);
    return {};
  }

  void readInstruction(std::string_view instruction, const std::vector<uint32_t> &words) {
    m_last.clear();
    for (uint32_t word : words)
      m_last.push_back({word, ~0u});
    if (isBranch(instruction))
      m_last[0].known = 0xffff0000;
    const bool isDistance = instruction.find("@rel32") != std::string_view::npos;
    if (isDistance)
      m_last.back().known = 0;
    if (isDistance && instruction.find("@rel32@lo") != std::string_view::npos)
      m_listing.distances.push_back(m_listing.words.size() + m_last.size() - 1);
    m_listing.mnemonics.insert(mnemonicOf(instruction));
    m_listing.exportsUndefined |=
        instruction.starts_with("exp ") && instruction.find(" v128") != std::string_view::npos;
    addLast();
  }

  void addLast() {
    m_listing.words.insert(m_listing.words.end(), m_last.begin(), m_last.end());
    ++m_listing.instructions;
  }

  RadvListing m_listing;
  std::vector<RadvListing::Word> m_last;
};

} // namespace

// The constant to which a distance leads. Distances count from the instruction's literal, to behind it. nullopt: the
// distance leads nowhere near constants, as in a copy of the program that has not been linked.
std::optional<size_t> RadvListing::target(std::span<const uint32_t> memory, size_t distance) const {
  const uint64_t bytes = distance * sizeof(uint32_t) + memory[distance] - sizeof(uint32_t);
  const uint64_t at = bytes / sizeof(uint32_t);
  return at < words.size() || at >= words.size() + MaxConstants ? std::nullopt : std::optional<size_t>(at);
}

bool RadvListing::describes(std::span<const uint32_t> memory) const {
  if (memory.size() < words.size() + constants)
    return false;
  for (size_t i = 0; i < words.size(); ++i)
    if (((memory[i] ^ words[i].value) & words[i].known) != 0)
      return false;
  return std::ranges::all_of(distances, [&](size_t at) { return target(memory, at).has_value(); });
}

size_t RadvListing::size(std::span<const uint32_t> memory) const {
  size_t size = words.size() + constants;
  for (size_t at : distances)
    size = std::max(size, std::min(target(memory, at).value_or(0) + MaxConstants, memory.size()));
  return size;
}

Result<RadvListing> readRadvListing(std::string_view text) {
  return Reader().run(text);
}

} // namespace dovetail
