// SPDX-License-Identifier: MIT
//
// Reads words and validates them. SPIRV-Tools accepts a module before anything else in this folder looks at it. So the
// translator may rely on the validator's rules: ids are defined, types agree, control flow is structured.
#include "src/spirv/validate/validate.h"
#include "src/base/compile_phases.h"
#include "src/spirv/module/module.h"
#include "src/spirv/module/names.h"
#include "src/spirv/module/visible_module.h"
#include "src/spirv/validate/capabilities.h"
#include "src/spirv/validate/size_limits.h"
#include "src/spirv/validate/valid_modules.h"
#include <algorithm>
#include <cstring>
#include <memory>
#include <spirv-tools/libspirv.h>

namespace dovetail::spirv {

namespace {

struct Environments {
  uint32_t version; // of SPIR-V, as in the header
  spv_target_env vulkan, universal;
};

// Each Vulkan version says which SPIR-V versions it takes. The oldest one that takes the module's version has the
// fewest demands of later times.
constexpr Environments ByVersion[] = {
    {0x010000, SPV_ENV_VULKAN_1_0, SPV_ENV_UNIVERSAL_1_0},
    {0x010100, SPV_ENV_VULKAN_1_1, SPV_ENV_UNIVERSAL_1_1},
    {0x010200, SPV_ENV_VULKAN_1_1, SPV_ENV_UNIVERSAL_1_2},
    {0x010300, SPV_ENV_VULKAN_1_1, SPV_ENV_UNIVERSAL_1_3},
    {0x010400, SPV_ENV_VULKAN_1_1_SPIRV_1_4, SPV_ENV_UNIVERSAL_1_4},
    {0x010500, SPV_ENV_VULKAN_1_2, SPV_ENV_UNIVERSAL_1_5},
    {0x010600, SPV_ENV_VULKAN_1_3, SPV_ENV_UNIVERSAL_1_6},
};

Result<spv_target_env> environmentOf(std::span<const uint32_t> words, Environment environment) {
  const uint32_t version = words[1];
  const auto row = std::ranges::find(ByVersion, version & 0xffff00, &Environments::version);
  if (row == std::end(ByVersion))
    return makeError(ErrorCode::InvalidInput, "SPIR-V version {}.{} (header word {:#x}) is not one of 1.0 to 1.6",
                     version >> 16 & 0xff, version >> 8 & 0xff, version);
  if (environment == Environment::OpenGl) // OpenGL 4.6 takes 1.0; later versions are checked by SPIR-V's own rules
    return row->universal == SPV_ENV_UNIVERSAL_1_0 ? SPV_ENV_OPENGL_4_5 : row->universal;
  // For Vulkan, SPIRV-Tools 2023.1 refuses images of half floats, although it knows their extension.
  return declaresCapability(words, spv::Capability::Float16ImageAMD) ? row->universal : row->vulkan;
}

// More than any real shader has. Modules above it are refused before they take any time.
constexpr uint32_t MaxIdBound = 0x3fffff;

// Joins lines, because SPIRV-Tools adds the instruction's text on lines of its own.
std::string oneLine(std::string_view text) {
  std::string result;
  for (char c : text) {
    bool isSpace = c == '\n' || c == ' ';
    if (!isSpace)
      result.push_back(c);
    else if (!result.empty() && result.back() != ' ')
      result.push_back(' ');
  }
  while (!result.empty() && result.back() == ' ')
    result.pop_back();
  return result;
}

using OwnedDiagnostic = std::unique_ptr<spv_diagnostic_t, decltype(&spvDiagnosticDestroy)>;

// The extensions of the module that the grammar does not know, as text.
std::string unknownExtensions(std::span<const uint32_t> words) {
  std::string names;
  for (size_t at = HeaderWords, length; at < words.size() && (length = words[at] >> 16) != 0; at += length) {
    if (static_cast<spv::Op>(words[at] & 0xffff) != spv::Op::OpExtension || at + length > words.size())
      continue;
    std::span<const uint32_t> operands = words.subspan(at + 1, length - 1);
    if (const std::string name = takeString(operands); !isKnownExtension(name))
      names += (names.empty() ? " (the module declares " : ", ") + name;
  }
  return names.empty() ? names : names + ")";
}

// The Error for the instruction at this word.
tl::unexpected<Error> refuse(std::span<const uint32_t> words, uint32_t at, const char *complaint) {
  const size_t length = at < words.size() ? words[at] >> 16 : 0;
  const bool isWhole = length > 0 && length <= words.size() - at;
  const auto opcode = static_cast<spv::Op>(isWhole ? words[at] & 0xffff : 0);
  if (!isKnown(opcode))
    return makeError(ErrorCode::Unsupported, "opcode {} at word {} is not known{}", uint32_t(opcode), at,
                     unknownExtensions(words));
  if (opcode == spv::Op::OpCapability && length > 1)
    if (const auto capability = static_cast<spv::Capability>(words[at + 1]); !isKnown(capability))
      return makeError(ErrorCode::Unsupported, "OpCapability at word {}: {} is not known{}", at, nameOf(capability),
                       unknownExtensions(words));
  if (opcode == spv::Op::OpExecutionMode && length > 2)
    if (const auto mode = static_cast<spv::ExecutionMode>(words[at + 2]); !isKnown(mode))
      return makeError(ErrorCode::Unsupported, "OpExecutionMode at word {}: {} is not known{}", at, nameOf(mode),
                       unknownExtensions(words));
  return makeError(ErrorCode::InvalidInput, "not valid SPIR-V at word {}: {}", at, oneLine(complaint));
}

} // namespace

Result<std::vector<uint32_t>> readWords(std::span<const uint8_t> bytes) {
  if (bytes.size() < HeaderWords * 4)
    return makeError(ErrorCode::InvalidInput, "{} bytes are too few for a SPIR-V header", bytes.size());
  if (bytes.size() % 4 != 0)
    return makeError(ErrorCode::InvalidInput, "{} bytes are not a whole number of SPIR-V words", bytes.size());
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (words[0] == __builtin_bswap32(spv::MagicNumber)) {
    for (uint32_t &word : words)
      word = __builtin_bswap32(word);
  }
  if (words[0] != spv::MagicNumber)
    return makeError(ErrorCode::InvalidInput, "the first word is {:#010x}, not SPIR-V's magic number {:#010x}",
                     words[0], uint32_t(spv::MagicNumber));
  return words;
}

namespace {

Result<void> validateUnknown(std::span<const uint32_t> words, Environment rules) {
  if (words.size() < HeaderWords || words[0] != spv::MagicNumber)
    return makeError(ErrorCode::InvalidInput, "no SPIR-V header at word 0");
  if (words[3] > MaxIdBound)
    return makeError(ErrorCode::InvalidInput, "the id bound {} at word 3 is above {}", words[3], MaxIdBound);
  DOVETAIL_CHECK(checkRefusedCapabilities(words, rules)); // SPIRV-Tools does not know some of them
  spv_target_env environment = DOVETAIL_TRY(environmentOf(words, rules));
  DOVETAIL_CHECK(checkSizes(words));

  std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(spvContextCreate(environment),
                                                                       spvContextDestroy);
  std::unique_ptr<spv_validator_options_t, decltype(&spvValidatorOptionsDestroy)> options(spvValidatorOptionsCreate(),
                                                                                          spvValidatorOptionsDestroy);
  spvValidatorOptionsSetRelaxBlockLayout(options.get(), true);
  spvValidatorOptionsSetUniformBufferStandardLayout(options.get(), true);
  spvValidatorOptionsSetScalarBlockLayout(options.get(), true);
  spvValidatorOptionsSetWorkgroupScalarBlockLayout(options.get(), true);
  spvValidatorOptionsSetRelaxLogicalPointer(options.get(), true); // pointers to inputs and outputs as arguments
  spvValidatorOptionsSetAllowLocalSizeId(options.get(), true);
  spvValidatorOptionsSetFriendlyNames(options.get(), false);

  const VisibleModule visible = showToTools(words);
  spv_const_binary_t binary = {visible.words.data(), visible.words.size()};
  spv_diagnostic diagnostic = nullptr;
  spv_result_t result = spvValidateWithOptions(context.get(), options.get(), &binary, &diagnostic);
  const OwnedDiagnostic broken(diagnostic, spvDiagnosticDestroy);
  if (result == SPV_SUCCESS)
    return {};
  if (!broken)
    return makeError(ErrorCode::InvalidInput, "not valid SPIR-V (SPIRV-Tools result {})", int(result));
  // SPIRV-Tools counts instructions from 1.
  const size_t index = std::max<size_t>(broken->position.index, 1) - 1;
  return refuse(words, visible.offsets[std::min(index, visible.offsets.size() - 1)], broken->error);
}

} // namespace

Result<void> validate(std::span<const uint32_t> words, Environment rules, ValidModuleStore *store) {
  const PhaseScope phase(CompilePhase::Validate);
  const ModuleDigest digest = digestOf(words, rules);
  if (isKnownValid(digest))
    return {};
  const bool isStored = store && store->hasValidModule(digest);
  if (!isStored)
    DOVETAIL_CHECK(validateUnknown(words, rules));
  rememberValid(digest);
  if (store && !isStored)
    store->putValidModule(digest);
  return {};
}

} // namespace dovetail::spirv
