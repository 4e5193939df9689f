// SPDX-License-Identifier: MIT
//
// Executes branches that are too far for the 16 bits of their instruction. An option tells LLVM that there are only
// four bits, so programs of any size have such branches; because of the option, these tests are a program of their own.
// Far branches must do the same as near branches.
#include "merge/check/check_image.h"
#include "src/mc/disassembler.h"
#include "tests/driver/own_shaders.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/bind/device.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <llvm/Support/CommandLine.h>

using namespace dovetail;

namespace {

// A program with so few branches may have none that leads over more than seven dwords.
constexpr unsigned FewBranches = 6;

struct Branches {
  unsigned near = 0, far = 0;
};

Branches branchesOf(const Variant &variant, const std::string &gpu) {
  Result<mc::Disassembler::Lease> disassembler = mc::Disassembler::forGpu(gpu);
  REQUIRE(disassembler);
  Branches count;
  for (const ImagePart &part : variant.image->parts) {
    Result<std::vector<isa::Instruction>> instructions = (*disassembler)->decodeAll(part.part->code);
    REQUIRE(instructions);
    for (const isa::Instruction &inst : *instructions)
      if (inst.is(isa::Branch))
        ++(inst.endsFarBranch() ? count.far : count.near);
  }
  return count;
}

struct Drawn {
  VariantRef variant;
  SceneResult result;
};

Result<Drawn> draw(Device &device, const Scene &scene, const ShaderSet &shaders) {
  VariantRef variant = DOVETAIL_TRY(device.bind(shaders, scene.state));
  DOVETAIL_CHECK(checkImage(*variant->image));
  return Drawn{variant, DOVETAIL_TRY(emulate(scene, shaders, *variant->image))};
}

void limitBranches(const char *option) {
  const char *arguments[] = {"test", option};
  llvm::cl::ResetAllOptionOccurrences();
  REQUIRE(llvm::cl::ParseCommandLineOptions(2, arguments));
}

} // namespace

TEST_CASE("far branches do what near ones do, on GFX8 and GFX9") {
  unsigned farBranches = 0;
  for (const std::string gpu : {"gfx803", "gfx900"}) {
    CAPTURE(gpu);
    Result<std::unique_ptr<Device>> near = Device::create(gpu), far = Device::create(gpu);
    REQUIRE(near);
    REQUIRE(far);
    for (const OwnProgram &program : readOwnPrograms()) {
      CAPTURE(program.name);
      Result<Scene> scene = makeScene(program.shaders, randomState(program.shaders, 1), {1, 16, 16});
      REQUIRE(scene);
      limitBranches("-amdgpu-s-branch-bits=16");
      Result<Drawn> expected = draw(**near, *scene, program.shaders);
      REQUIRE(expected);
      if (branchesOf(*expected->variant, gpu).near <= FewBranches)
        continue;
      limitBranches("-amdgpu-s-branch-bits=4");
      Result<Drawn> drawn = draw(**far, *scene, program.shaders);
      REQUIRE_MESSAGE(drawn, (drawn ? std::string() : drawn.error().text));
      farBranches += branchesOf(*drawn->variant, gpu).far;
      Comparison comparison = compare(*scene, expected->result, drawn->result);
      CHECK_MESSAGE(comparison.matches, comparison.text);
    }
  }
  CHECK(farBranches > 100);
}
