// SPDX-License-Identifier: MIT
//
// Lines of interest:
//   decl_var shader_in INTERP_MODE_FLAT float color@7 (VARYING_SLOT_VAR2.z, 34, 0)
//   vec4 32 div ssa_0 = intrinsic load_frag_coord () ()
//   vec4 32 con ssa_2 = intrinsic load_push_constant (ssa_1) (base=0, range=80)
//   vec1 32 con ssa_1 = load_const (0x00000010 = 0.000000)
// A value is used as a whole ("ssa_0") or by components ("ssa_0.xy").
#include "tests/radv/nir_text.h"
#include <regex>

namespace dovetail {

namespace {

// Up to four components are named x to w, more of them a, b, c, …
unsigned componentNumber(char name) {
  size_t number = std::string_view("xyzw").find(name);
  return number == std::string_view::npos ? unsigned(name - 'a') : unsigned(number);
}

class Reader {
public:
  NirShader run(std::string_view text) {
    while (!text.empty()) {
      size_t end = std::min(text.find('\n'), text.size());
      std::string line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.find("decl_var") != std::string::npos)
        readVariable(line);
      else if (line.starts_with("workgroup-size:"))
        std::sscanf(line.c_str(), "workgroup-size: %u, %u, %u", &m_nir.workgroupSize[0], &m_nir.workgroupSize[1],
                    &m_nir.workgroupSize[2]);
      else
        readInstruction(line);
    }
    for (const auto &[value, operation] : m_systemValues)
      m_nir.componentsRead[operation] |= m_used[value];
    return std::move(m_nir);
  }

private:
  void readVariable(const std::string &line) {
    static const std::regex Pattern(
        R"(shader_(in|out) .*?INTERP_MODE_(\w+) (?:highp |mediump |lowp )?(\S+) (?:(\S+) )?\((\w+)(?:\.([a-z]))?[a-z]*, (\d+), \d+\))");
    std::smatch match;
    if (!std::regex_search(line, match, Pattern))
      return;
    m_nir.variables.push_back({.mode = match[1] == "in" ? NirVariable::Mode::Input : NirVariable::Mode::Output,
                               .interpolation = match[2],
                               .type = match[3],
                               .name = match[4],
                               .slot = match[5],
                               .location = static_cast<unsigned>(std::stoul(match[7])),
                               .component = match[6].length() ? componentNumber(match[6].str()[0]) : 0});
  }

  void readInstruction(const std::string &line) {
    static const std::regex Definition(R"(vec(\d+)\s+(\d+)(?: \w+)? ssa_(\d+) = (.*))");
    static const std::regex Intrinsic(R"(intrinsic (\w+) \((.*?)\) \((.*?)\))");
    static const std::regex Constant(R"(load_const \(0x([0-9a-f]+))");
    std::smatch definition, intrinsic, constant;
    bool defines = std::regex_search(line, definition, Definition);
    std::string right = defines ? definition[4].str() : line;
    noteUses(right);
    if (defines && std::regex_search(right, constant, Constant))
      m_constants[definition[3]] = static_cast<uint32_t>(std::stoull(constant[1], nullptr, 16));
    if (!std::regex_search(right, intrinsic, Intrinsic))
      return;
    std::string name = intrinsic[1];
    m_nir.operations.insert(name);
    if (size_t mode = right.find("interp_mode="); mode != std::string::npos)
      m_nir.interpModes[name].insert(static_cast<unsigned>(std::stoul(right.substr(mode + 12))));
    if (defines && intrinsic[2].length() == 0)
      m_systemValues[definition[3]] = name;
    if (defines && name == "load_push_constant")
      readPushConstant(definition, intrinsic);
  }

  void readPushConstant(const std::smatch &definition, const std::smatch &intrinsic) {
    std::string source = intrinsic[2], operands = intrinsic[3];
    auto offset = source.starts_with("ssa_") ? m_constants.find(source.substr(4)) : m_constants.end();
    unsigned bits = static_cast<unsigned>(std::stoul(definition[2]));
    size_t base = operands.find("base=");
    if (offset == m_constants.end() || bits < 32 || base == std::string::npos) {
      m_nir.readsPushConstantsElsewhere = true;
      return;
    }
    uint64_t first = (std::stoul(operands.substr(base + 5)) + offset->second) / 4;
    uint64_t count = std::stoul(definition[1]) * (bits / 32);
    for (uint64_t dword = first; dword < first + count && dword < 64; ++dword)
      m_nir.pushConstants |= uint64_t(1) << dword;
  }

  void noteUses(const std::string &right) {
    static const std::regex Use(R"(ssa_(\d+)(?:\.([xyzw]+))?)");
    for (auto use = std::sregex_iterator(right.begin(), right.end(), Use); use != std::sregex_iterator(); ++use) {
      std::string components = (*use)[2];
      uint32_t mask = components.empty() ? 0xf : 0;
      for (char component : components)
        mask |= 1u << std::string_view("xyzw").find(component);
      m_used[(*use)[1]] |= mask;
    }
  }

  NirShader m_nir;
  std::map<std::string, uint32_t> m_constants; // by the value's number
  std::map<std::string, uint32_t> m_used;
  std::map<std::string, std::string> m_systemValues;
};

} // namespace

std::optional<unsigned> NirVariable::slotNumber(std::string_view prefix) const {
  if (!slot.starts_with(prefix) || slot.size() == prefix.size() ||
      slot.find_first_not_of("0123456789", prefix.size()) != std::string::npos)
    return std::nullopt;
  return static_cast<unsigned>(std::stoul(slot.substr(prefix.size())));
}

unsigned NirVariable::slots() const {
  unsigned slots = 1;
  if (size_t matrix = type.find("mat"); matrix != std::string::npos)
    slots *= static_cast<unsigned>(type[matrix + 3] - '0');
  for (size_t bracket = type.find('['); bracket != std::string::npos; bracket = type.find('[', bracket + 1))
    slots *= static_cast<unsigned>(std::stoul(type.substr(bracket + 1)));
  return slots;
}

bool NirShader::hasAny(std::string_view prefix) const {
  auto first = operations.lower_bound(std::string(prefix));
  return first != operations.end() && first->starts_with(prefix);
}

uint32_t NirShader::components(const std::string &operation) const {
  auto found = componentsRead.find(operation);
  return found == componentsRead.end() ? 0 : found->second;
}

NirShader readNir(std::string_view text) {
  return Reader().run(text);
}

} // namespace dovetail
