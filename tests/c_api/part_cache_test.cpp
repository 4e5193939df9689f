// SPDX-License-Identifier: MIT
//
// Parts leave the process: into a cache of the driver's, as one run of bytes, and in a pipeline ELF.
#include "tests/c_api/bad_calls.h"
#include <cstring>
#include <map>
#include <mutex>

using namespace dovetail::c_test;

namespace {

// A driver's cache, which it would keep on disk.
struct Cache {
  std::mutex mutex;
  std::map<std::string, std::string> values;
  unsigned hits = 0;

  dovetail_device_options options() {
    dovetail_device_options options = withLlvm();
    options.size = sizeof options;
    options.part_cache.user = this;
    options.part_cache.get = [](void *user, const uint8_t *key, void *buffer, size_t size) -> size_t {
      Cache &cache = *static_cast<Cache *>(user);
      std::lock_guard lock(cache.mutex);
      const auto found = cache.values.find(nameOf(key));
      if (found == cache.values.end())
        return 0;
      ++cache.hits;
      if (found->second.size() <= size)
        std::memcpy(buffer, found->second.data(), found->second.size());
      return found->second.size();
    };
    options.part_cache.put = [](void *user, const uint8_t *key, const void *data, size_t size) {
      Cache &cache = *static_cast<Cache *>(user);
      std::lock_guard lock(cache.mutex);
      cache.values[nameOf(key)] = std::string(static_cast<const char *>(data), size);
    };
    return options;
  }

private:
  static std::string nameOf(const uint8_t *key) {
    return std::string(reinterpret_cast<const char *>(key), DOVETAIL_PART_CACHE_KEY_SIZE);
  }
};

std::vector<uint8_t> codeOf(const dovetail_variant *variant) {
  const dovetail_variant_info info = infoOf(variant);
  return {info.code, info.code + info.code_size};
}

// The bytes that a call hands out: the first call asks for their number, the second fetches them.
template <typename Call> std::vector<uint8_t> bytesOf(const Call &call) {
  size_t size = 0;
  CHECK_OK(call(nullptr, &size, message));
  std::vector<uint8_t> bytes(size);
  CHECK_OK(call(bytes.data(), &size, message));
  return bytes;
}

std::vector<uint8_t> exportOf(dovetail_device *device) {
  return bytesOf([&](void *buffer, size_t *size, dovetail_message *message) {
    return dovetail_device_export_parts(device, buffer, size, message);
  });
}

dovetail_import_info importInto(dovetail_device *device, const std::vector<uint8_t> &bytes) {
  auto info = sized<dovetail_import_info>();
  CHECK_OK(dovetail_device_import_parts(device, bytes.data(), bytes.size(), &info, message));
  return info;
}

std::string importError(dovetail_device *device, const std::vector<uint8_t> &bytes) {
  dovetail_message message;
  if (dovetail_device_import_parts(device, bytes.data(), bytes.size(), nullptr, &message) == DOVETAIL_OK)
    return "";
  return message.text;
}

} // namespace

TEST_CASE("C: parts that the driver's cache has are not made, and give the same code") {
  Cache cache;
  std::vector<uint8_t> code;
  {
    Device device(cache.options());
    TexturedProgram program(device);
    Binder binder(device);
    code = codeOf(binder.bind(program));
    CHECK(statisticsOf(device).parts_made == 4);
  }
  CHECK(cache.values.size() == 4);
  Device device(cache.options());
  TexturedProgram program(device);
  Binder binder(device);
  CHECK(codeOf(binder.bind(program)) == code);
  CHECK(statisticsOf(device).parts_made == 0);
  CHECK(statisticsOf(device).parts_stored == 4);
  CHECK(cache.hits == 4);
}

TEST_CASE("C: what a driver's cache returns damaged is a miss, whatever is wrong with it") {
  Cache cache;
  {
    Device device(cache.options());
    TexturedProgram program(device);
    Binder binder(device);
    binder.bind(program);
  }
  const std::string intact = cache.values.begin()->second;
  unsigned kind = 0;
  for (auto &[key, value] : cache.values) {
    if (kind == 0)
      value[value.size() / 2] ^= 1;
    else if (kind == 1)
      value.resize(value.size() / 2);
    else if (kind == 2)
      value += std::string(40000, 'x'); // more than fits at first
    else
      value = intact; // the bytes of another part
    ++kind;
  }
  Device device(cache.options());
  TexturedProgram program(device);
  Binder binder(device);
  binder.bind(program);
  CHECK(statisticsOf(device).parts_made == 4);
  CHECK(statisticsOf(device).part_cache_damaged == 4);
}

TEST_CASE("C: a driver's cache has both functions or none") {
  Cache cache;
  dovetail_device_options options = cache.options();
  options.part_cache.put = nullptr;
  dovetail_device *device = nullptr;
  dovetail_message message;
  checkBad(dovetail_device_create(&options, &device, &message), message, "options->part_cache has one of get and put");
}

