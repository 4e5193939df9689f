// SPDX-License-Identifier: MIT
//
// The stream of entries in a database. An entry that was written is read back, one that is cut off is ignored, and one
// that is damaged is an Error that names the place.
#include "tests/tools/temporary_folder.h"
#include "tools/common/command/write_file.h"
#include "tools/common/fossilize/file/database.h"
#include "tools/common/fossilize/file/encodings.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <thread>

using namespace dovetail;
using namespace dovetail::fossilize;

namespace {

constexpr size_t FileHeader = 16, EntryHeader = 56;

std::vector<uint8_t> bytesOf(const std::string &text) {
  return {text.begin(), text.end()};
}

std::unique_ptr<DatabaseWriter> openWriter(const std::string &path,
                                           DatabaseWriter::Mode mode = DatabaseWriter::Mode::Replace) {
  Result<std::unique_ptr<DatabaseWriter>> writer = DatabaseWriter::open(path, mode);
  if (!writer)
    FAIL(writer.error().text);
  return std::move(*writer);
}

void mustWrite(DatabaseWriter &writer, Kind kind, uint64_t hash, const std::string &payload) {
  Result<void> written = writer.write(kind, {hash}, bytesOf(payload));
  if (!written)
    FAIL(written.error().text);
}

// Two entries that are not compressible, and the file with them.
struct Written : TemporaryFolder {
  Written() : path(*this / "test.foz") {
    auto writer = openWriter(path);
    mustWrite(*writer, Kind::Sampler, 0x1234, "first");
    mustWrite(*writer, Kind::ComputePipeline, 0xfedcba9876543210, "second");
    bytes = readWholeFile(path).value();
  }
  // Opens the file with other bytes.
  Result<std::shared_ptr<const Database>> reopen(const std::string &changed) {
    write("test.foz", changed);
    return Database::open(path);
  }
  std::string path, bytes;
};

std::string errorOf(const Result<std::shared_ptr<const Database>> &result) {
  return result ? "no error" : result.error().text;
}

std::string readAll(const Database &database, Kind kind, uint64_t hash) {
  const Entry *entry = database.find(kind, {hash});
  if (!entry)
    return "not there";
  Result<std::vector<uint8_t>> payload = database.read(*entry);
  return payload ? std::string(payload->begin(), payload->end()) : payload.error().text;
}

} // namespace

TEST_CASE("a database begins with Fossilize's magic and version 6, and an entry with its name in hexadecimal digits") {
  Written written;
  CHECK(written.bytes.substr(0, 12) == "\x81"
                                       "FOSSILIZEDB");
  CHECK(written.bytes.substr(12, 4) == std::string("\0\0\0\6", 4));
  CHECK(written.bytes.substr(16, 40) == "0000000000000000000000010000000000001234");
  // Stored: 5 bytes, not compressed, a checksum, 5 bytes.
  CHECK(written.bytes.substr(56, 8) == std::string("\5\0\0\0\1\0\0\0", 8));
  CHECK(written.bytes.substr(68, 9) == std::string("\5\0\0\0first", 9));
}

TEST_CASE("entries are found by kind and hash, and pipelines are listed in the order of the file") {
  Written written;
  auto database = Database::open(written.path).value();
  CHECK(database->entries().size() == 2);
  CHECK(database->version() == NewestVersion);
  CHECK(readAll(*database, Kind::Sampler, 0x1234) == "first");
  CHECK(readAll(*database, Kind::ComputePipeline, 0xfedcba9876543210) == "second");
  CHECK_FALSE(database->find(Kind::ComputePipeline, {0x1234}));
  REQUIRE(database->pipelines().size() == 1);
  CHECK(database->pipelines()[0] == 1);
}

TEST_CASE("a payload that deflates well is deflated") {
  TemporaryFolder folder;
  const std::string payload(100000, 'a');
  mustWrite(*openWriter(folder / "a.foz"), Kind::ShaderModule, 1, payload);
  auto database = Database::open(folder / "a.foz").value();
  CHECK(database->entries()[0].isDeflated);
  CHECK(database->fileBytes() < 1000);
  CHECK(readAll(*database, Kind::ShaderModule, 1) == payload);
}

TEST_CASE("an entry that is cut off at the end is ignored, wherever it is cut") {
  Written written;
  const size_t second = FileHeader + EntryHeader + 5;
  for (size_t size = second; size < written.bytes.size(); ++size) {
    CAPTURE(size);
    auto database = written.reopen(written.bytes.substr(0, size));
    REQUIRE(database);
    CHECK((*database)->entries().size() == 1);
    CHECK((*database)->end() == second);
    CHECK((*database)->fileBytes() == size);
  }
}

TEST_CASE("what is appended to a database with an entry cut off takes its place") {
  Written written;
  written.write("test.foz", written.bytes.substr(0, written.bytes.size() - 3));
  auto writer = openWriter(written.path, DatabaseWriter::Mode::Append);
  CHECK(writer->has(Kind::Sampler, {0x1234}));
  CHECK_FALSE(writer->has(Kind::ComputePipeline, {0xfedcba9876543210}));
  mustWrite(*writer, Kind::Sampler, 0x1234, "another");
  mustWrite(*writer, Kind::RenderPass, 7, "third");
  auto database = Database::open(written.path).value();
  CHECK(database->end() == database->fileBytes());
  CHECK(readAll(*database, Kind::Sampler, 0x1234) == "first");
  CHECK(readAll(*database, Kind::RenderPass, 7) == "third");
}

