// SPDX-License-Identifier: MIT
#include "parts/cache/part_cache.h"
#include "parts/compile/key_bytes.h"
#include "parts/compile/toolchain_version.h"
#include "parts/elf/part_elf.h"
#include "parts/kinds/null_fragment.h"
#include "parts/store/archive.h"
#include "parts/store/archived_store.h"
#include "tests/parts/made_up_parts.h"
#include "tests/parts/store/store_folder.h"
#include <chrono>
#include <random>

using namespace dovetail;
using namespace dovetail::test;

namespace {

const std::string ThisBuild = toolchainVersion().toHex();

// Parts that this build could have made, by their keys.
std::vector<PartRef> partsOfThisBuild(uint32_t count) {
  std::vector<PartRef> parts;
  for (uint32_t number = 0; number < count; ++number) {
    Part part = *madeUpPart(number);
    part.keyFields = {uint8_t(number), uint8_t(number >> 8), 7};
    if (part.key.kind != PartKind::Monolithic)
      part.key.hash = hashOfKeyFields(part.keyFields);
    parts.push_back(std::make_shared<const Part>(archivedPart(part)));
  }
  std::ranges::sort(parts, {}, [](const PartRef &part) { return store::rowOf(part->key); });
  return parts;
}

void writeArchive(const std::string &path, const std::vector<PartRef> &parts, const std::string &build = ThisBuild,
                  const std::string &gpu = "gfx900") {
  std::unique_ptr<ArchiveWriter> writer = *ArchiveWriter::create(path);
  for (const PartRef &part : parts) {
    const std::vector<uint8_t> value = store::encodeEntry(*part);
    REQUIRE(writer->add({part->key, build, gpu, value.size()}, value));
  }
  REQUIRE(writer->addValid(spirv::ModuleDigest{1, 2, 3}));
  REQUIRE(writer->finish());
}

size_t countFound(Archive &archive, const std::vector<PartRef> &parts) {
  size_t found = 0;
  for (const PartRef &part : parts)
    if (const PartRef read = archive.find(part->key)) {
      CHECK(bytesOf(*read) == bytesOf(*part));
      ++found;
    }
  return found;
}

} // namespace

TEST_CASE("an archive has the parts that were put into it, and equal parts make equal files") {
  TemporaryFolder folder;
  const std::vector<PartRef> parts = partsOfThisBuild(200);
  writeArchive(folder / "a", parts);
  writeArchive(folder / "b", parts);
  CHECK(readFile(folder / "a") == readFile(folder / "b"));
  const std::shared_ptr<Archive> archive = *Archive::open(folder / "a");
  CHECK(archive->about().parts == 200);
  CHECK(archive->about().gpus == std::vector<std::string>{"gfx900"});
  CHECK(archive->about().builds == std::vector<std::string>{ThisBuild});
  CHECK(countFound(*archive, parts) == 200);
  CHECK(archive->find(madeUpKey(5000)) == nullptr);
  CHECK(archive->damaged() == 0);
  CHECK(archive->entries()->size() == 200);
  CHECK(archive->validRows()->size() == 1);
}

TEST_CASE("verify says nothing about a good archive, and names a part of another build") {
  TemporaryFolder folder;
  std::vector<PartRef> parts = partsOfThisBuild(1);
  REQUIRE((parts.front()->key.kind != PartKind::Monolithic));
  writeArchive(folder / "good", parts);
  CHECK((*Archive::open(folder / "good"))->verify()->empty());
  writeArchive(folder / "bad", {madeUpPart(1)});
  const std::vector<std::string> defects = *(*Archive::open(folder / "bad"))->verify();
  REQUIRE(defects.size() == 1);
  CHECK(defects.front().find("the part is of another build than the archive says") != std::string::npos);
}

TEST_CASE("the keys of real parts tell their build, those of monolithic parts, too") {
  const PartRef part = *makeNullFragment({"gfx900"});
  CHECK(isOfThisBuild(*part));
  Part other = *part;
  other.key.hash.low ^= 1;
  CHECK_FALSE(isOfThisBuild(other));
}

TEST_CASE("an archive that others may write to, or that is none, is an error that says so") {
  TemporaryFolder folder;
  writeArchive(folder / "a", partsOfThisBuild(3));
  std::filesystem::permissions(folder / "a", std::filesystem::perms(0666));
  CHECK(Archive::open(folder / "a").error().text.find("others may write to it") != std::string::npos);
  CHECK(Archive::open(folder / "gone").error().text.find("No such file") != std::string::npos);
  CHECK(Archive::open(folder.path()).error().text.find("it is no file") != std::string::npos);
  folder.write("text",
               "this is text, and long enough that SQLite reads a header of a hundred bytes from it, all of it wrong");
  std::filesystem::permissions(folder / "text", std::filesystem::perms(0644));
  CHECK_FALSE(Archive::open(folder / "text"));
}

TEST_CASE("a device's store is behind its archives, and archives for others are not used") {
  TemporaryFolder folder;
  StoreFolder own;
  const std::vector<PartRef> parts = partsOfThisBuild(4);
  writeArchive(folder / "this", {parts[0]});
  writeArchive(folder / "build", {parts[1]}, std::string(32, 'a'));
  writeArchive(folder / "gpu", {parts[2]}, ThisBuild, "gfx803");
  std::vector<std::string> warnings;
  const std::shared_ptr<PartStore> store =
      withArchives(own.open(), {folder / "this", folder / "build", folder / "gpu", folder / "gone"}, "gfx900",
                   [&](std::string_view text) { warnings.emplace_back(text); });
  store->put(parts[3], "gfx900");
  store->flush();
  CHECK(store->find(parts[0]->key) != nullptr);
  CHECK(store->find(parts[1]->key) == nullptr);
  CHECK(store->find(parts[2]->key) == nullptr);
  CHECK(store->find(parts[3]->key) != nullptr);
  CHECK(store->statistics().archives == 1);
  CHECK(store->statistics().archiveHits == 1);
  CHECK(store->statistics().hits == 1);
  CHECK(warnings.size() == 3);
}

