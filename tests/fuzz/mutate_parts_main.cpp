// SPDX-License-Identifier: MIT
//
// A store gives out any part whose checksum is right, but its writer may have been wrong. So this program mutates parts
// of every kind, and uses each that can be decoded as if it had come from a store. It builds variants with it (joined,
// monolithic, sometimes optimised), checks them, writes them as ELF and disassembles them. All of that must go well, or
// end in a miss or an Error.
//
//   mutate_parts [--count N] [--seed S] [--first I] MODULE.spv...
//
// Modules whose names begin alike, up to the first dot, make a program. Mutant I of seed S is always the same: `--first
// I --count 1` repeats it.
#include "merge/check/check_image.h"
#include "merge/elf/pal_elf.h"
#include "parts/cache/part_maker.h"
#include "tests/fuzz/bench_mutants.h"
#include "tests/fuzz/mutate_part.h"
#include "tests/fuzz/read_programs.h"
#include "variants/bind/device.h"
#include "variants/inspect/print_assembly.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/state/canonicalize.h"
#include "variants/state/default_state.h"
#include <array>

using namespace dovetail;
using fuzz::BenchOptions;

namespace {

// Shared between the parent and its children.
struct Progress {
  uint64_t mutants = 0;
  uint64_t missed = 0;  // could not be decoded
  uint64_t refused = 0; // building a variant with it is an Error
  uint64_t unsound = 0; // checkImage() finds a defect
  uint64_t used = 0;
  uint64_t defects = 0; // wrong outcomes that do not crash
  std::array<uint64_t, PartKindCount> usedOfKind = {};
};

// A program under a state, and the parts of its variants.
struct Subject {
  std::string name;
  ShaderSet shaders;
  PipelineState state;
  std::vector<PartRef> parts;
};

// One GPU: a device, whose cache is emptied for each mutant.
class Bench {
public:
  static Result<std::unique_ptr<Bench>> create(const char *gpu, const BenchOptions &options) {
    auto bench = std::make_unique<Bench>();
    bench->m_device = DOVETAIL_TRY(Device::create(gpu));
    const auto programs = DOVETAIL_TRY(fuzz::readPrograms(options.modules));
    for (const auto &[name, shaders] : programs) {
      DOVETAIL_CHECK(bench->add(name, shaders, false));
      if (shaders.shader(lgc::ShaderStage::Fragment))
        DOVETAIL_CHECK(bench->add(name + ", smooth", shaders, true));
    }
    return bench;
  }

  void use(uint64_t mutant, const BenchOptions &options, Progress &progress);

private:
  Result<void> add(const std::string &name, const ShaderSet &shaders, bool isSmooth);
  void forgetParts() {
    while (cache().memoryBytes() > 0)
      cache().evictFromSample(1);
  }
  PartCache &cache() { return m_device->partMaker().cache(); }
  Result<void> buildAll(const Subject &subject, bool isOptimized, Progress &progress);

