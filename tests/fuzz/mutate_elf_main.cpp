// SPDX-License-Identifier: MIT
//
// Files of unlinked shaders, of glue and of finished pipelines come from outside: from a cache, from another machine.
// So this program mutates files of all three kinds: their bytes, or the contents of well-formed files. Every reader
// gets each mutant. The program links mutated shaders and glue with intact files, and checks, writes and disassembles
// the result. All of that must go well, or end in an Error with a text.
//
//   mutate_elf [--count N] [--seed S] [--first I] MODULE.spv...
//
// Modules whose names begin alike, up to the first dot, make a program. Mutant I of seed S is always the same: `--first
// I --count 1` repeats it.
#include "merge/check/check_image.h"
#include "merge/elf/pal_elf.h"
#include "parts/elf/part_elf.h"
#include "tests/fuzz/bench_mutants.h"
#include "tests/fuzz/mutate_elf.h"
#include "tests/fuzz/mutate_part.h"
#include "tests/fuzz/read_programs.h"
#include "variants/inspect/print_assembly.h"
#include "variants/link/elf_linker.h"
#include "variants/link/part_pipeline.h"
#include "variants/state/default_state.h"
#include <array>

using namespace dovetail;
using fuzz::BenchOptions;

namespace {

using lgc::ShaderStage;
using File = std::vector<uint8_t>;

enum class Kind { Shader, Glue, Pipeline };
constexpr unsigned KindCount = 3;
constexpr std::array<const char *, KindCount> KindNames = {"unlinked shaders", "glue", "pipelines"};

// Shared between the parent and its children.
struct Progress {
  uint64_t mutants = 0;
  std::array<uint64_t, KindCount> refused = {}, taken = {};
  uint64_t linked = 0;
  uint64_t unsound = 0; // checkImage() finds a defect
  uint64_t defects = 0; // wrong outcomes that do not crash
};

// A pipeline as files.
struct Subject {
  std::string name;
  PipelineState state;
  ResourceLayoutRef layout;
  std::vector<File> shaders;
  std::vector<File> glue; // as getGlueInfo() lists it
  File pipeline;
};

// One GPU.
class Bench {
public:
  static Result<std::unique_ptr<Bench>> create(const char *gpu, const BenchOptions &options) {
    auto bench = std::make_unique<Bench>();
    bench->m_maker = DOVETAIL_TRY(PartMaker::create(gpu));
    for (const auto &[name, shaders] : DOVETAIL_TRY(fuzz::readPrograms(options.modules))) {
      DOVETAIL_CHECK(bench->add(name, shaders, false));
      if (shaders.shader(ShaderStage::Fragment))
        DOVETAIL_CHECK(bench->add(name + ", in parts", shaders, true));
    }
    return bench;
  }

  void use(uint64_t mutant, const BenchOptions &options, Progress &progress);

private:
  Result<void> add(const std::string &name, const ShaderSet &shaders, bool isInParts);
  Result<std::vector<File>> compile(const ShaderSet &shaders, const PipelineState &state, bool isInParts);
  Result<VariantRef> link(const Subject &subject, size_t changedShader, size_t changedGlue, const File &file);
  Result<void> useFile(const Subject &subject, Kind kind, size_t index, const File &file, Progress &progress);
  File changeContents(const File &file, const File &other, std::mt19937_64 &random) const;
  void forgetParts() {
    while (m_maker->cache().memoryBytes() > 0)
      m_maker->cache().evictFromSample(1);
  }

