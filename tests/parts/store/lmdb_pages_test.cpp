// SPDX-License-Identifier: MIT
//
// Our reader of LMDB's file against LMDB itself, and against files that are broken.
#include "parts/store/structure_check.h"
#include "tests/parts/store/store_folder.h"
#include <lmdb.h>
#include <map>
#include <random>

using namespace dovetail;
using namespace dovetail::store;
using test::FileBytes;
using test::StoreFolder;

namespace {

using Model = std::map<std::vector<uint8_t>, std::vector<uint8_t>>;

FileView viewOf(const FileBytes &bytes) {
  return {bytes.data(), bytes.size()};
}

std::vector<uint8_t> randomBytes(std::mt19937 &random, size_t length) {
  std::vector<uint8_t> bytes(length);
  for (uint8_t &byte : bytes)
    byte = uint8_t(random());
  return bytes;
}

// A database of LMDB's that is changed at random, and what should be in it.
class Database {
public:
  explicit Database(StoreFolder &folder) : m_folder(folder) {
    REQUIRE(mdb_env_create(&m_environment) == 0);
    mdb_env_set_mapsize(m_environment, 64 << 20);
    REQUIRE(mdb_env_open(m_environment, folder.path().c_str(), MDB_NOSYNC, 0644) == 0);
  }
  ~Database() { mdb_env_close(m_environment); }

  void change(std::mt19937 &random, unsigned count, unsigned removePercent) {
    MDB_txn *transaction;
    MDB_dbi data;
    REQUIRE(mdb_txn_begin(m_environment, nullptr, 0, &transaction) == 0);
    REQUIRE(mdb_dbi_open(transaction, nullptr, 0, &data) == 0);
    for (unsigned i = 0; i < count; ++i) {
      if (!model.empty() && random() % 100 < removePercent) {
        auto victim = model.lower_bound(randomBytes(random, 2));
        if (victim == model.end())
          victim = model.begin();
        MDB_val key = {victim->first.size(), const_cast<uint8_t *>(victim->first.data())};
        REQUIRE(mdb_del(transaction, data, &key, nullptr) == 0);
        model.erase(victim);
      } else {
        std::vector<uint8_t> keyBytes = randomBytes(random, 18);
        std::vector<uint8_t> valueBytes = randomBytes(random, random() % (random() % 8 == 0 ? 20000 : 300));
        MDB_val key = {keyBytes.size(), keyBytes.data()}, value = {valueBytes.size(), valueBytes.data()};
        REQUIRE(mdb_put(transaction, data, &key, &value, 0) == 0);
        model[keyBytes] = valueBytes;
      }
    }
    REQUIRE(mdb_txn_commit(transaction) == 0);
  }

  FileBytes bytes() const { return test::readFile(m_folder.data()); }

  Model model;

private:
  StoreFolder &m_folder;
  MDB_env *m_environment = nullptr;
};

Model readAll(const FileBytes &bytes, const Snapshot &snapshot) {
  Model model;
  SeenPages seen(snapshot.lastPage + 1);
  walk(viewOf(bytes), snapshot, snapshot.data, KeyOrder::Bytes, {}, seen,
       {.entry =
            [&](Bytes key, Bytes value) {
              model[{key.begin(), key.end()}] = {value.begin(), value.end()};
              return true;
            },
        .defect = [](std::string defect) { FAIL_CHECK(defect); }});
  return model;
}

} // namespace