  std::unique_ptr<Device> m_device;
  std::vector<Subject> m_subjects;
};

// Adds a program, with a state under which there are as many kinds of parts as possible. Smooth: the fragment shader's
// program is monolithic.
Result<void> Bench::add(const std::string &name, const ShaderSet &shaders, bool isSmooth) {
  Subject subject = {name, shaders, {}, {}};
  subject.state = defaultState(subject.shaders);
  subject.state.polygonStippleEnable = true;
  subject.state.flatProvokingVertexLast = true;
  subject.state.squareComputeWaves = true;
  if (isSmooth) {
    subject.state.smoothing = true;
    subject.state.rasterizationSamples = 4;
  }
  if (const spirv::Reflection *geometry = subject.shaders.reflection(lgc::ShaderStage::Geometry);
      geometry && geometry->geometry.input == GeometryInput::TrianglesAdjacency)
    subject.state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
  subject.state = canonicalize(subject.state, subject.shaders);
  Progress ignored;
  DOVETAIL_CHECK(buildAll(subject, false, ignored));
  // Copies, so that only the cache refers to the parts that it forgets.
  for (const PartRef &part : cache().parts())
    subject.parts.push_back(std::make_shared<const Part>(*part));
  std::ranges::sort(subject.parts, {}, [](const PartRef &part) { return part->key; });
  m_subjects.push_back(std::move(subject));
  forgetParts();
  return {};
}

Result<void> Bench::buildAll(const Subject &subject, bool isOptimized, Progress &progress) {
  for (bool isMonolithic : {false, true}) {
    const BuildOptions options = {isMonolithic};
    const VariantRef variant =
        DOVETAIL_TRY(buildVariant(m_device->partMaker(), makeVariantKey(subject.shaders, subject.state, options),
                                  subject.shaders, subject.state, options));
    // A variant that is not sound is written and disassembled all the same.
    progress.unsound += !checkImage(*variant->image);
    DOVETAIL_TRY(writePalElf(*variant->image));
    DOVETAIL_TRY(printAssembly(*variant->image));
    if (isOptimized && !isMonolithic)
      DOVETAIL_TRY(buildOptimizedVariant(m_device->partMaker(),
                                         makeOptimizedKey(subject.shaders, subject.state, nullptr), subject.shaders,
                                         subject.state, nullptr, *variant, [] { return false; }));
  }
  return {};
}

void Bench::use(uint64_t mutant, const BenchOptions &options, Progress &progress) {
  std::mt19937_64 random(options.seed * 0x9e3779b97f4a7c15ull + mutant);
  const Subject &subject = m_subjects[random() % m_subjects.size()];
  const PartRef &part = subject.parts[random() % subject.parts.size()];
  const Subject &otherSubject = m_subjects[random() % m_subjects.size()];
  const PartRef &other = otherSubject.parts[random() % otherSubject.parts.size()];
  Result<Part> mutated = fuzz::mutatePart(*part, *other, random);
  ++progress.mutants;
  if (!mutated || mutated->key != part->key) {
    ++progress.missed;
    return;
  }
  // Puts the parts into the cache, as if they had been found in a store.
  for (const PartRef &one : subject.parts) {
    (void)cache().getOrMake(one->key, [&] {
      return Result<PartRef>(std::make_shared<const Part>(one == part ? std::move(*mutated) : *one));
    });
  }
  const Result<void> built = buildAll(subject, random() % 8 == 0, progress);
  forgetParts();
  ++progress.usedOfKind[size_t(part->key.kind)];
  if (built) {
    ++progress.used;
    return;
  }
  ++progress.refused;
  progress.defects += !fuzz::noteRefusal(mutant, fmt::format("{} of {}", toString(part->key.kind), subject.name),
                                         built.error(), options.isVerbose);
}

} // namespace

int main(int argc, char **argv) {
  BenchOptions options;
  if (const std::optional<int> status =
          fuzz::readOptions(argc, argv, "Uses mutated parts as if they had come from a store", options))
    return *status;
  auto *progress = fuzz::makeShared<Progress>();
  if (!progress)
    return 1;
  const auto [crashes, hangs] = fuzz::runOnBenches<Bench>(options, *progress);
  fmt::print("{} mutants of parts: {} missed, {} refused, {} used ({} images of them not sound); {} crashes, {} hangs, "
             "{} other defects\n",
             progress->mutants, progress->missed, progress->refused, progress->used, progress->unsound, crashes, hangs,
             progress->defects);
  bool hasAllKinds = true;
  for (unsigned kind = 0; kind < PartKindCount; ++kind) {
    hasAllKinds = hasAllKinds && (progress->usedOfKind[kind] > 0 || options.count < 1000);
    fmt::print("  {} {}\n", progress->usedOfKind[kind], toString(PartKind(kind)));
  }
  const bool failed = crashes || hangs || progress->defects || !hasAllKinds;
  fmt::print("{} passed, {} failed\n", failed ? 0 : 1, failed ? 1 : 0);
  return failed ? 1 : 0;
}
