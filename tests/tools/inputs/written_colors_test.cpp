// SPDX-License-Identifier: MIT
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/spirv/written_colors.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

WrittenColors writtenBy(const std::string &text) {
  auto modules = translateGlsl({{lgc::ShaderStage::Fragment, "test", "#version 450\n" + text}});
  if (!modules)
    FAIL(modules.error().text);
  auto written = findWrittenColors({"test", std::move(modules->front()), "main", lgc::ShaderStage::Fragment, {}, {}});
  if (!written)
    FAIL(written.error().text);
  return *written;
}

using Masks = std::array<uint32_t, MaxColorTargets>;

} // namespace

TEST_CASE("a color that is stored as a whole is written, one that is only declared or read is not") {
  CHECK(writtenBy("layout(location = 1) out vec3 a; layout(location = 2) out vec4 b; layout(location = 4) out float c;"
                  "void main() { a = vec3(1.0); c = b.x; }")
            .colors == Masks{0, 7, 0, 0, 1});
}

TEST_CASE("a component that is stored as it was read is not written") {
  CHECK(writtenBy("layout(location = 0) in vec3 i; layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;"
                  "void main() { a.rgb = i; b.wz = i.xy; b.zx = i.yz; }")
            .colors == Masks{7, 13});
  CHECK(writtenBy("layout(location = 0) in vec3 i; layout(location = 0) out vec4 a; void main() { a = a.yxzw; }")
            .colors == Masks{3});
  CHECK(writtenBy("layout(location = 0) in vec4 i; layout(location = 0) out vec4 a;"
                  "void main() { a.rgb = i.rgb; a.a = i.a; }")
            .colors == Masks{15});
}

TEST_CASE("of an array, the elements that are stored to are written") {
  CHECK(writtenBy("layout(location = 1) out vec4 a[3]; void main() { a[1] = vec4(1.0); }").colors == Masks{0, 0, 15});
  CHECK(writtenBy("layout(location = 0) out vec4 a[3]; void main() { a[0].y = 1.0; a[2].xw = vec2(1.0); }").colors ==
        Masks{2, 0, 9});
}

TEST_CASE("an element that is not known may be any") {
  CHECK(writtenBy("layout(location = 0) flat in int i; layout(location = 1) out vec4 a[3];"
                  "void main() { a[i] = vec4(1.0); }")
            .colors == Masks{0, 15, 15, 15});
  CHECK(writtenBy("layout(location = 0) flat in int i; layout(location = 1) out vec3 a[2];"
                  "void main() { a[1][i] = 1.0; }")
            .colors == Masks{0, 0, 7});
}

TEST_CASE("components count from where the variable begins") {
  CHECK(writtenBy("layout(location = 1, component = 1) out vec2 a; layout(location = 1, component = 3) out float b;"
                  "void main() { a.y = 1.0; b = 1.0; }")
            .colors == Masks{0, 12});
}

TEST_CASE("stores in called functions count") {
  CHECK(writtenBy("layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; layout(location = 2) out vec4 c;"
                  "void f() { b.z = 1.0; } void g(out float x) { x = 1.0; } void main() { f(); g(c.y); }")
            .colors == Masks{0, 4, 2});
}

TEST_CASE("the second source of blending is told from the first") {
  WrittenColors written = writtenBy("layout(location = 0, index = 0) out vec4 a; layout(location = 0, index = 1) out "
                                    "vec4 b; void main() { a = vec4(1.0); b.xy = vec2(1.0); }");
  CHECK(written.colors == Masks{15});
  CHECK(written.secondSources == Masks{3});
}

TEST_CASE("what is no color is left out") {
  CHECK(writtenBy("layout(location = 0) out vec4 a; void main() { a.x = 1.0; gl_FragDepth = 0.5; }").colors ==
        Masks{1});
}