TEST_CASE("what LMDB wrote is read as LMDB meant it, and its structure has no defects") {
  StoreFolder folder;
  Database database(folder);
  std::mt19937 random(1);
  for (unsigned round = 0; round < 60; ++round) {
    CAPTURE(round);
    database.change(random, 1 + random() % 150, round < 30 ? 20 : 70);
    FileBytes bytes = database.bytes();
    std::optional<Snapshot> snapshot = newestSnapshot(viewOf(bytes));
    REQUIRE(snapshot.has_value());
    CHECK(snapshot->transaction == round + 1);
    CHECK(snapshot->data.entries == database.model.size());
    CHECK((readAll(bytes, *snapshot) == database.model));
    size_t right = 0;
    Bytes found;
    for (const auto &[key, value] : database.model)
      right += find(viewOf(bytes), *snapshot, key, found) == Lookup::Found && std::ranges::equal(found, value);
    CHECK(right == database.model.size());
    for (unsigned i = 0; i < 20; ++i)
      CHECK(find(viewOf(bytes), *snapshot, randomBytes(random, 18), found) == Lookup::Absent);
    StructureReport report = checkStructure(viewOf(bytes), *snapshot);
    CHECK(report.defects == std::vector<std::string>());
    CHECK(report.freePages == countFreePages(viewOf(bytes), *snapshot).all);
  }
  CHECK(database.model.size() > 300);
}

TEST_CASE("a walk may begin in the middle") {
  StoreFolder folder;
  Database database(folder);
  std::mt19937 random(2);
  database.change(random, 2000, 0);
  FileBytes bytes = database.bytes();
  Snapshot snapshot = *newestSnapshot(viewOf(bytes));
  for (unsigned i = 0; i < 50; ++i) {
    std::vector<uint8_t> from = randomBytes(random, 2);
    SeenPages seen(snapshot.lastPage + 1);
    std::vector<std::vector<uint8_t>> keys;
    walk(viewOf(bytes), snapshot, snapshot.data, KeyOrder::Bytes, from, seen,
         {.entry =
              [&](Bytes key, Bytes) {
                keys.emplace_back(key.begin(), key.end());
                return keys.size() < 5;
              },
          .defect = {}});
    auto expected = database.model.lower_bound(from);
    for (const std::vector<uint8_t> &key : keys)
      CHECK((expected++)->first == key);
    CHECK((keys.size() == 5 || expected == database.model.end()));
  }
}

// Under AddressSanitizer, this shows that nothing outside of the file is read.
TEST_CASE("files with changed bytes are read without harm, and walks end") {
  StoreFolder folder;
  Database database(folder);
  std::mt19937 random(3);
  for (unsigned round = 0; round < 20; ++round)
    database.change(random, 40, 30);
  FileBytes good = database.bytes();
  unsigned defective = 0;
  for (unsigned round = 0; round < 600; ++round) {
    FileBytes bytes = good;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
      size_t page = random() % (bytes.size() / 4096) * 4096;
      bytes[page + random() % (random() % 2 ? 100 : 4096)] = uint8_t(random());
    }
    if (random() % 10 == 0)
      bytes.resize(random() % bytes.size());
    std::optional<Snapshot> snapshot = newestSnapshot(viewOf(bytes));
    if (!snapshot || snapshot->lastPage > 100000)
      continue;
    defective += !checkStructure(viewOf(bytes), *snapshot).defects.empty();
    for (const auto &[key, value] : database.model) {
      Bytes found;
      find(viewOf(bytes), *snapshot, key, found);
    }
  }
  CHECK(defective > 100);
}

TEST_CASE("a page that is in use twice, or free and in use, is a defect") {
  StoreFolder folder;
  Database database(folder);
  std::mt19937 random(4);
  database.change(random, 100, 0);
  database.change(random, 100, 50);
  FileBytes bytes = database.bytes();
  Snapshot snapshot = *newestSnapshot(viewOf(bytes));
  REQUIRE(checkStructure(viewOf(bytes), snapshot).defects.empty());

  Snapshot older = snapshot; // its pages were freed by the newer one
  older.data = readMeta(viewOf(bytes), (snapshot.transaction + 1) % 2)->data;
  CHECK_FALSE(checkStructure(viewOf(bytes), older).defects.empty());

  snapshot.lastPage -= 1;
  CHECK_FALSE(checkStructure(viewOf(bytes), snapshot).defects.empty());
}