TEST_CASE("C: what a device exports, another one need not make") {
  Device first(withLlvm());
  TexturedProgram program(first);
  Binder binder(first);
  const std::vector<uint8_t> code = codeOf(binder.bind(program)), bytes = exportOf(first);

  Device second;
  dovetail_import_info info = importInto(second, bytes);
  CHECK(info.imported == 4);
  CHECK(info.known == 0);
  TexturedProgram same(second);
  Binder otherBinder(second);
  CHECK(codeOf(otherBinder.bind(same)) == code);
  CHECK(statisticsOf(second).parts_made == 0);
  info = importInto(second, bytes);
  CHECK(info.imported == 0);
  CHECK(info.known == 4);
}

TEST_CASE("C: what is exported of a variant is its parts") {
  Device first(withLlvm());
  TexturedProgram program(first), unrelated(first);
  Binder binder(first);
  const dovetail_variant *variant = binder.bind(program);
  const std::vector<uint8_t> bytes = bytesOf([&](void *buffer, size_t *size, dovetail_message *message) {
    return dovetail_variant_export_parts(variant, buffer, size, message);
  });
  Device second;
  CHECK(importInto(second, bytes).imported == infoOf(variant).part_count);
}

TEST_CASE("C: of damaged bytes nothing is imported, or all that is whole, and a message says what is wrong") {
  Device device(withLlvm());
  TexturedProgram program(device);
  Binder binder(device);
  binder.bind(program);
  const std::vector<uint8_t> good = exportOf(device);

  Device other, foreign("gfx803");
  CHECK(importError(other, {1, 2, 3}) == "this is no bundle of parts");
  CHECK(importError(foreign, good) == "the bundle of parts is for gfx900, and the device for gfx803");
  for (size_t size = 0; size < good.size(); size += size < 200 ? 1 : 97)
    CHECK(importError(other, {good.begin(), good.begin() + ptrdiff_t(size)}) != "");
  std::vector<uint8_t> longer = good;
  longer.push_back(0);
  CHECK(importError(other, longer) == "there are 1 bytes behind the bundle of parts");
  std::vector<uint8_t> ofOtherBuild = good;
  ofOtherBuild[40] ^= 1;
  CHECK(importError(other, ofOtherBuild).find("is of build") != std::string::npos);
  CHECK(statisticsOf(other).parts_stored == 0);

  std::vector<uint8_t> damaged = good;
  damaged.back() ^= 1;
  const dovetail_import_info info = importInto(other, damaged);
  CHECK(info.damaged == 1);
  CHECK(info.imported == 3);
}

TEST_CASE("C: a variant that was read from its ELF has the code, registers and user data of the one that was written") {
  Device device;
  FiveStageProgram program(device);
  Binder binder(device);
  const dovetail_variant *written = binder.bind(program), *read = nullptr;
  const std::vector<uint8_t> elf = bytesOf([&](void *buffer, size_t *size, dovetail_message *message) {
    return dovetail_variant_write_elf(written, buffer, size, message);
  });
  CHECK_OK(dovetail_variant_read_elf(elf.data(), elf.size(), &read, message));
  const dovetail_variant_info before = infoOf(written), after = infoOf(read);
  CHECK(codeOf(read) == codeOf(written));
  CHECK(std::string_view(after.gpu) == before.gpu);
  CHECK(after.part_count == before.part_count);
  REQUIRE(after.stage_count == before.stage_count);
  auto registersOf = [](const dovetail_variant_info &info) {
    std::map<uint32_t, uint32_t> registers;
    for (size_t i = 0; i < info.register_count; ++i)
      registers[info.registers[i].address] = info.registers[i].value;
    return registers;
  };
  CHECK(registersOf(after) == registersOf(before));
  for (uint32_t i = 0; i < before.stage_count; ++i) {
    const dovetail_stage_info stage = stageOf(written, i), same = stageOf(read, i);
    CHECK(same.stage == stage.stage);
    CHECK(same.entry == stage.entry);
    REQUIRE(same.user_sgpr_count == stage.user_sgpr_count);
    for (uint32_t slot = 0; slot < stage.user_sgpr_count; ++slot)
      CHECK(same.user_data[slot] == stage.user_data[slot]);
  }
  for (uint32_t i = 0; i < before.part_count; ++i)
    CHECK(partOf(read, i).kind == partOf(written, i).kind);
  // Parts that were read from an ELF have no keys, so another device could not find them.
  size_t size = 0;
  dovetail_message message;
  CHECK(dovetail_variant_export_parts(read, nullptr, &size, &message) == DOVETAIL_INVALID_INPUT);
  dovetail_variant_release(read);

  CHECK(dovetail_variant_read_elf(elf.data(), elf.size() / 2, &read, &message) == DOVETAIL_INVALID_INPUT);
  CHECK(read == nullptr);
}
