// SPDX-License-Identifier: MIT
//
// The text has labels, instructions with their encodings behind a semicolon, "(then repeated N times)" for a run of
// equal instructions, and with ACO a hex dump of the constants, which follow the last instruction.
#include "tests/radv/radv_assembly.h"
#include "tests/merge/assemble_text.h"
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>

namespace dovetail {

namespace {

struct Line {
  std::string instruction;
  std::vector<uint32_t> encoding;
};

struct Listing {
  std::string source; // for the assembler
  std::vector<Line> lines;
  std::vector<uint32_t> constants;
};

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

// RADV is linked with an older LLVM: labels are defined without the ".L" that branches give them, and nine addresses of
// an image instruction are written as sixteen.
std::string spelledForAssembler(std::string instruction) {
  if (size_t label = instruction.find(" .LBB"); label != std::string::npos)
    instruction.erase(label + 1, 2);
  size_t address = instruction.find(", v[");
  unsigned first = 0, last = 0;
  if (instruction.starts_with("image_") && address != std::string::npos &&
      std::sscanf(instruction.c_str() + address, ", v[%u:%u]", &first, &last) == 2 && last == first + 15)
    instruction.replace(address, instruction.find(']', address) + 1 - address,
                        fmt::format(", v[{}:{}]", first, first + 8));
  return instruction;
}

Result<void> readInstruction(std::string_view line, Listing &listing) {
  size_t semicolon = line.find(';');
  std::optional<std::vector<uint32_t>> words;
  if (semicolon != std::string_view::npos)
    words = readWords(line.substr(semicolon + 1));
  if (!words || words->empty())
    return makeError(ErrorCode::Unsupported, "an instruction without its encoding: {}", line);
  std::string instruction(trim(line.substr(0, semicolon)));
  if (instruction.find("@rel32") != std::string::npos)
    return makeError(ErrorCode::Unsupported, "the constants of '{}' are not in the text", instruction);
  listing.source += spelledForAssembler(instruction) + "\n";
  listing.lines.push_back({std::move(instruction), std::move(*words)});
  return {};
}

Result<void> readLine(std::string_view line, Listing &listing) {
  constexpr std::string_view Repeated = "(then repeated ";
  std::string_view text = trim(line);
  if (text.empty() || text.starts_with("/*"))
    return {};
  if (text.starts_with(Repeated) && !listing.lines.empty()) {
    unsigned times = 0;
    std::from_chars(text.data() + Repeated.size(), text.data() + text.size(), times);
    for (; times > 0; --times) {
      listing.source += spelledForAssembler(listing.lines.back().instruction) + "\n";
      listing.lines.push_back(Line(listing.lines.back()));
    }
    return {};
  }
  if (text.starts_with("[")) { // constants: "[offset] word word …"
    size_t bracket = text.find(']');
    std::optional<std::vector<uint32_t>> words;
    if (bracket != std::string_view::npos)
      words = readWords(text.substr(bracket + 1));
    if (!words)
      return makeError(ErrorCode::Unsupported, "a line of constants that is none: {}", text);
    listing.constants.insert(listing.constants.end(), words->begin(), words->end());
    return {};
  }
  if (text.ends_with(":")) {
    listing.source += std::string(text) + "\n";
    return {};
  }
  return readInstruction(text, listing);
}

bool isBranch(const std::string &instruction) {
  return instruction.starts_with("s_branch") || instruction.starts_with("s_cbranch");
}

std::string mnemonicOf(const std::string &instruction) {
  std::string mnemonic = instruction.substr(0, instruction.find(' '));
  for (std::string_view suffix : {"_e32", "_e64", "_sdwa", "_dpp"})
    if (mnemonic.ends_with(suffix))
      mnemonic.resize(mnemonic.size() - suffix.size());
  return mnemonic;
}

// The bits that no hardware looks at, in which LLVM's assembler and RADV differ.
uint64_t ignoredBits(const std::string &instruction) {
  bool isBuffer = instruction.starts_with("buffer_") || instruction.starts_with("tbuffer_");
  if (instruction.starts_with("s_waitcnt "))
    return 0x3000; // LGKM_CNT has four bits
  if (isBuffer && instruction.find(" off, s[") != std::string::npos)
    return 0xffull << 32; // VADDR without offen and idxen
  if (instruction.starts_with("v_pk_") && !instruction.starts_with("v_pk_mad"))
    return 1 << 14; // OP_SEL_HI of a third source
  if (!instruction.starts_with("exp "))
    return 0;
  if (instruction.find(" compr") != std::string::npos)
    return instruction.find(" off") == std::string::npos ? 0xffffull << 48 : 0xffffffffull << 32;
  uint64_t bits = 0; // VSRC of components that are not exported
  size_t at = instruction.find(' ', 4);
  for (unsigned source = 0; source < 4 && at != std::string::npos; ++source, at = instruction.find(' ', at + 1))
    if (instruction.compare(at + 1, 3, "off") == 0)
      bits |= 0xffull << (32 + 8 * source);
  return bits;
}

// What LLVM assembled must be what RADV wrote beside it. Gives RADV's words, with the branches' targets.
Result<std::vector<uint8_t>> mergeEncodings(const Listing &listing, const std::vector<uint8_t> &assembled) {
  std::vector<uint8_t> merged = assembled;
  size_t at = 0;
  for (const Line &line : listing.lines) {
    size_t size = line.encoding.size() * 4;
    if (size > 8 || at + size > assembled.size())
      return makeError(ErrorCode::CheckFailed, "'{}' is longer in RADV than assembled", line.instruction);
    uint64_t ours = 0, theirs = 0;
    std::memcpy(&ours, assembled.data() + at, size);
    std::memcpy(&theirs, line.encoding.data(), size);
    if (isBranch(line.instruction) && (theirs & 0xffff) == 0)
      theirs |= ours & 0xffff;
    if (uint64_t ignored = ignoredBits(line.instruction); (ours | ignored) != (theirs | ignored))
      return makeError(ErrorCode::CheckFailed, "'{}' assembles to {:016x}, RADV has {:016x}", line.instruction, ours,
                       theirs);
    std::memcpy(merged.data() + at, &theirs, size);
    at += size;
  }
  if (at != assembled.size())
    return makeError(ErrorCode::CheckFailed, "{} bytes assembled, RADV has {}", assembled.size(), at);
  return merged;
}

} // namespace

Result<RadvCode> assembleRadv(std::string_view text) {
  Listing listing;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    DOVETAIL_CHECK(readLine(text.substr(0, end), listing));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  RadvCode code;
  code.bytes = DOVETAIL_TRY(mergeEncodings(listing, DOVETAIL_TRY(test::assembleText(listing.source))));
  code.instructions = listing.lines.size();
  code.codeBytes = code.bytes.size();
  for (const Line &line : listing.lines) {
    code.mnemonics.insert(mnemonicOf(line.instruction));
    code.exportsUndefined |=
        line.instruction.starts_with("exp ") && line.instruction.find(" v128") != std::string::npos;
  }
  const auto *constants = reinterpret_cast<const uint8_t *>(listing.constants.data());
  code.bytes.insert(code.bytes.end(), constants, constants + listing.constants.size() * 4);
  return code;
}

} // namespace dovetail
