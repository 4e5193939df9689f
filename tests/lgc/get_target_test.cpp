// SPDX-License-Identifier: MIT
#include "src/abi/get_target.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

std::string gpuOf(std::string_view name) {
  Result<const TargetInfo *> target = getTarget(name);
  return target ? std::string((*target)->gpuName) : target.error().text;
}

std::string gpuOf(uint16_t deviceId, unsigned externalRevision) {
  Result<const TargetInfo *> target = getPciTarget(deviceId, externalRevision);
  return target ? std::string((*target)->gpuName) : target.error().text;
}

} // namespace

TEST_CASE("a GPU is found by the name of its chip, in any case") {
  CHECK(gpuOf("GFX90C") == "gfx90c");
  CHECK(gpuOf("Polaris10") == "gfx803");
  CHECK(gpuOf("vega10") == "gfx900");
  CHECK(gpuOf("RENOIR") == "gfx90c");
}

TEST_CASE("the name of a chip may have spaces") {
  CHECK(gpuOf("Polaris 10") == "gfx803");
  CHECK(gpuOf("Green Sardine") == "gfx90c");
  CHECK(gpuOf("vega 20") == "gfx906");
  CHECK(gpuOf("Vega 10") == "GPUs that are called \"Vega 10\" are gfx900 or gfx902: say which");
  CHECK(gpuOf("AMD Radeon Vega 10 Graphics") == "gfx902");
}

TEST_CASE("a GPU is found by the names of all products that it may be") {
  CHECK(gpuOf("Radeon RX 470/570") == "gfx803");
  CHECK(gpuOf("AMD Radeon RX 550 / 550 Series") == "gfx803");
  CHECK(gpuOf("AMD Instinct MI60 / MI50") == "gfx906");
  CHECK(gpuOf("AMD Radeon E9560 / E9565 Graphics") == "gfx803");
  CHECK(gpuOf("AMD Radeon Vega 3 / 10 Graphics") == "gfx902"); // Vega 3 alone may be gfx909
  CHECK(gpuOf("RX 470/570X") == "gfx803");                     // a name that is not known says nothing
  CHECK(gpuOf("RX 580 / VII") == "GPUs that are called \"RX 580 / VII\" are gfx803 or gfx906: say which");
  CHECK(gpuOf("RX / Series").find("is not known") != std::string::npos);
}

TEST_CASE("the word gfx alone names no GPU, nor does it stand in front of a product") {
  for (const char *name : {"gfx", "GFX", "gfx 550", "", "/"}) {
    CAPTURE(name);
    CHECK(gpuOf(name).find("is not known") != std::string::npos);
  }
}

TEST_CASE("a GPU is found by the name of its product, with or without what all of them have in common") {
  for (const char *name : {"RX 580", "rx580", "AMD Radeon RX 580 Series", "Radeon (TM) RX 580 Graphics"}) {
    CAPTURE(name);
    CHECK(gpuOf(name) == "gfx803");
  }
  CHECK(gpuOf("AMD Radeon VII") == "gfx906");
  CHECK(gpuOf("AMD FirePro S7150") == "gfx805");
}

TEST_CASE("a product's name that several GPUs have is refused with all of them") {
  CHECK(gpuOf("AMD Radeon Vega 8 Graphics") ==
        "GPUs that are called \"AMD Radeon Vega 8 Graphics\" are gfx902 or gfx90c: say which");
  CHECK(gpuOf("AMD Radeon").find("is not known") != std::string::npos);
}

TEST_CASE("a product's name that an older GPU has, too, is not known") {
  for (const char *name : {"AMD Radeon R7 M260", "R7 M340", "AMD Radeon R7 Graphics"})
    CHECK(gpuOf(name).find("is not known") != std::string::npos);
}

TEST_CASE("a GPU is found by its PCI device, Raven2 by its revision") {
  CHECK(gpuOf(0x67df, 0) == "gfx803");
  CHECK(gpuOf(0x1638, 0) == "gfx90c");
  CHECK(gpuOf(0x98e4, 0) == "gfx810");
  CHECK(gpuOf(0x15d8, 0x42) == "gfx902");
  CHECK(gpuOf(0x15d8, 0x81) == "gfx909");
  CHECK(gpuOf(0x15d8, 0) == "PCI device 1002:15d8 is gfx902 or gfx909, by its external revision");
  CHECK(gpuOf(0x73bf, 0) == "PCI device 1002:73bf is no GPU that is known");
}

TEST_CASE("every row of the table of names leads to a GPU") {
  auto checkKnown = [](const char *gpuName) { CHECK(findTarget(gpuName) != nullptr); };
#define GPU_FAMILY(name, gpuName)                                                                                      \
  checkKnown(gpuName);                                                                                                 \
  CHECK(gpuOf(name) == gpuName);
#define GPU_PRODUCT(name, gpuName)                                                                                     \
  checkKnown(gpuName);                                                                                                 \
  CHECK(gpuOf(name).find(gpuName) != std::string::npos);
#define GPU_DEVICE(deviceId, gpuName)                                                                                  \
  checkKnown(gpuName);                                                                                                 \
  CHECK(gpuOf(deviceId, 1) == gpuName);
#include "src/abi/gpu_names.def"
}
