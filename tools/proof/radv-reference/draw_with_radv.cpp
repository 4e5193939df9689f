// SPDX-License-Identifier: MIT
//
// RADV passes pointers in SGPRs as the low halves of addresses. Their high half is a constant in the code: 0xffff8000
// for the null hardware's Vega 10, and 0 for older GPUs (radv_null_winsys.c). Sizes of descriptors: images and input
// attachments take 64 bytes (the second half is for FMASK), storage images 32, images with samplers 96 (the sampler in
// the last 16), the others 16 (radv_descriptor_set.c).
#include "tools/proof/radv-reference/draw_with_radv.h"
#include "src/abi/registers/registers.h"
#include "src/state/format_table.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include "tools/proof/emulator/draw/draw.h"
#include "tools/proof/emulator/driver/buffer_views.h"
#include "tools/proof/emulator/image/fmask.h"
#include "tools/proof/emulator/image/image_descriptor.h"
#include "tools/proof/emulator/isa/decode.h"
#include "tools/proof/emulator/memory/buffer_descriptor.h"
#include "tools/proof/radv-reference/nir_text.h"
#include "tools/proof/radv-reference/radv_rings.h"
#include "tools/proof/scene/scene_addresses.h"
#include "variants/user_data_layout.h"
#include <algorithm>
#include <cstring>

namespace dovetail {

namespace {

using emulator::Generation;
using emulator::Gpu;
using emulator::HardwareProgram;
using emulator::HardwareRegisters;

uint64_t windowOf(const emulator::Chip &chip) {
  return chip.generation() == Generation::Gfx9 ? 0xffff8000'00000000 : 0;
}
// The program counter has 48 bits. ACO puts the upper half of s_getpc's result into descriptors unchanged. The bits
// above the address belong to other fields there, so the hardware cannot extend the sign of the program counter.
constexpr uint64_t ProgramCounterMask = 0xffff'ffffffff;

struct DescriptorSize {
  uint32_t bytes, alignment;
};

DescriptorSize sizeOf(spirv::DescriptorKind kind) {
  switch (kind) {
  case spirv::DescriptorKind::CombinedImageSampler:
    return {96, 32};
  case spirv::DescriptorKind::SampledImage:
  case spirv::DescriptorKind::InputAttachment:
    return {64, 32};
  case spirv::DescriptorKind::StorageImage:
    return {32, 32};
  default:
    return {16, 16};
  }
}

// The chip as RADV's null hardware: ACO compiles without XNACK, and does not expect the bug of LS VGPRs
// (radv_null_winsys.c).
emulator::Chip asNullHardware(emulator::Chip chip) {
  chip.replaysMemory = chip.hasLsVgprInitBug = false;
  return chip;
}

class Driver {
public:
  Driver(const RadvPipeline &pipeline, const emulator::Chip &chip, const Scene &scene, const ShaderSet &shaders,
         const emulator::Variation &variation)
      : m_pipeline(pipeline), m_scene(scene), m_shaders(shaders), m_gpu(asNullHardware(chip), windowOf(chip)),
        m_registers(pipeline.registers) {
    m_gpu.variation = variation;
    m_gpu.reservedSgprs = 0; // ACO counts VCC only if code uses it
  }

  Result<RadvDrawing> run() {
    mapData();
    DOVETAIL_CHECK(writeSets());
    DOVETAIL_CHECK(mapTables());
    DOVETAIL_CHECK(bindTransformFeedback());
    DOVETAIL_CHECK(mapPrograms());
    // All memory that the programs can reach is mapped.
    DOVETAIL_CHECK(m_scene.isCompute() ? runDispatch() : runDraw());
    readBack();
    m_drawing.instructions = m_gpu.instructionsRun;
    return std::move(m_drawing);
  }

private:
  Result<void> mapPrograms() {
    for (const RadvProgram &program : m_pipeline.programs) {
      HardwareProgram &hardware = m_programs[program.stage];
      hardware.address = m_gpu.memory().map("code", program.bytes, 256, false) & ProgramCounterMask;
      hardware.codeEnd = hardware.address + program.codeBytes;
      hardware.helpersMayExport = hardware.mayReadUndefined = true;
      // RADV makes no wait for a control shader's barrier if its SPIR-V says that the barrier orders no memory, as
      // glslang's does (spirv_to_nir.c, vtn_handle_barrier).
      hardware.trustsLdsOrder = true;
      DOVETAIL_CHECK(checkOpcodes(hardware.address, hardware.codeEnd));
      for (const RadvUserSgpr &sgpr : program.userSgprs)
        hardware.userSgprs.push_back(DOVETAIL_TRY(valueOf(sgpr)));
      if (program.listing.exportsUndefined)
        raiseVgprs(program.stage);
    }
    return {};
  }