TEST_CASE("of entries with the same name, the first counts") {
  Written written;
  const std::string again = written.bytes.substr(FileHeader, EntryHeader) + "FIRST";
  auto database = written.reopen(written.bytes + again);
  // The copy has the first entry's checksum, so to read the copy would be an Error.
  CHECK(readAll(**database, Kind::Sampler, 0x1234) == "first");
}

TEST_CASE("entries of kinds that are not known are passed over") {
  Written written;
  std::string changed = written.bytes;
  changed[FileHeader + 22] = 'f';
  auto database = written.reopen(changed);
  REQUIRE(database);
  CHECK((*database)->entries().size() == 1);
}

TEST_CASE("what is no database, or one of another version, is refused with the offset") {
  Written written;
  CHECK(errorOf(written.reopen("")).find("offset 0: not a Fossilize database") != std::string::npos);
  CHECK(errorOf(written.reopen("#version 450, and so on")).find("offset 0: not a Fossilize") != std::string::npos);
  for (const auto &[version, isRead] : {std::pair(4, false), {5, true}, {6, true}, {7, false}}) {
    CAPTURE(version);
    std::string changed = written.bytes;
    changed[15] = char(version);
    auto database = written.reopen(changed);
    CHECK(database.has_value() == isRead);
    if (!isRead)
      CHECK(errorOf(database).find(fmt::format("offset 15: version {}", version)) != std::string::npos);
  }
}

TEST_CASE("a damaged header is refused with its offset") {
  Written written;
  const size_t second = FileHeader + EntryHeader + 5;
  std::string changed = written.bytes;
  changed[second + 30] = 'x';
  CHECK(errorOf(written.reopen(changed)).find("offset 77: an entry's name has 40 hexadecimal digits") !=
        std::string::npos);
  changed = written.bytes;
  changed[second + 44] = 9;
  CHECK(errorOf(written.reopen(changed)).find("offset 77: an entry's compression is 1 or 2, found 9") !=
        std::string::npos);
}

TEST_CASE("a damaged payload is an Error with the entry's offset when it is read, and the others stay readable") {
  Written written;
  std::string changed = written.bytes;
  changed.back() ^= 1;
  auto database = written.reopen(changed).value();
  CHECK(readAll(*database, Kind::ComputePipeline, 0xfedcba9876543210)
            .find("offset 77: compute pipeline fedcba9876543210: the checksum is another") != std::string::npos);
  CHECK(readAll(*database, Kind::Sampler, 0x1234) == "first");
}

TEST_CASE("a payload without a checksum is taken as it is") {
  Written written;
  std::string changed = written.bytes;
  for (size_t byte = 0; byte < 4; ++byte)
    changed[FileHeader + 48 + byte] = 0;
  changed[FileHeader + EntryHeader] = 'F';
  CHECK(readAll(*written.reopen(changed).value(), Kind::Sampler, 0x1234) == "First");
}

TEST_CASE("a header that claims more bytes than can have been deflated is refused before they are allocated") {
  TemporaryFolder folder;
  mustWrite(*openWriter(folder / "a.foz"), Kind::ShaderModule, 1, std::string(100000, 'a'));
  std::string bytes = readWholeFile(folder / "a.foz").value();
  bytes[FileHeader + 52 + 3] = 0x0f;
  folder.write("a.foz", bytes);
  CHECK(readAll(*Database::open(folder / "a.foz").value(), Kind::ShaderModule, 1).find("offset 16: shader module") !=
        std::string::npos);
}

TEST_CASE("threads write each entry once") {
  TemporaryFolder folder;
  {
    auto writer = openWriter(folder / "a.foz");
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < 4; ++thread)
      threads.emplace_back([&] {
        for (uint64_t hash = 1; hash <= 200; ++hash)
          (void)writer->write(Kind::Sampler, {hash}, bytesOf(fmt::format("payload {}", hash)));
      });
  }
  auto database = Database::open(folder / "a.foz").value();
  CHECK(database->entries().size() == 200);
  for (uint64_t hash = 1; hash <= 200; ++hash)
    CHECK(readAll(*database, Kind::Sampler, hash) == fmt::format("payload {}", hash));
}

TEST_CASE("words are written in 1 to 5 bytes, and read only if they are so many and fit") {
  const std::vector<uint32_t> words = {0, 0x7f, 0x80, 0x07230203, 0xffffffff};
  const std::vector<uint8_t> bytes = encodeVarint(words);
  CHECK(bytes.size() == 1 + 1 + 2 + 4 + 5);
  CHECK(decodeVarint(bytes, words.size()) == words);
  CHECK_FALSE(decodeVarint(bytes, words.size() - 1));
  CHECK_FALSE(decodeVarint(std::span(bytes).first(bytes.size() - 1), words.size()));
  CHECK_FALSE(decodeVarint(std::vector<uint8_t>{0xff, 0xff, 0xff, 0xff, 0x1f}, 1));
}

TEST_CASE("base64 of any length comes back, and what is none is refused") {
  for (size_t size = 0; size < 9; ++size) {
    std::vector<uint8_t> bytes;
    for (size_t index = 0; index < size; ++index)
      bytes.push_back(uint8_t(250 + index));
    CHECK(decodeBase64(encodeBase64(bytes)) == bytes);
  }
  CHECK(encodeBase64(bytesOf("ab")) == "YWI=");
  CHECK_FALSE(decodeBase64("YWI"));
  CHECK_FALSE(decodeBase64("YW!="));
}
