// SPDX-License-Identifier: MIT
//
// Does the same as example.c, with the C++ API as it is installed.
#include <cstdio>
#include <dovetail/src/spirv/validate/validate.h>
#include <dovetail/variants/bind/binder.h>
#include <dovetail/variants/state/default_state.h>
#include <fstream>
#include <iterator>

using namespace dovetail;

namespace {

Result<ShaderRef> readShader(Device &device, const char *path, lgc::ShaderStage stage) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<uint32_t> words = DOVETAIL_TRY(spirv::readWords(bytes));
  return device.createShader({.name = path, .words = std::move(words), .stage = stage});
}

Result<size_t> printVariant(const char *gpu, const char *vertexPath, const char *fragmentPath) {
  std::unique_ptr<Device> device = DOVETAIL_TRY(Device::create(gpu));
  const ShaderRef vertex = DOVETAIL_TRY(readShader(*device, vertexPath, lgc::ShaderStage::Vertex));
  const ShaderRef fragment = DOVETAIL_TRY(readShader(*device, fragmentPath, lgc::ShaderStage::Fragment));
  const ShaderRef shaders[] = {vertex, fragment};
  const ProgramRef program = DOVETAIL_TRY(device->createProgram(shaders));
  Binder binder(*device);
  const Variant *variant = DOVETAIL_TRY(binder.bind(program, makeState(defaultState(program->set))));
  return variant->image->code.size();
}

} // namespace

// example GPU VERTEX.spv FRAGMENT.spv
int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  Result<size_t> size = printVariant(argv[1], argv[2], argv[3]);
  if (!size) {
    std::fprintf(stderr, "%s\n", size.error().text.c_str());
    return 1;
  }
  std::printf("%zu bytes of code\n", *size);
  return 0;
}