  // ACO exports v128 for components without a value, and the hardware takes another register if the wave has no v128.
  void raiseVgprs(HardwareStage stage) {
    using field::PGM_RSRC1::VGPRS;
    m_registers[registersOf(stage, false).rsrc1] |= VGPRS(VGPRS.get(~0u));
  }

  // Checks that the emulator knows every instruction, even those that will not run.
  Result<void> checkOpcodes(uint64_t address, uint64_t end) {
    while (address < end) {
      const emulator::Instruction &instruction = m_gpu.instructionAt(address);
      if (!instruction.opcode || !instruction.opcode->execute || instruction.size == 0)
        return makeError(ErrorCode::CheckFailed, "the emulator has no opcode for the {} instruction {:08x}",
                         emulator::formatName(instruction.format), firstWord(address));
      address += instruction.size;
    }
    return {};
  }

  uint32_t firstWord(uint64_t address) {
    uint32_t word = 0;
    std::memcpy(&word, m_gpu.memory().at(address, sizeof(word)).data(), sizeof(word));
    return word;
  }

  AddressOfBuffer addressOfBuffers() const {
    return [this](uint32_t buffer) { return buffer < m_buffers.size() ? m_buffers[buffer] : 0; };
  }

  void mapData() {
    for (size_t i = 0; i < m_scene.buffers.size(); ++i)
      m_buffers.push_back(m_gpu.memory().map(fmt::format("buffer {}", i), m_scene.buffers[i]));
    for (size_t i = 0; i < m_scene.buffers.size(); ++i)
      writeAddresses(m_scene, uint32_t(i), addressOfBuffers(), m_gpu.memory().region(m_buffers[i]));
    for (size_t i = 0; i < m_scene.images.size(); ++i) {
      const SceneImage &image = m_scene.images[i];
      const bool isStored = std::ranges::any_of(m_scene.descriptors, [&](const SceneDescriptor &descriptor) {
        return descriptor.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE && descriptor.image == i;
      });
      const bool isCompressed = image.samples > 1 && !isStored;
      m_images.push_back(m_gpu.memory().map(fmt::format("image {}", i), isCompressed
                                                                            ? emulator::compressedImageMemory(image)
                                                                            : emulator::imageMemory(image)));
      m_fmasks.push_back(
          isCompressed ? m_gpu.memory().map(fmt::format("FMASK of image {}", i), emulator::fmaskMemory(image)) : 0);
    }
  }

  // Lays out the union of all stages' bindings, in the order of the binding numbers.
  Result<void> writeSets() {
    std::map<uint32_t, std::map<uint32_t, spirv::DescriptorBinding>> layout;
    for (const ShaderRef &shader : m_shaders.shaders)
      if (shader)
        for (const spirv::DescriptorBinding &binding : shader->reflection.descriptors)
          layout[binding.set][binding.binding] = binding;
    for (const auto &[set, bindings] : layout) {
      std::vector<uint8_t> table;
      for (const auto &[number, binding] : bindings) {
        DescriptorSize size = sizeOf(binding.kind);
        uint32_t count = binding.arraySize ? binding.arraySize : RuntimeArrayElements;
        size_t offset = (table.size() + size.alignment - 1) / size.alignment * size.alignment;
        table.resize(offset + size_t(count) * size.bytes);
        for (uint32_t element = 0; element < count; ++element)
          DOVETAIL_CHECK(writeDescriptor(set, number, element, binding.kind, &table[offset + element * size.bytes]));
      }
      m_sets[set] = m_gpu.memory().map(fmt::format("descriptor set {}", set), std::move(table), 256, false);
    }
    return {};
  }

  // For stores, RADV binds a cube as an array of its faces (radv_image.c, radv_tex_dim).
  std::array<uint32_t, 8> asStorageImage(const std::array<uint32_t, 8> &words) const {
    emulator::ImageDescriptor descriptor = emulator::decodeImageDescriptor(m_gpu.generation(), words);
    if (descriptor.type != emulator::ImageType::Cube)
      return words;
    descriptor.type = emulator::ImageType::Array2D;
    descriptor.depthMinusOne = descriptor.lastArray;
    return encode(m_gpu.generation(), descriptor);
  }

