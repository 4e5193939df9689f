// SPDX-License-Identifier: MIT
#include "tools/programs/lgc/lgc_options.h"
#include "parts/compile/toolchain_version.h"
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>

namespace cl = llvm::cl;

namespace dovetail::lgc_tool {

Result<Options> parseOptions(int argumentCount, char **arguments) {
  cl::OptionCategory category("lgc");
  cl::list<std::string> inputs(cl::Positional, cl::desc("FILE..."), cl::cat(category));
  cl::opt<std::string> gpu("mcpu", cl::desc("a GPU: LLVM's name, or that of a chip or a product"), cl::init("gfx900"),
                           cl::value_desc("GPU"), cl::cat(category));
  cl::opt<std::string> output("o", cl::desc("the file to write; -: the standard output"), cl::value_desc("file"),
                              cl::Prefix, cl::cat(category));
  cl::opt<FileType> fileType(
      "filetype", cl::desc("what is written; obj unless it goes to the standard output"), cl::init(FileType::Object),
      cl::values(clEnumValN(FileType::Assembly, "asm", "text: assembly, or IR with -emit-llvm and -passes"),
                 clEnumValN(FileType::Object, "obj", "bytes: an ELF, or bitcode with -emit-llvm and -passes"),
                 clEnumValN(FileType::Null, "null", "nothing")),
      cl::cat(category));
  cl::opt<bool> emitLlvm("emit-llvm", cl::desc("stop before code generation and write the IR"), cl::cat(category));
  cl::opt<bool> verifyIr("verify-ir", cl::desc("verify the IR and its ops behind each pass"), cl::cat(category));
  cl::opt<unsigned> extract("extract", cl::desc("take only module N of the file, counted from 1"), cl::init(0),
                            cl::value_desc("N"), cl::cat(category));
  cl::opt<std::string> passes(
      "passes", cl::desc("run these passes only, ours (lgc-...) and LLVM's, and write the IR that they leave"),
      cl::value_desc("pipeline"), cl::cat(category));

  cl::opt<bool> unlinked("unlinked", cl::desc("compile shaders to ELF files that are to be linked"), cl::cat(category));
  cl::opt<lgc::ShaderStage> next(
      "next", cl::desc("with -unlinked: the stage that follows a vertex or evaluation shader; frag if not given"),
      cl::init(lgc::ShaderStage::Fragment),
      cl::values(clEnumValN(lgc::ShaderStage::TessControl, "tesc", "tessellation control"),
                 clEnumValN(lgc::ShaderStage::Geometry, "geom", "geometry"),
                 clEnumValN(lgc::ShaderStage::Fragment, "frag", "fragment, or none")),
      cl::cat(category));
  cl::opt<bool> exportPrimitiveId(
      "export-primitive-id",
      cl::desc("with -unlinked: the primitive's number is handed on to a fragment shader that reads it"),
      cl::cat(category));
  cl::opt<bool> part("part", cl::desc("compile the fragment shader of a pipeline as a part of it"), cl::cat(category));
  cl::opt<std::string> other("other", cl::desc("compile the rest of a pipeline for this fragment part"),
                             cl::value_desc("file"), cl::cat(category));
  cl::opt<lgc::ShaderStage> stage(
      "stage", cl::desc("with -other: which shader of the rest is written; needed if there are several"),
      cl::values(clEnumValN(lgc::ShaderStage::Vertex, "vert", "vertex"),
                 clEnumValN(lgc::ShaderStage::TessControl, "tesc", "tessellation control"),
                 clEnumValN(lgc::ShaderStage::TessEval, "tese", "tessellation evaluation"),
                 clEnumValN(lgc::ShaderStage::Geometry, "geom", "geometry")),
      cl::cat(category));
  cl::opt<bool> packInOut("pack-in-out",
                          cl::desc("of whole and part pipelines: pack the inputs of the fragment shader"),
                          cl::init(true), cl::cat(category));
  cl::opt<bool> link("l", cl::desc("link: the first file is IR with the pipeline's state, the others are ELF files"),
                     cl::cat(category));
  cl::opt<unsigned> glue("glue", cl::desc("with -l: write glue N, counted from 1, instead of the pipeline"),
                         cl::init(0), cl::value_desc("N"), cl::cat(category));

  cl::opt<unsigned> palAbi("pal-abi-version", cl::desc("the version of PAL's pipeline ABI that is compiled for"),
                           cl::init(PalAbiVersion), cl::value_desc("N"), cl::cat(category));

  // LLVM's own options (-print-after, -time-passes) work, but are not listed.
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "lgc " << dovetailVersion() << " (LLVM " << llvmVersion() << ", build " << toolchainVersion().toHex()
        << ")\n";
  });
  std::string complaint;
  llvm::raw_string_ostream complaints(complaint);
  if (!cl::ParseCommandLineOptions(argumentCount, arguments, "Compiles shaders in LLVM IR with dialect ops\n",
                                   &complaints))
    return makeError(ErrorCode::InvalidInput, "{}", llvm::StringRef(complaint).trim().str());

  Options options;
  options.inputs.assign(inputs.begin(), inputs.end());
  if (options.inputs.empty())
    options.inputs.push_back("-");
  options.gpu = gpuNameOf(gpu.getValue());
  options.output = output.empty() ? "-" : std::string(output);
  options.fileType = fileType;
  if (fileType.getNumOccurrences() == 0 && isStandardOutput(options.output))
    options.fileType = FileType::Assembly;
  options.emitLlvm = emitLlvm;
  options.verifyIr = verifyIr;
  options.extract = extract;
  if (extract.getNumOccurrences() != 0 && extract == 0)
    return makeError(ErrorCode::InvalidInput, "-extract: modules are counted from 1");
  if (unlinked + part + !other.empty() + link > 1)
    return makeError(ErrorCode::InvalidInput, "-unlinked, -part, -other and -l exclude each other");
  options.way = unlinked ? Way::Unlinked : part ? Way::FragmentPart : other.empty() ? Way::Whole : Way::OtherPart;
  options.next = next;
  options.exportPrimitiveId = exportPrimitiveId;
  if (stage.getNumOccurrences() != 0)
    options.stage = stage;
  if ((next.getNumOccurrences() != 0 || exportPrimitiveId) && !unlinked)
    return makeError(ErrorCode::InvalidInput, "-next and -export-primitive-id need -unlinked");
  if (options.stage && options.way != Way::OtherPart)
    return makeError(ErrorCode::InvalidInput, "-stage needs -other");
  options.other = other;
  options.packInOut = packInOut;
  options.link = link;
  options.glue = glue;
  if (glue.getNumOccurrences() != 0 && (glue == 0 || !link))
    return makeError(ErrorCode::InvalidInput, "-glue: needs -l, and glue is counted from 1");
  const bool writesIr = emitLlvm || passes.getNumOccurrences() != 0;
  if ((options.way != Way::Whole || options.glue != 0) && !writesIr) // files to be linked have no text form
    options.fileType = fileType.getNumOccurrences() != 0 ? FileType(fileType) : FileType::Object;
  if (palAbi != PalAbiVersion)
    return makeError(ErrorCode::Unsupported, "-pal-abi-version={}: code is made for version {}", unsigned(palAbi),
                     PalAbiVersion);
  options.runsPasses = passes.getNumOccurrences() != 0;
  options.passes = passes;
  return options;
}

} // namespace dovetail::lgc_tool