TEST_CASE("without a store of its own, a device has its archives alone") {
  TemporaryFolder folder;
  const std::vector<PartRef> parts = partsOfThisBuild(2);
  writeArchive(folder / "a", {parts[0]});
  const std::shared_ptr<PartStore> store =
      withArchives(nullptr, {folder / "a"}, "gfx900", [](std::string_view) { FAIL("no warning is wanted"); });
  store->put(parts[1], "gfx900");
  store->flush();
  CHECK(store->find(parts[0]->key) != nullptr);
  CHECK(store->find(parts[1]->key) == nullptr);
  CHECK_FALSE(store->statistics().isWritable);
  CHECK(withArchives(nullptr, {folder / "gone"}, "gfx900", [](std::string_view) {}) == nullptr);
}

// 10,000 mutants: DOVETAIL_ARCHIVE_MUTANTS=10000.
TEST_CASE("an archive that was tampered with or cut off is refused or missed, and never used") {
  TemporaryFolder folder;
  const std::vector<PartRef> parts = partsOfThisBuild(24);
  writeArchive(folder / "good", parts);
  const FileBytes good = readFile(folder / "good");
  const char *asked = std::getenv("DOVETAIL_ARCHIVE_MUTANTS");
  std::mt19937 random(1);
  size_t refused = 0, missed = 0, verified = 0;
  const unsigned count = asked ? unsigned(std::atoi(asked)) : 400;
  for (unsigned mutant = 0; mutant < count; ++mutant) {
    FileBytes bytes = good;
    switch (random() % 4) {
    case 0: // flipped bits
      for (unsigned flips = 1 + random() % 8; flips > 0; --flips)
        bytes[random() % bytes.size()] ^= uint8_t(1u << random() % 8);
      break;
    case 1: // cut off
      bytes.resize(random() % bytes.size());
      break;
    case 2: { // a stretch of other bytes
      const size_t at = random() % bytes.size(), length = std::min<size_t>(random() % 600, bytes.size() - at);
      for (size_t place = at; place < at + length; ++place)
        bytes[place] = uint8_t(random());
      break;
    }
    case 3: { // stretches exchanged, whole pages among them
      const size_t length = random() % 2 == 0 ? 8192 : 1 + random() % 256;
      const size_t unit = length == 8192 ? length : 1, places = (bytes.size() - length) / unit;
      const size_t from = random() % places * unit, to = random() % places * unit;
      for (size_t index = 0; index < length && std::max(from, to) + index < bytes.size(); ++index)
        std::swap(bytes[from + index], bytes[to + index]);
      break;
    }
    }
    const std::string path = folder / "mutant";
    writeFile(path, bytes);
    std::filesystem::permissions(path, std::filesystem::perms(0600));
    const Result<std::shared_ptr<Archive>> archive = Archive::open(path);
    if (!archive) {
      ++refused;
      continue;
    }
    const size_t found = countFound(**archive, parts); // checks what is found
    missed += parts.size() - found;
    const Result<std::vector<std::string>> defects = (*archive)->verify();
    verified += !defects || !defects->empty();
    // verify() may find nothing where nothing is read: free pages, and numbers that SQLite does not use.
    CHECK((found == parts.size() || !defects || !defects->empty()));
  }
  MESSAGE(count, " mutants: ", refused, " refused, ", verified, " found by verify, ", missed, " parts missed");
  CHECK(refused + verified > count / 2);
}

// With 100,000 parts in each: DOVETAIL_ARCHIVE_PARTS=100000.
TEST_CASE("opening eight archives takes a moment" * doctest::may_fail()) {
  TemporaryFolder folder;
  const char *asked = std::getenv("DOVETAIL_ARCHIVE_PARTS");
  const std::vector<PartRef> parts = partsOfThisBuild(asked ? unsigned(std::atoi(asked)) : 2000);
  std::vector<std::string> paths;
  for (int number = 0; number < 8; ++number)
    if (paths.emplace_back(folder / std::to_string(number)); number == 0)
      writeArchive(paths.front(), parts);
    else
      std::filesystem::copy_file(paths.front(), paths.back());
  const auto begin = std::chrono::steady_clock::now();
  const std::shared_ptr<PartStore> store = withArchives(nullptr, paths, "gfx900", [](std::string_view) {});
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  CHECK(store->statistics().archives == 8);
  const auto timeFinds = [&](bool hits) {
    const auto start = std::chrono::steady_clock::now();
    constexpr size_t Finds = 1000;
    for (size_t number = 0; number < Finds; ++number) {
      PartKey key = parts[number * 7919 % parts.size()]->key;
      key.hash.low ^= hits ? 0 : 1;
      CHECK((store->find(key) != nullptr) == hits);
    }
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / Finds;
  };
  const double cold = timeFinds(true), hit = timeFinds(true), miss = timeFinds(false);
  MESSAGE("eight archives of ", parts.size(), " parts are opened in ", took.count(), " ms; a hit in the first takes ",
          hit, " us (", cold, " us at first), a miss in all eight ", miss, " us");
  CHECK(took.count() < 5);
}