  Result<void> writeDescriptor(uint32_t set, uint32_t binding, uint32_t element, spirv::DescriptorKind kind,
                               uint8_t *place) {
    auto found = std::ranges::find_if(m_scene.descriptors, [&](const SceneDescriptor &descriptor) {
      return descriptor.set == set && descriptor.binding == binding && descriptor.element == element;
    });
    if (found == m_scene.descriptors.end())
      return makeError(ErrorCode::StateMismatch, "the scene has no descriptor for set {} binding {}", set, binding);
    if (found->ycbcrConversion != 0) // RADV's layout would need the conversion
      return makeError(ErrorCode::Unsupported, "set {} binding {}: RADV is not asked about YCbCr conversions", set,
                       binding);
    auto put = [&](const auto &words, size_t offset) {
      std::memcpy(place + offset, words.data(), words.size() * sizeof(words[0]));
    };
    switch (kind) {
    case spirv::DescriptorKind::Sampler:
      put(emulator::samplerDescriptor(m_scene.samplers.at(found->sampler)), 0);
      break;
    case spirv::DescriptorKind::CombinedImageSampler:
      put(emulator::samplerDescriptor(m_scene.samplers.at(found->sampler)), 80);
      [[fallthrough]];
    case spirv::DescriptorKind::SampledImage:
    case spirv::DescriptorKind::StorageImage:
    case spirv::DescriptorKind::InputAttachment: {
      const SceneImage &image = m_scene.images.at(found->image);
      std::array<uint32_t, 8> words =
          DOVETAIL_TRY(emulator::imageDescriptor(m_gpu.generation(), image, m_images[found->image]));
      if (kind == spirv::DescriptorKind::StorageImage)
        words = asStorageImage(words);
      put(words, 0);
      if (m_fmasks[found->image] != 0)
        put(DOVETAIL_TRY(emulator::fmaskDescriptor(m_gpu.generation(), image, m_fmasks[found->image])), 32);
      break;
    }
    case spirv::DescriptorKind::UniformTexelBuffer:
    case spirv::DescriptorKind::StorageTexelBuffer:
      put(DOVETAIL_TRY(texelBufferView(m_gpu.generation(), m_buffers.at(found->buffer),
                                       m_scene.buffers[found->buffer].size(), found->texelFormat)),
          0);
      break;
    default:
      put(rawBufferView(m_buffers.at(found->buffer), (m_scene.buffers[found->buffer].size() + 3) & ~size_t(3)), 0);
    }
    return {};
  }

  Result<void> mapTables() {
    uint64_t scratchOfWave = 0;
    for (const RadvProgram &program : m_pipeline.programs)
      scratchOfWave = std::max(scratchOfWave, program.scratchBytesOfWave);
    m_rings = DOVETAIL_TRY(makeRadvRings(m_gpu, m_scene, scratchOfWave, m_registers));
    for (uint32_t addressLow : {reg::SPI_SHADER_USER_DATA_ADDR_LO_HS, reg::SPI_SHADER_USER_DATA_ADDR_LO_GS}) {
      m_registers[addressLow] = uint32_t(m_rings);
      m_registers[addressLow + 1] = uint32_t(m_rings >> 32);
    }
    std::vector<uint8_t> grid(sizeof(m_scene.workgroups));
    std::memcpy(grid.data(), m_scene.workgroups.data(), grid.size());
    m_grid = m_gpu.memory().map("numbers of workgroups", std::move(grid), 256, false);
    m_pushConstantBytes = m_scene.pushConstants;
    writeAddresses(m_scene, NoSceneBuffer, addressOfBuffers(), m_pushConstantBytes);
    m_pushConstants = m_gpu.memory().map("push constants", m_pushConstantBytes, 256, false);
    std::vector<uint32_t> sets(m_sets.empty() ? 0 : m_sets.rbegin()->first + 1);
    for (auto [set, address] : m_sets)
      sets[set] = uint32_t(address);
    m_setTable = mapDwords("table of descriptor sets", sets);
    std::set<unsigned> locations;
    for (const RadvProgram &program : m_pipeline.programs)
      if (auto nir = program.texts.find("NIR Shader(s)"); nir != program.texts.end())
        locations.merge(vertexLocations(nir->second));
    m_vertexBuffers = DOVETAIL_TRY(writeVertexBuffers(locations));
    return {};
  }