  std::unique_ptr<PartMaker> m_maker;
  std::vector<Subject> m_subjects;
};

constexpr size_t None = ~size_t(0);

Result<std::vector<File>> Bench::compile(const ShaderSet &shaders, const PipelineState &state, bool isInParts) {
  std::vector<File> files;
  if (isInParts) {
    files.push_back(DOVETAIL_TRY(compileFragmentPart(*m_maker, shaders, state)));
    ElfLinker linker(*m_maker, state, shaders.layout);
    DOVETAIL_CHECK(linker.addInputElf(files.back()));
    const FsInputMappings mappings = DOVETAIL_TRY(decodeMappings(DOVETAIL_TRY(linker.getFsInputMappings())));
    for (File &file : DOVETAIL_TRY(compileOtherPart(*m_maker, shaders, state, mappings)))
      files.push_back(std::move(file));
    return files;
  }
  UnlinkedOptions options;
  options.layout = shaders.layout;
  for (size_t index = lgc::ShaderStageCount; index-- > 0;)
    if (const ShaderRef &shader = shaders.shaders[index]) {
      files.push_back(DOVETAIL_TRY(compileUnlinkedShader(*m_maker, shader, options)));
      options.next = ShaderStage(index);
    }
  return files;
}

// Adds a program, with a state under which there is much glue.
Result<void> Bench::add(const std::string &name, const ShaderSet &shaders, bool isInParts) {
  Subject subject;
  subject.name = name;
  subject.state = defaultState(shaders);
  subject.state.polygonStippleEnable = true;
  subject.state.flatProvokingVertexLast = true;
  subject.state.squareComputeWaves = true;
  if (const spirv::Reflection *geometry = shaders.reflection(ShaderStage::Geometry);
      geometry && geometry->geometry.input == GeometryInput::TrianglesAdjacency)
    subject.state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
  subject.layout = shaders.layout;
  subject.shaders = DOVETAIL_TRY(compile(shaders, subject.state, isInParts));
  ElfLinker linker(*m_maker, subject.state, subject.layout);
  for (const File &file : subject.shaders)
    DOVETAIL_CHECK(linker.addInputElf(file));
  const size_t glueCount = DOVETAIL_TRY(linker.getGlueInfo()).size();
  for (size_t index = 0; index < glueCount; ++index)
    subject.glue.push_back(DOVETAIL_TRY(linker.compileGlue(index)));
  subject.pipeline = DOVETAIL_TRY(linker.link());
  m_subjects.push_back(std::move(subject));
  forgetParts();
  return {};
}

// Puts another part into a file of its kind. The file's facts about itself stay those of the old part.
File Bench::changeContents(const File &file, const File &other, std::mt19937_64 &random) const {
  const TargetInfo &target = m_maker->target();
  Result<ElfFile> elf = readElf(file), otherElf = readElf(other);
  Result<Part> part = elf ? partOf(*elf) : Result<Part>(tl::unexpected(elf.error()));
  Result<Part> otherPart = otherElf ? partOf(*otherElf) : part;
  if (!part || !otherPart)
    return file;
  Result<Part> mutated = fuzz::mutatePart(*part, *otherPart, random);
  if (!mutated)
    return file;
  ElfFile changed = partElf(*mutated, target);
  if (const ElfNote *facts = elf->findNote(DovetailVendor, ShaderFactsNote)) {
    changed.notes.push_back(*facts);
    for (uint64_t left = random() % 3; left > 0; --left)
      if (File &bytes = changed.notes.back().bytes; !bytes.empty())
        bytes[random() % bytes.size()] = uint8_t(random());
  }
  Result<File> written = writeElf(changed);
  return written ? std::move(*written) : file;
}

// The pipeline with this file in place of one of its own.
Result<VariantRef> Bench::link(const Subject &subject, size_t changedShader, size_t changedGlue, const File &file) {
  ElfLinker linker(*m_maker, subject.state, subject.layout);
  for (size_t index = 0; index < subject.shaders.size(); ++index)
    DOVETAIL_CHECK(linker.addInputElf(index == changedShader ? file : subject.shaders[index]));
  DOVETAIL_TRY(linker.getGlueInfo());
  if (changedGlue != None)
    DOVETAIL_CHECK(linker.addGlue(changedGlue, file));
  // A shader with other facts about itself has other glue, which the linker makes.
  if (const Result<std::vector<uint8_t>> mappings = linker.getFsInputMappings())
    DOVETAIL_TRY(decodeMappings(*mappings));
  return linker.linkVariant();
}

// All readers get the file, whatever it is. Then it is used as a file of its kind.
Result<void> Bench::useFile(const Subject &subject, Kind kind, size_t index, const File &file, Progress &progress) {
  const Result<ElfFile> elf = readElf(file);
  const Result<ImageRef> finished = readPalElf(file);
  const Result<UnlinkedShader> shader = readShaderElf(file, m_maker->target());
  if (elf)
    (void)partOf(*elf);
  if (finished)
    (void)printAssembly(**finished);
  if (kind == Kind::Pipeline)
    return finished ? Result<void>() : tl::unexpected(finished.error());
  const VariantRef linked =
      DOVETAIL_TRY(link(subject, kind == Kind::Shader ? index : None, kind == Kind::Glue ? index : None, file));
  ++progress.linked;
  // An image that is not sound is written and disassembled all the same.
  progress.unsound += !checkImage(*linked->image);
  DOVETAIL_TRY(writePalElf(*linked->image));
  DOVETAIL_TRY(printAssembly(*linked->image));
  return {};
}

void Bench::use(uint64_t mutant, const BenchOptions &options, Progress &progress) {
  std::mt19937_64 random(options.seed * 0x9e3779b97f4a7c15ull + mutant);
  const Subject &subject = m_subjects[random() % m_subjects.size()];
  const Subject &otherSubject = m_subjects[random() % m_subjects.size()];
  const std::array<std::span<const File>, KindCount> files = {std::span(subject.shaders), std::span(subject.glue),
                                                              std::span(&subject.pipeline, 1)};
  auto kind = Kind(random() % KindCount);
  if (files[size_t(kind)].empty())
    kind = Kind::Shader;
  const size_t index = random() % files[size_t(kind)].size();
  const File &file = files[size_t(kind)][index];
  const File &other =
      kind == Kind::Pipeline ? otherSubject.pipeline : otherSubject.shaders[random() % otherSubject.shaders.size()];
  const bool changesContents = kind != Kind::Pipeline && random() % 2 == 0;
  const File changed = changesContents ? changeContents(file, other, random) : fuzz::mutateElf(file, other, random);
  ++progress.mutants;
  const Result<void> used = useFile(subject, kind, index, changed, progress);
  forgetParts();
  ++(used ? progress.taken : progress.refused)[size_t(kind)];
  if (used)
    return;
  progress.defects += !fuzz::noteRefusal(mutant, fmt::format("{} of {}", KindNames[size_t(kind)], subject.name),
                                         used.error(), options.isVerbose);
}

} // namespace

int main(int argc, char **argv) {
  BenchOptions options;
  if (const std::optional<int> status = fuzz::readOptions(argc, argv, "Links mutated ELF files", options))
    return *status;
  auto *progress = fuzz::makeShared<Progress>();
  if (!progress)
    return 1;
  const auto [crashes, hangs] = fuzz::runOnBenches<Bench>(options, *progress);
  fmt::print("{} mutants of ELF files: {} were linked ({} images of them not sound); {} crashes, {} hangs, {} other "
             "defects\n",
             progress->mutants, progress->linked, progress->unsound, crashes, hangs, progress->defects);
  bool hasAll = progress->linked > 0 || options.count < 100;
  for (unsigned kind = 0; kind < KindCount; ++kind) {
    hasAll = hasAll && (options.count < 100 || (progress->refused[kind] > 0 && progress->taken[kind] > 0));
    fmt::print("  {}: {} refused, {} taken\n", KindNames[kind], progress->refused[kind], progress->taken[kind]);
  }
  const bool failed = crashes || hangs || progress->defects || !hasAll;
  fmt::print("{} passed, {} failed\n", failed ? 0 : 1, failed ? 1 : 0);
  return failed ? 1 : 0;
}
