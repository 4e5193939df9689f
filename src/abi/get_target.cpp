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

// "AMD Radeon(TM) RX 580 Series" is "rx580".
std::string productOf(std::string_view name) {
  constexpr std::string_view Fillers[] = {"amd", "ati", "radeon", "tm", "r", "series", "graphics", "gfx", "embedded"};
  std::string product, word;
  auto endWord = [&] {
    if (std::ranges::find(Fillers, word) == std::end(Fillers))
      product += word;
    word.clear();
  };
  for (char c : name) {
    c = lower(c);
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      word += c;
    else
      endWord();
  }
  endWord();
  return product;
}

std::vector<std::string_view> gpusOfProduct(std::string_view name) {
  const std::string product = productOf(name);
  std::vector<std::string_view> gpus;
  for (const Name &row : Products)
    if (!product.empty() && productOf(row.name) == product)
      gpus.push_back(row.gpuName);
  return gpus;
}

std::string join(const std::vector<std::string_view> &names, std::string_view between) {
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
  const std::vector<std::string_view> gpus = gpusOfProduct(name);
  if (gpus.size() == 1)
    return findTarget(gpus.front());
  if (!gpus.empty())
    return makeError(ErrorCode::UnknownGpu, "GPUs that are sold as \"{}\" are {}: say which", name, join(gpus, " or "));
  std::vector<std::string_view> known;
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
