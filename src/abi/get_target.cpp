// SPDX-License-Identifier: MIT
#include "src/abi/get_target.h"
#include <algorithm>

namespace dovetail {

namespace {

struct Name {
  std::string_view name;
  std::string_view gpuName;
};

constexpr Name Families[] = {
#define GPU_FAMILY(name, gpuName) {name, gpuName},
#include "src/abi/gpu_names.def"
};

constexpr Name Products[] = {
#define GPU_PRODUCT(name, gpuName) {name, gpuName},
#include "src/abi/gpu_names.def"
};

struct PciDevice {
  uint16_t deviceId;
  std::string_view gpuName;
};

constexpr PciDevice PciDevices[] = {
#define GPU_DEVICE(deviceId, gpuName) {deviceId, gpuName},
#include "src/abi/gpu_names.def"
};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) { return lower(c); });
  return result;
}

using Words = std::vector<std::string>;

// Words in lower case, of letters and digits.
Words wordsOf(std::string_view name) {
  Words words = {""};
  for (char c : name) {
    c = lower(c);
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty())
    words.pop_back();
  return words;
}

// "AMD Radeon(TM) RX 580 Series" is "rx", "580".
Words productWords(std::string_view name) {
  constexpr std::string_view Fillers[] = {"amd", "ati", "radeon", "tm", "r", "series", "graphics", "embedded"};
  Words words = wordsOf(name);
  std::erase_if(words, [&](const std::string &word) { return std::ranges::find(Fillers, word) != std::end(Fillers); });
  return words;
}

std::string inOne(const Words &words) {
  std::string text;
  for (const std::string &word : words)
    text += word;
  return text;
}

using GpuNames = std::vector<std::string_view>;

bool contains(const GpuNames &gpus, std::string_view gpuName) {
  return std::ranges::find(gpus, gpuName) != gpus.end();
}

GpuNames united(GpuNames gpus, const GpuNames &others) {
  for (std::string_view gpuName : others)
    if (!contains(gpus, gpuName))
      gpus.push_back(gpuName);
  return gpus;
}

GpuNames gpusOfProduct(const Words &words) {
  const std::string product = inOne(words);
  GpuNames gpus;
  for (const Name &row : Products)
    if (!product.empty() && inOne(productWords(row.name)) == product)
      gpus.push_back(row.gpuName);
  return gpus;
}

// Drivers call a chip by all products that it may be: "RX 550 / 550 Series", "Vega 3 / 10". Each name behind the first
// may lack the words in front of the first name's number. The chip is a GPU that has all of the known names.
GpuNames gpusOfProducts(std::string_view name) {
  const Words first = productWords(name.substr(0, name.find('/')));
  GpuNames all, common;
  for (bool isFirst = true; !name.empty(); isFirst = false) {
    const size_t end = std::min(name.find('/'), name.size());
    const Words words = productWords(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
    GpuNames gpus = gpusOfProduct(words);
    if (!isFirst && !first.empty() && !words.empty()) {
      Words whole(first.begin(), first.end() - 1);
      whole.insert(whole.end(), words.begin(), words.end());
      gpus = united(std::move(gpus), gpusOfProduct(whole));
    }
    if (gpus.empty())
      continue;
    if (all.empty())
      common = gpus;
    std::erase_if(common, [&](std::string_view gpuName) { return !contains(gpus, gpuName); });
    all = united(std::move(all), gpus);
  }
  return common.empty() ? all : common;
}

// Takes any spelling: "Polaris 10", "green-sardine".
GpuNames gpusOfChip(std::string_view name) {
  const std::string chip = inOne(wordsOf(name));
  GpuNames gpus;
  for (const Name &row : Families)
    if (inOne(wordsOf(row.name)) == chip)
      gpus.push_back(row.gpuName);
  return gpus;
}

std::string join(const GpuNames &names, std::string_view between) {
  std::string text;
  for (std::string_view name : names)
    text.append(text.empty() ? "" : between).append(name);
  return text;
}

} // namespace

Result<const TargetInfo *> getTarget(std::string_view name) {
  if (const TargetInfo *target = findTarget(name))
    return target;
  const std::string family = lower(name);
  if (const TargetInfo *target = findTarget(family))
    return target;
  if (const auto *row = std::ranges::find(Families, family, &Name::name); row != std::end(Families))
    return findTarget(row->gpuName);
  // "Vega 10" is a chip, and also a product with another chip.
  const GpuNames gpus = united(gpusOfChip(name), gpusOfProducts(name));
  if (gpus.size() == 1)
    return findTarget(gpus.front());
  if (!gpus.empty())
    return makeError(ErrorCode::UnknownGpu, "GPUs that are called \"{}\" are {}: say which", name, join(gpus, " or "));
  GpuNames known;
  for (const TargetInfo &each : allTargets())
    known.push_back(each.gpuName);
  return makeError(
      ErrorCode::UnknownGpu,
      "GPU \"{}\" is not known; these are: {} (or the names of their chips and products: \"polaris10\", \"RX "
      "580\")",
      name, join(known, ", "));
}

Result<const TargetInfo *> getPciTarget(uint16_t deviceId, unsigned externalRevision) {
  const auto *row = std::ranges::find(PciDevices, deviceId, &PciDevice::deviceId);
  if (row == std::end(PciDevices))
    return makeError(ErrorCode::UnknownGpu, "PCI device 1002:{:04x} is no GPU that is known", deviceId);
  constexpr std::string_view Raven = "gfx902", Raven2 = "gfx909";
  constexpr unsigned FirstRaven2 = 0x81; // Mesa: amdgpu_asic_addr.h, AMDGPU_RAVEN2_RANGE
  if (row->gpuName != Raven)
    return findTarget(row->gpuName);
  if (externalRevision == 0)
    return makeError(ErrorCode::UnknownGpu, "PCI device 1002:{:04x} is {} or {}, by its external revision", deviceId,
                     Raven, Raven2);
  return findTarget(externalRevision < FirstRaven2 ? Raven : Raven2);
}

std::vector<std::string_view> chipsOf(const TargetInfo &target) {
  std::vector<std::string_view> chips;
  for (const Name &row : Families)
    if (row.gpuName == target.gpuName)
      chips.push_back(row.name);
  return chips;
}

} // namespace dovetail
