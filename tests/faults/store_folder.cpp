// SPDX-License-Identifier: MIT
#include "tests/faults/store_folder.h"
#include "tests/faults/test_parts.h"
#include <mutex>

namespace dovetail::faults {

OpenedStore openStore(const std::string &path, bool readOnly, uint64_t maxBytes) {
  OpenedStore opened;
  opened.warnings = std::make_shared<std::vector<std::string>>();
  PartStoreOptions options;
  options.path = path;
  options.readOnly = readOnly;
  if (maxBytes != 0)
    options.maxBytes = maxBytes;
  options.onWarning = [warnings = opened.warnings, mutex = std::make_shared<std::mutex>()](std::string_view text) {
    std::lock_guard<std::mutex> lock(*mutex);
    warnings->emplace_back(text);
  };
  opened.store = PartStore::open(std::move(options));
  return opened;
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

// That a part can be put and is found.
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
  found = 0;
  constexpr uint64_t fresh = 1000000007;
  for (unsigned opening = 0; opening < 2; ++opening) {
    OpenedStore opened = openStore(path);
    if (!opened.store)
      return "it cannot be opened: " + opened.store.error().text;
    PartStore &store = **opened.store;
    uint64_t foundNow;
    if (std::string defect = checkServed(store, numbers, foundNow); !defect.empty())
      return defect;
    if (Result<PartStore::Verification> verification = store.verify(); !verification && opening > 0)
      return "it cannot be verified: " + verification.error().text;
    // Beyond this point, damage was found, and what is whole was salvaged.
    store.flush();
    if (std::string defect = checkServed(store, numbers, foundNow); !defect.empty())
      return defect;
    if (opening == 0)
      found = foundNow;
    // What is lost is made again.
    for (uint64_t number : numbers)
      if (!store.find(testPartKey(number)))
        store.put(std::make_shared<const Part>(makeTestPart(number)));
    if (std::string defect = checkWritable(store, *opened.warnings, fresh + opening); !defect.empty())
      return defect;
    if (std::string wrong = checkServed(store, numbers, foundNow); !wrong.empty())
      return wrong;
    if (foundNow != numbers.size())
      return fmt::format("{} parts that were put again are not found", numbers.size() - foundNow);
  }
  return "";
}

} // namespace dovetail::faults