  uint64_t mapDwords(std::string name, std::span<const uint32_t> dwords) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(dwords.data());
    return m_gpu.memory().map(std::move(name), {bytes, bytes + dwords.size_bytes()}, 256, false);
  }

  // As radv_flush_streamout_descriptors: without a stride, and as large as addresses reach.
  Result<void> bindTransformFeedback() {
    constexpr uint32_t Buffers = 4, RegistersOfBuffer = reg::VGT_STRMOUT_BUFFER_SIZE_1 - reg::VGT_STRMOUT_BUFFER_SIZE_0;
    const std::vector<uint32_t> &bound = m_scene.transformFeedbackBuffers;
    std::vector<uint32_t> table;
    for (uint32_t i = 0; i < Buffers; ++i) {
      BufferView view = {};
      uint32_t dwords = 0;
      if (i < bound.size() && bound[i] != NoSceneBuffer) {
        if (bound[i] >= m_buffers.size())
          return makeError(ErrorCode::StateMismatch, "transform feedback buffer {} is buffer {} of {}", i, bound[i],
                           m_buffers.size());
        dwords = uint32_t(m_scene.buffers[bound[i]].size() / sizeof(uint32_t));
        view = rawBufferView(m_buffers[bound[i]], UINT32_MAX);
      }
      table.insert(table.end(), view.begin(), view.end());
      m_registers[reg::VGT_STRMOUT_BUFFER_SIZE_0 + i * RegistersOfBuffer] = dwords;
      m_registers[reg::VGT_STRMOUT_BUFFER_OFFSET_0 + i * RegistersOfBuffer] = 0;
    }
    m_streamoutTable = mapDwords("streamout table", table);
    return {};
  }

  // Writes a V# for each location that the vertex shader reads: RADV checks bounds by attribute, because
  // robustBufferAccess is on.
  Result<uint64_t> writeVertexBuffers(const std::set<unsigned> &locations) {
    std::map<uint32_t, uint64_t> addresses;
    for (const SceneVertexBuffer &buffer : m_scene.vertexBuffers)
      addresses[buffer.binding] =
          m_gpu.memory().map(fmt::format("vertex buffer {}", buffer.binding), buffer.bytes, 256, false);
    std::vector<uint8_t> table;
    for (unsigned location : locations) {
      auto attribute = std::ranges::find(m_scene.state.vertexAttributes, location, &VertexAttribute::location);
      if (attribute == m_scene.state.vertexAttributes.end())
        return makeError(ErrorCode::StateMismatch, "there is no attribute for location {}", location);
      auto binding = std::ranges::find(m_scene.state.vertexBindings, attribute->binding, &VertexBinding::binding);
      auto buffer = std::ranges::find(m_scene.vertexBuffers, attribute->binding, &SceneVertexBuffer::binding);
      if (binding == m_scene.state.vertexBindings.end() || buffer == m_scene.vertexBuffers.end())
        return makeError(ErrorCode::StateMismatch, "there is no vertex buffer for location {}", location);
      if (binding->stride != 0 && attribute->offset > binding->stride)
        return makeError(ErrorCode::Unsupported, "an attribute's offset above its stride");
      const FormatInfo *format = DOVETAIL_TRY(getVertexFormat(attribute->format));
      emulator::BufferDescriptor descriptor;
      descriptor.base = addresses[attribute->binding];
      descriptor.stride = binding->stride;
      size_t size = buffer->bytes.size(), end = attribute->offset + format->bytes;
      descriptor.numRecords = static_cast<uint32_t>(size < end             ? 0
                                                    : binding->stride == 0 ? 1
                                                                           : (size - end) / binding->stride + 1);
      if (m_gpu.generation() == Generation::Gfx8 && descriptor.numRecords != 0) // GFX8 counts bytes
        descriptor.numRecords = static_cast<uint32_t>((descriptor.numRecords - 1) * binding->stride + end);
      descriptor.dataFormat = static_cast<uint8_t>(BufferDataFormat::Format32);
      descriptor.numFormat = static_cast<uint8_t>(BufferNumFormat::Uint);
      std::array<uint32_t, 4> words = emulator::encode(descriptor);
      const auto *bytes = reinterpret_cast<const uint8_t *>(words.data());
      table.insert(table.end(), bytes, bytes + sizeof(words));
    }
    return m_gpu.memory().map("vertex buffer table", std::move(table), 256, false);
  }

