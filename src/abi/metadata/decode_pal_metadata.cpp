// SPDX-License-Identifier: MIT
//
// Reads metadata that encodePalMetadata() (pal_metadata.cpp) or another compiler wrote. The keys are those of LLVM's
// AMDGPUUsage and PAL's palPipelineAbi.
//
// MessagePack's own objects throw. So its parser makes a tree of plain values here, in which map entries keep their
// order.
#include "src/abi/metadata/pal_metadata.h"
#include <algorithm>
#include <msgpack.hpp>
#include <string_view>
#include <variant>

namespace dovetail {

namespace {

struct Node;
using Entries = std::vector<std::pair<Node, Node>>;
using Elements = std::vector<Node>;

// std::monostate: a value of a type that metadata does not use.
struct Node {
  std::variant<std::monostate, bool, uint64_t, std::string, Elements, Entries> value;

  // nullptr if this is no map, or has no such key.
  const Node *find(std::string_view key) const;
  const Entries *entries() const { return std::get_if<Entries>(&value); }
  const Elements *elements() const { return std::get_if<Elements>(&value); }
  const std::string *text() const { return std::get_if<std::string>(&value); }
  const uint64_t *number() const { return std::get_if<uint64_t>(&value); }
};

const Node *Node::find(std::string_view key) const {
  if (!entries())
    return nullptr;
  for (const auto &[name, entry] : *entries())
    if (name.text() && *name.text() == key)
      return &entry;
  return nullptr;
}

// Makes the tree. The last node of a stack is the one that is being made.
class TreeMaker : public msgpack::null_visitor {
public:
  bool visit_nil() { return add({}); }
  bool visit_boolean(bool truth) { return add({truth}); }
  bool visit_positive_integer(uint64_t number) { return add({number}); }
  bool visit_negative_integer(int64_t) { return add({}); }
  bool visit_float32(float) { return add({}); }
  bool visit_float64(double) { return add({}); }
  bool visit_str(const char *text, uint32_t size) { return add({std::string(text, size)}); }
  bool visit_bin(const char *, uint32_t) { return add({}); }
  bool visit_ext(const char *, uint32_t) { return add({}); }
  bool start_array(uint32_t) { return open({Elements()}); }
  bool end_array() { return closeNode(); }
  bool start_map(uint32_t) { return open({Entries()}); }
  bool end_map() { return closeNode(); }
  bool end_map_key() {
    m_keys.push_back(std::move(m_last));
    return true;
  }
  bool end_map_value() {
    std::get<Entries>(m_open.back().value).emplace_back(std::move(m_keys.back()), std::move(m_last));
    m_keys.pop_back();
    return true;
  }
  bool end_array_item() {
    std::get<Elements>(m_open.back().value).push_back(std::move(m_last));
    return true;
  }
  void parse_error(size_t, size_t) { m_good = false; }
  void insufficient_bytes(size_t, size_t) { m_good = false; }

  bool isGood() const { return m_good && m_open.empty(); }
  Node take() { return std::move(m_last); }

private:
  bool add(Node node) {
    m_last = std::move(node);
    return true;
  }
  bool open(Node node) {
    constexpr size_t MaxDepth = 32; // far beyond what metadata has
    m_open.push_back(std::move(node));
    m_good = m_good && m_open.size() <= MaxDepth;
    return m_good;
  }
  bool closeNode() {
    m_last = std::move(m_open.back());
    m_open.pop_back();
    return true;
  }

  std::vector<Node> m_open;
  std::vector<Node> m_keys; // of the entries that are being made
  Node m_last;              // the last complete node
  bool m_good = true;
};

tl::unexpected<Error> malformed(std::string_view entry) {
  return makeError(ErrorCode::InvalidInput, "PAL metadata: {} is missing or malformed", entry);
}

// Reads entries of a map. A missing entry leaves the value as it was; an entry of another type is a failure.
class MapReader {
public:
  explicit MapReader(const Node &map) : m_map(map) {}

  void read(std::string_view key, uint32_t &number) {
    if (const Node *node =
            found(key, [](const Node &entry) { return entry.number() && *entry.number() <= UINT32_MAX; }))
      number = uint32_t(*node->number());
  }
  void read(std::string_view key, bool &truth) {
    if (const Node *node = found(key, [](const Node &entry) { return std::holds_alternative<bool>(entry.value); }))
      truth = std::get<bool>(node->value);
  }
  void read(std::string_view key, std::string &text) {
    if (const Node *node = found(key, [](const Node &entry) { return entry.text() != nullptr; }))
      text = *node->text();
  }
  void read(std::string_view key, Hash128 &hash) {
    auto isHash = [](const Node &entry) { return numbersOf(entry, 2).has_value(); };
    if (const Node *node = found(key, isHash))
      hash = {.high = (*numbersOf(*node, 2))[1], .low = (*numbersOf(*node, 2))[0]};
  }

  static std::optional<std::vector<uint64_t>> numbersOf(const Node &node, size_t count) {
    if (!node.elements() || node.elements()->size() != count)
      return std::nullopt;
    std::vector<uint64_t> numbers;
    for (const Node &element : *node.elements()) {
      if (!element.number())
        return std::nullopt;
      numbers.push_back(*element.number());
    }
    return numbers;
  }

  // The key of the first failure; empty if there was none.
  const std::string &failed() const { return m_failed; }
  void fail(std::string_view key) {
    if (m_failed.empty())
      m_failed = key;
  }

private:
  template <typename Fits> const Node *found(std::string_view key, const Fits &fits) {
    const Node *entry = m_map.find(key);
    if (entry && !fits(*entry)) {
      fail(key);
      return nullptr;
    }
    return entry;
  }

