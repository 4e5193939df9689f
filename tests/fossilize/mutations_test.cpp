// SPDX-License-Identifier: MIT
//
// Damaged databases and pipeline files must be Errors with a text. DOVETAIL_MUTANTS is the number of mutants of each
// (500 if it is not set), DOVETAIL_SEED the first of them.
#include "tests/fossilize/capture_program.h"
#include "tests/tools/temporary_folder.h"
#include "tools/common/command/write_file.h"
#include "tools/common/fossilize/pipeline_state.h"
#include "tools/common/pipe-file/pipe_file.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "variants/state/default_state.h"
#include <cstdlib>
#include <doctest/doctest.h>
#include <random>

using namespace dovetail;
using namespace dovetail::fossilize;

namespace {

uint64_t numberOf(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// One to four changes: bytes, bits, and runs that are dropped, doubled or cut off.
std::string mutate(std::string bytes, std::mt19937_64 &random) {
  for (uint64_t changes = 1 + random() % 4; changes > 0 && !bytes.empty(); --changes) {
    const size_t at = random() % bytes.size(), length = 1 + random() % std::min<size_t>(64, bytes.size() - at);
    switch (random() % 6) {
    case 0:
      bytes[at] = char(random());
      break;
    case 1:
      bytes[at] = char(bytes[at] ^ 1 << random() % 8);
      break;
    case 2:
      bytes.erase(at, length);
      break;
    case 3:
      bytes.insert(at, bytes.substr(at, length));
      break;
    case 4:
      bytes[at] = "0159{}[]\",:-ef.;="[random() % 17];
      break;
    case 5:
      if (random() % 8 == 0)
        bytes.resize(at);
      break;
    }
  }
  return bytes;
}

// Reads everything that is in a database.
void readAll(const std::string &path, uint64_t &good, uint64_t &refused) {
  Result<std::shared_ptr<const Database>> database = Database::open(path);
  if (!database) {
    CHECK_FALSE(database.error().text.empty());
    ++refused;
    return;
  }
  Ignored ignored;
  for (const Entry &entry : (*database)->entries()) {
    const ObjectHash hash = {entry.hash};
    Result<void> read;
    auto note = [&](auto result) { read = result ? Result<void>() : tl::unexpected(result.error()); };
    switch (Kind(entry.kind)) {
    case Kind::Sampler:
      note(readObject<Sampler>(**database, hash, ignored));
      break;
    case Kind::DescriptorSetLayout:
      note(readObject<DescriptorSetLayout>(**database, hash, ignored));
      break;
    case Kind::PipelineLayout:
      note(readObject<PipelineLayout>(**database, hash, ignored));
      break;
    case Kind::ShaderModule:
      note(readObject<ShaderModule>(**database, hash, ignored));
      break;
    case Kind::ComputePipeline:
      note(readObject<ComputePipeline>(**database, hash, ignored));
      break;
    case Kind::GraphicsPipeline: {
      Result<GraphicsPipeline> pipeline = readLinkedPipeline(**database, hash, ignored);
      note(pipeline);
      if (pipeline)
        note(toPipelineState(*pipeline, nullptr, {}, ignored));
      break;
    }
    default:
      break;
    }
    ++(read ? good : refused);
    if (!read)
      CHECK_FALSE(read.error().text.empty());
  }
}

// A database whose entries are not compressed and have no checksums, so that changes reach the code that reads them.
std::string plainDatabase(const std::string &path) {
  auto database = Database::open(path).value();
  std::string bytes = readWholeFile(path).value().substr(0, 16);
  for (const Entry &entry : database->entries()) {
    const std::vector<uint8_t> payload = database->read(entry).value();
    bytes += fmt::format("{:024x}{:016x}", entry.kind, entry.hash);
    for (uint32_t number : {uint32_t(payload.size()), 1u, 0u, uint32_t(payload.size())})
      bytes += std::string(reinterpret_cast<const char *>(&number), sizeof(number));
    bytes.append(payload.begin(), payload.end());
  }
  return bytes;
}

} // namespace

TEST_CASE("mutated databases are read or refused") {
  TemporaryFolder folder;
  const CapturedProgram program(simpleShaders()), compute({simpleComputeShader()});
  {
    auto capture = Capture::create(folder / "a.foz").value();
    PipelineState state = defaultState(program.shaders);
    REQUIRE(capture->add(program.capture(state)));
    state.vertexBindings[0].divisor = 3;
    state.flatProvokingVertexLast = true;
    REQUIRE(capture->add(program.capture(state)));
    REQUIRE(capture->add(compute.capture({})));
  }
  const std::string seeds[] = {readWholeFile(folder / "a.foz").value(), plainDatabase(folder / "a.foz")};
  const uint64_t count = numberOf("DOVETAIL_MUTANTS", 500), first = numberOf("DOVETAIL_SEED", 1);
  uint64_t good = 0, refused = 0;
  for (uint64_t mutant = 0; mutant < count; ++mutant) {
    CAPTURE(mutant);
    std::mt19937_64 random(first * 0x9e3779b97f4a7c15ull + mutant);
    readAll(folder.write("mutant.foz", mutate(seeds[mutant % 4 != 0], random)), good, refused);
  }
  CHECK(good > 0);
  CHECK(refused > 0);
}

TEST_CASE("mutated pipeline files are read or refused") {
  const std::string seed = R"([Version]
version = 70
[CsSpirv]
OpCapability Shader
[CsInfo]
entryPoint = main
specConst.mapEntry[0].constantID = 4
specConst.mapEntry[0].size = 4
specConst.uintData = 7, 8
[ResourceMapping]
descriptorRangeValue[0].type = DescriptorSampler
descriptorRangeValue[0].set = 0x00000001
descriptorRangeValue[0].binding = 4
descriptorRangeValue[0].arraySize = 2
descriptorRangeValue[0].uintData = 146, 0xfff000, 0x4500000, 0, 1, 2, 3, 4
userDataNode[0].type = DescriptorTableVaPtr
userDataNode[0].offsetInDwords = 2
userDataNode[0].sizeInDwords = 1
userDataNode[0].next[0].type = DescriptorConstBuffer
userDataNode[0].next[0].offsetInDwords = 8
userDataNode[0].next[0].sizeInDwords = 4
userDataNode[0].next[0].set = 0x00000001
userDataNode[0].next[0].binding = 3
[GraphicsPipelineState]
topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP
numSamples = 4
colorBuffer[0].format = VK_FORMAT_R16G16B16A16_SFLOAT
[VertexInputState]
binding[0].binding = 0
binding[0].stride = 16
attribute[0].location = 0
attribute[0].format = VK_FORMAT_R32G32B32A32_SFLOAT
)";
  const uint64_t count = numberOf("DOVETAIL_MUTANTS", 500), first = numberOf("DOVETAIL_SEED", 1);
  uint64_t good = 0, refused = 0;
  for (uint64_t mutant = 0; mutant < count; ++mutant) {
    CAPTURE(mutant);
    std::mt19937_64 random(first * 0x9e3779b97f4a7c15ull + mutant);
    Result<PipeFile> file = PipeFile::parse("mutant.pipe", mutate(seed, random));
    if (!file) {
      CHECK_FALSE(file.error().text.empty());
      ++refused;
      continue;
    }
    PipelineState state;
    const auto layout = file->readLayout();
    const Result<void> read = file->readState(state);
    (void)file->readShaders({});
    (void)file->ignored();
    ++(layout && read ? good : refused);
  }
  CHECK(good > 0);
  CHECK(refused > 0);
}
