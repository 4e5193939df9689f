// SPDX-License-Identifier: MIT
#include "tests/faults/store_folder.h"
#include "tests/faults/test_parts.h"
#include "tools/common/command/write_file.h"
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sys/stat.h>

namespace dovetail::faults {

OpenedStore openStore(const std::string &path, bool readOnly, uint64_t maxBytes, bool trusts) {
  OpenedStore opened;
  opened.warnings = std::make_shared<std::vector<std::string>>();
  PartStoreOptions options;
  options.path = path;
  options.readOnly = readOnly;
  options.trustFolder = trusts;
  if (maxBytes != 0)
    options.maxBytes = maxBytes;
  options.onWarning = [warnings = opened.warnings, mutex = std::make_shared<std::mutex>()](std::string_view text) {
    std::lock_guard<std::mutex> lock(*mutex);
    warnings->emplace_back(text);
  };
  opened.store = PartStore::open(std::move(options));
  return opened;
}

void writeStore(const std::string &path, const std::map<std::string, std::string> &files) {
  std::filesystem::create_directories(path);
  chmod(path.c_str(), 0700);
  for (const auto &[name, content] : files) {
    const std::string file = path + "/" + name;
    std::ofstream(file, std::ios::binary) << content;
    chmod(file.c_str(), 0600);
  }
}

std::map<std::string, std::string> readStore(const std::string &path) {
  std::map<std::string, std::string> files;
  for (const std::filesystem::directory_entry &file : std::filesystem::directory_iterator(path))
    files[file.path().filename()] = readWholeFile(file.path()).value();
  return files;
}

std::string writeParts(const std::string &path, const Numbers &numbers) {
  OpenedStore opened = openStore(path);
  if (!opened.store)
    return opened.store.error().text;
  PartStore &store = **opened.store;
  for (uint64_t number : numbers)
    store.put(std::make_shared<const Part>(makeTestPart(number)));
  store.flush();
  if (!store.statistics().isWritable)
    return opened.warnings->empty() ? "the store is off without a warning" : opened.warnings->front();
  return store.statistics().dropped == 0 ? "" : "parts were dropped";
}

std::string checkServed(PartStore &store, const Numbers &numbers, uint64_t &found) {
  found = 0;
  for (uint64_t number : numbers) {
    PartRef part = store.find(testPartKey(number));
    if (!part)
      continue;
    if (std::string difference = differenceOf(*part, makeTestPart(number)); !difference.empty())
      return fmt::format("part {} is served with another {}", number, difference);
    ++found;
  }
  return "";
}

namespace {

// Checks that a part can be put and is found.
std::string checkWritable(PartStore &store, const std::vector<std::string> &warnings, uint64_t number) {
  Part fresh = makeTestPart(number);
  store.put(std::make_shared<const Part>(fresh));
  store.flush();
  PartRef part = store.find(fresh.key);
  if (!part)
    return fmt::format("a part that was put is not found ({})", warnings.empty() ? "no warning" : warnings.back());
  if (std::string difference = differenceOf(*part, fresh); !difference.empty())
    return fmt::format("a part that was put is served with another {}", difference);
  return "";
}

} // namespace

std::string checkHealthy(const std::string &path, const Numbers &mustBeThere, uint64_t freshNumber) {
  OpenedStore opened = openStore(path);
  if (!opened.store)
    return "it cannot be opened: " + opened.store.error().text;
  PartStore &store = **opened.store;
  Result<PartStore::Verification> verification = store.verify();
  if (!verification)
    return "it cannot be verified: " + verification.error().text;
  if (verification->damaged != 0 || !verification->defects.empty())
    return fmt::format("{} damaged: {}", verification->damaged,
                       verification->defects.empty() ? "no defect is named" : verification->defects.front());
  uint64_t found;
  if (std::string defect = checkServed(store, mustBeThere, found); !defect.empty())
    return defect;
  if (found != mustBeThere.size()) {
    for (uint64_t number : mustBeThere)
      if (!store.find(testPartKey(number)))
        return fmt::format("part {} is lost, and {} more", number, mustBeThere.size() - found - 1);
  }
  return checkWritable(store, *opened.warnings, freshNumber);
}

std::string checkUsable(const std::string &path, const Numbers &numbers, uint64_t &found) {
  constexpr uint64_t fresh = 1000000007;
  std::string lastDefect;
  for (unsigned opening = 0; opening < 4; ++opening) {
    OpenedStore opened = openStore(path);
    if (!opened.store)
      return "it cannot be opened: " + opened.store.error().text;
    PartStore &store = **opened.store;
    uint64_t foundNow;
    if (std::string defect = checkServed(store, numbers, foundNow); !defect.empty())
      return defect;
    if (opening == 0)
      found = foundNow;
    const Result<PartStore::Verification> verification = store.verify();
    const bool isWhole = verification && verification->defects.empty() && foundNow == numbers.size();
    // Puts lost parts again.
    for (uint64_t number : numbers)
      store.put(std::make_shared<const Part>(makeTestPart(number)));
    if (std::string defect = checkWritable(store, *opened.warnings, fresh + opening); !defect.empty())
      lastDefect = defect; // the part may have been on its way when damage was found
    else if (isWhole)
      return "";
  }
  return lastDefect.empty() ? "parts are lost again and again" : lastDefect;
}

std::string writeUntilOff(const std::string &path, uint64_t first, const Numbers &mustBeThere) {
  constexpr uint64_t most = 100000;
  OpenedStore opened = openStore(path);
  if (!opened.store)
    return "it cannot be opened: " + opened.store.error().text;
  PartStore &store = **opened.store;
  Numbers numbers;
  while (store.statistics().isWritable && numbers.size() < most) {
    for (unsigned left = 32; left > 0; --left) {
      numbers.push_back(first + numbers.size());
      store.put(std::make_shared<const Part>(makeTestPart(numbers.back())));
    }
    store.flush();
  }
  if (store.statistics().isWritable)
    return fmt::format("it still writes after {} parts", numbers.size());
  // The store accepts later parts without harm.
  for (uint64_t number = 0; number < 64; ++number)
    store.put(std::make_shared<const Part>(makeTestPart(first + most + number)));
  store.flush();
  if (opened.warnings->size() != 1)
    return fmt::format("{} warnings: {}", opened.warnings->size(),
                       opened.warnings->empty() ? "" : opened.warnings->back());
  if (!store.statistics().isReadable)
    return "it is not readable any more";
  uint64_t found;
  if (std::string defect = checkServed(store, numbers, found); !defect.empty())
    return defect;
  if (std::string defect = checkServed(store, mustBeThere, found); !defect.empty())
    return defect;
  return found == mustBeThere.size() ? "" : "what was written before is not found";
}

std::string useUnwritable(const std::string &path, bool trusts) {
  OpenedStore opened = openStore(path, false, 0, trusts);
  if (!opened.store)
    return opened.store.error().text.find(path) != std::string::npos
               ? "not opened"
               : "the Error does not name the store: " + opened.store.error().text;
  (*opened.store)->put(std::make_shared<const Part>(makeTestPart(9)));
  (*opened.store)->flush();
  uint64_t found;
  if (std::string defect = checkServed(**opened.store, {0, 1, 2, 3}, found); !defect.empty())
    return defect;
  if (opened.warnings->size() > 1)
    return fmt::format("{} warnings", opened.warnings->size());
  return fmt::format("{} found, {}", found, (*opened.store)->statistics().isWritable ? "writable" : "read-only");
}

} // namespace dovetail::faults