  const Node &m_map;
  std::string m_failed;
};

std::optional<HardwareStage> hardwareStageOf(const Node &name) {
  for (unsigned stage = 0; stage < HardwareStageCount; ++stage)
    if (name.text() && *name.text() == "." + std::string(toString(HardwareStage(stage))))
      return HardwareStage(stage);
  return std::nullopt;
}

std::optional<ApiStage> apiStageOf(const Node &name) {
  for (unsigned stage = 0; stage < ApiStageCount; ++stage)
    if (name.text() && *name.text() == "." + std::string(toString(ApiStage(stage))))
      return ApiStage(stage);
  return std::nullopt;
}

Result<PalShader> readShader(ApiStage stage, const Node &map) {
  PalShader shader = {stage, {}, {}};
  MapReader reader(map);
  reader.read(".api_shader_hash", shader.hash);
  const Node *mapping = map.find(".hardware_mapping");
  if (!mapping || !mapping->elements())
    return malformed(".hardware_mapping");
  for (const Node &name : *mapping->elements()) {
    std::optional<HardwareStage> hardware = hardwareStageOf(name);
    if (!hardware)
      return malformed(".hardware_mapping");
    shader.hardwareMapping.push_back(*hardware);
  }
  if (!reader.failed().empty())
    return malformed(reader.failed());
  return shader;
}

Result<PalHardwareStage> readStage(HardwareStage hardware, const Node &map) {
  PalHardwareStage stage;
  stage.stage = hardware;
  MapReader reader(map);
  reader.read(".entry_point", stage.entryPoint);
  reader.read(".scratch_memory_size", stage.scratchMemorySize);
  reader.read(".lds_size", stage.ldsSize);
  reader.read(".sgpr_count", stage.sgprCount);
  reader.read(".vgpr_count", stage.vgprCount);
  reader.read(".sgpr_limit", stage.sgprLimit);
  reader.read(".vgpr_limit", stage.vgprLimit);
  reader.read(".wavefront_size", stage.wavefrontSize);
  reader.read(".uses_uavs", stage.usesUavs);
  reader.read(".writes_uavs", stage.writesUavs);
  reader.read(".writes_depth", stage.writesDepth);
  if (const Node *dimensions = map.find(".threadgroup_dimensions")) {
    std::optional<std::vector<uint64_t>> numbers = MapReader::numbersOf(*dimensions, 3);
    if (!numbers || std::ranges::any_of(*numbers, [](uint64_t number) { return number > UINT32_MAX; }))
      return malformed(".threadgroup_dimensions");
    stage.threadgroupDimensions.emplace();
    std::ranges::transform(*numbers, stage.threadgroupDimensions->begin(), [](uint64_t n) { return uint32_t(n); });
  }
  if (!reader.failed().empty())
    return malformed(reader.failed());
  return stage;
}

Result<void> readRegisters(const Node &map, PalMetadata &metadata) {
  if (!map.entries())
    return malformed(".registers");
  for (const auto &[address, value] : *map.entries()) {
    if (!address.number() || !value.number() || *address.number() > UINT32_MAX || *value.number() > UINT32_MAX)
      return malformed(".registers");
    metadata.registers.emplace_back(uint32_t(*address.number()), uint32_t(*value.number()));
  }
  return {};
}

Result<PalMetadata> readPipeline(const Node &map) {
  PalMetadata metadata;
  MapReader reader(map);
  reader.read(".type", metadata.type);
  reader.read(".api", metadata.api);
  reader.read(".internal_pipeline_hash", metadata.pipelineHash);
  reader.read(".user_data_limit", metadata.userDataLimit);
  reader.read(".spill_threshold", metadata.spillThreshold);
  reader.read(".uses_viewport_array_index", metadata.usesViewportArrayIndex);
  reader.read(".ps_sample_mask", metadata.psSampleMask);
  if (!reader.failed().empty())
    return malformed(reader.failed());
  if (const Node *shaders = map.find(".shaders"); shaders && shaders->entries())
    for (const auto &[name, shader] : *shaders->entries())
      if (std::optional<ApiStage> stage = apiStageOf(name))
        metadata.shaders.push_back(DOVETAIL_TRY(readShader(*stage, shader)));
  const Node *stages = map.find(".hardware_stages");
  if (!stages || !stages->entries())
    return malformed(".hardware_stages");
  for (const auto &[name, stage] : *stages->entries())
    if (std::optional<HardwareStage> hardware = hardwareStageOf(name))
      metadata.hardwareStages.push_back(DOVETAIL_TRY(readStage(*hardware, stage)));
  const Node *registers = map.find(".registers");
  if (!registers)
    return malformed(".registers");
  DOVETAIL_CHECK(readRegisters(*registers, metadata));
  return metadata;
}

} // namespace

Result<PalMetadata> decodePalMetadata(std::span<const uint8_t> bytes) {
  TreeMaker maker;
  const bool isParsed = msgpack::parse(reinterpret_cast<const char *>(bytes.data()), bytes.size(), maker);
  if (!isParsed || !maker.isGood())
    return makeError(ErrorCode::InvalidInput, "PAL metadata is not MessagePack");
  const Node root = maker.take();
  const Node *version = root.find("amdpal.version");
  std::optional<std::vector<uint64_t>> numbers = version ? MapReader::numbersOf(*version, 2) : std::nullopt;
  if (!numbers || numbers->front() != PalMetadataMajorVersion)
    return malformed("amdpal.version");
  const Node *pipelines = root.find("amdpal.pipelines");
  if (!pipelines || !pipelines->elements() || pipelines->elements()->size() != 1)
    return malformed("amdpal.pipelines");
  return readPipeline(pipelines->elements()->front());
}

} // namespace dovetail