  Result<uint32_t> valueOf(const RadvUserSgpr &sgpr) const {
    using Kind = RadvUserSgpr::Kind;
    auto low = [](uint64_t address) { return static_cast<uint32_t>(address); };
    auto high = [](uint64_t address) { return static_cast<uint32_t>(address >> 32); };
    switch (sgpr.kind) {
    case Kind::RingTableLow:
      return low(m_rings);
    case Kind::RingTableHigh:
      return high(m_rings);
    case Kind::VertexBuffers:
      return low(m_vertexBuffers);
    case Kind::BaseVertex:
      return m_scene.indices.empty() ? m_scene.firstVertex : static_cast<uint32_t>(m_scene.vertexOffset);
    case Kind::DrawId:
      return 0; // a scene is one draw
    case Kind::BaseInstance:
      return m_scene.firstInstance;
    case Kind::DescriptorSet: {
      auto set = m_sets.find(sgpr.index);
      if (set == m_sets.end())
        return makeError(ErrorCode::CheckFailed, "RADV wants descriptor set {}, which no shader has", sgpr.index);
      return low(set->second);
    }
    case Kind::DescriptorSetTable:
      return low(m_setTable);
    case Kind::StreamoutTable:
      return low(m_streamoutTable);
    case Kind::PushConstantTable:
      return low(m_pushConstants);
    case Kind::PushConstant: {
      uint32_t value = 0;
      if (size_t offset = sgpr.index * 4; offset + 4 <= m_pushConstantBytes.size())
        std::memcpy(&value, &m_pushConstantBytes[offset], sizeof(value));
      return value;
    }
    case Kind::GridSizeLow:
      return low(m_grid);
    case Kind::GridSizeHigh:
      return high(m_grid);
    }
    return 0;
  }

  Result<void> runDraw() {
    emulator::Draw command = {.scene = m_scene, .registers = m_registers};
    for (auto &[stage, program] : m_programs)
      command.program(stage) = program;
    m_drawing.result = DOVETAIL_TRY(emulator::draw(m_gpu, command));
    return {};
  }

  Result<void> runDispatch() {
    return emulator::dispatch(
        m_gpu, {.workgroups = m_scene.workgroups, .registers = m_registers, .cs = m_programs[HardwareStage::Cs]});
  }

  void readBack() {
    SceneResult &result = m_drawing.result;
    for (uint64_t address : m_buffers) {
      std::span<uint8_t> bytes = m_gpu.memory().region(address);
      std::vector<uint8_t> &read = result.buffers.emplace_back(bytes.begin(), bytes.end());
      eraseAddresses(m_scene, uint32_t(result.buffers.size() - 1), addressOfBuffers(), read);
    }
    for (size_t i = 0; i < m_images.size(); ++i) {
      if (m_scene.images[i].samples > 1) { // nobody writes them, as in the emulated driver
        result.images.push_back(m_scene.images[i].bytes);
        continue;
      }
      std::span<uint8_t> bytes = m_gpu.memory().region(m_images[i]);
      result.images.emplace_back(bytes.begin(), bytes.begin() + std::min(bytes.size(), m_scene.images[i].bytes.size()));
    }
  }

  const RadvPipeline &m_pipeline;
  const Scene &m_scene;
  const ShaderSet &m_shaders;
  Gpu m_gpu;
  HardwareRegisters m_registers;
  std::map<HardwareStage, HardwareProgram> m_programs;
  std::vector<uint64_t> m_buffers, m_images;
  std::vector<uint64_t> m_fmasks; // addresses, by image; 0: the image is not compressed
  std::map<uint32_t, uint64_t> m_sets;
  std::vector<uint8_t> m_pushConstantBytes; // include addresses
  uint64_t m_rings = 0, m_grid = 0, m_pushConstants = 0, m_vertexBuffers = 0, m_setTable = 0, m_streamoutTable = 0;
  RadvDrawing m_drawing;
};

} // namespace

Result<RadvDrawing> drawWithRadv(const RadvPipeline &pipeline, const emulator::Chip &chip, const Scene &scene,
                                 const ShaderSet &shaders, const emulator::Variation &variation) {
  return Driver(pipeline, chip, scene, shaders, variation).run();
}

} // namespace dovetail
