// SPDX-License-Identifier: MIT
#include "tests/fuzz/mutate_ir.h"
#include <algorithm>
#include <array>
#include <cctype>

namespace dovetail::fuzz {

namespace {

using Random = std::mt19937_64;

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines(1);
  for (char c : text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  return lines;
}

// The words of a line: names, numbers, types and keywords.
struct Word {
  size_t begin, length;
};

std::vector<Word> wordsOf(const std::string &line) {
  std::vector<Word> words;
  auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-'; };
  for (size_t at = 0; at < line.size();) {
    const bool isName = line[at] == '%' || line[at] == '@' || line[at] == '!';
    size_t end = at + isName;
    while (end < line.size() && isPart(line[end]))
      ++end;
    if (end > at + isName)
      words.push_back({at, end - at});
    at = std::max(end, at + 1);
  }
  return words;
}

enum class Kind { Value, Global, Metadata, Number, Type, Other };

Kind kindOf(const std::string &word) {
  switch (word[0]) {
  case '%':
    return Kind::Value;
  case '@':
    return Kind::Global;
  case '!':
    return Kind::Metadata;
  default:
    break;
  }
  if (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '-')
    return Kind::Number;
  constexpr std::array<std::string_view, 10> types = {"i1",   "i8",    "i16",    "i32", "i64",
                                                      "half", "float", "double", "ptr", "void"};
  return std::ranges::find(types, word) == types.end() ? Kind::Other : Kind::Type;
}

const char *pickNumber(Random &random) {
  constexpr std::array numbers = {"0",     "1",          "2",  "3",  "4",  "5",   "7",   "8",   "15",
                                  "16",    "31",         "32", "63", "64", "127", "128", "255", "65535",
                                  "65536", "2147483647", "-1", "9",  "12", "33",  "13",  "4095"};
  return numbers[random() % numbers.size()];
}

const char *pickType(Random &random) {
  constexpr std::array types = {"i1",          "i8",        "i16",       "i32",         "i64",
                                "half",        "float",     "double",    "<2 x float>", "<4 x i32>",
                                "<4 x float>", "[2 x i32]", "<3 x i32>", "{ i32, i32 }"};
  return types[random() % types.size()];
}

// Picks a line with contents: no comment, no empty line.
size_t pickLine(const std::vector<std::string> &lines, Random &random) {
  for (unsigned i = 0; i < 50; ++i)
    if (const size_t at = random() % lines.size(); !lines[at].empty() && lines[at][0] != ';')
      return at;
  return 0;
}

// Replaces a word by another of the same kind: a number, a type, or a word of the text.
void changeWord(std::vector<std::string> &lines, Random &random) {
  std::string &line = lines[pickLine(lines, random)];
  const std::vector<Word> words = wordsOf(line);
  if (words.empty())
    return;
  const Word at = words[random() % words.size()];
  const Kind kind = kindOf(line.substr(at.begin, at.length));
  std::string by;
  if (kind == Kind::Number && random() % 2)
    by = pickNumber(random);
  else if (kind == Kind::Type && random() % 2)
    by = pickType(random);
  for (unsigned i = 0; i < 50 && by.empty(); ++i) {
    const std::string &from = lines[pickLine(lines, random)];
    const std::vector<Word> others = wordsOf(from);
    if (others.empty())
      continue;
    const Word other = others[random() % others.size()];
    if (const std::string word = from.substr(other.begin, other.length); kindOf(word) == kind)
      by = word;
  }
  if (!by.empty())
    line.replace(at.begin, at.length, by);
}

// Replaces a number: the state's fields and the immediates of ops are numbers.
void changeNumber(std::vector<std::string> &lines, Random &random) {
  for (unsigned i = 0; i < 50; ++i) {
    std::string &line = lines[pickLine(lines, random)];
    std::vector<Word> words = wordsOf(line);
    std::erase_if(words, [&](Word word) { return kindOf(line.substr(word.begin, word.length)) != Kind::Number; });
    if (words.empty())
      continue;
    const Word at = words[random() % words.size()];
    line.replace(at.begin, at.length, pickNumber(random));
    return;
  }
}

// Gives a call the op's name of another call. The declarations stay as they are.
void changeCallee(std::vector<std::string> &lines, Random &random) {
  std::vector<size_t> calls;
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines[i].find("call ") != std::string::npos && lines[i].find('@') != std::string::npos)
      calls.push_back(i);
  if (calls.empty())
    return;
  auto nameIn = [](const std::string &line) {
    const size_t begin = line.find('@');
    return Word{begin, std::min(line.find('(', begin), line.size()) - begin};
  };
  std::string &line = lines[calls[random() % calls.size()]];
  const std::string &from = lines[calls[random() % calls.size()]];
  const Word at = nameIn(line), other = nameIn(from);
  line.replace(at.begin, at.length, std::string(from.substr(other.begin, other.length)));
}

void changeText(std::vector<std::string> &lines, const std::vector<std::string> &others, Random &random) {
  switch (random() % 12) {
  case 0:
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(pickLine(lines, random)));
    break;
  case 1: {
    const size_t from = pickLine(lines, random), to = pickLine(lines, random);
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(to), std::string(lines[from]));
    break;
  }
  case 2:
    std::swap(lines[pickLine(lines, random)], lines[pickLine(lines, random)]);
    break;
  case 3:
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(pickLine(lines, random)),
                 others[pickLine(others, random)]);
    break;
  case 4: {
    std::string &line = lines[pickLine(lines, random)];
    if (!line.empty())
      line[random() % line.size()] = "0159{}[]\"%@!,x*()<> "[random() % 20];
    break;
  }
  case 5:
  case 6:
    changeCallee(lines, random);
    break;
  case 7:
  case 8:
  case 9:
    changeNumber(lines, random);
    break;
  default:
    changeWord(lines, random);
    break;
  }
  if (lines.empty())
    lines.emplace_back();
}

} // namespace

std::string mutateIrText(const std::string &text, const std::string &other, Random &random) {
  std::vector<std::string> lines = linesOf(text);
  const std::vector<std::string> others = linesOf(other);
  for (uint64_t changes = 1 + random() % 3; changes > 0; --changes)
    changeText(lines, others, random);
  std::string mutant;
  for (const std::string &line : lines)
    mutant += line + '\n';
  return mutant;
}

std::string mutateBitcode(std::string bytes, Random &random) {
  for (uint64_t changes = 1 + random() % 3; changes > 0 && !bytes.empty(); --changes) {
    const size_t at = random() % bytes.size();
    switch (random() % 8) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      bytes.insert(at, bytes.substr(at, 1 + random() % 16));
      break;
    case 2:
    case 3:
      bytes[at] = char(random());
      break;
    default:
      bytes[at] = char(bytes[at] ^ 1 << random() % 8);
      break;
    }
  }
  return bytes;
}

} // namespace dovetail::fuzz
