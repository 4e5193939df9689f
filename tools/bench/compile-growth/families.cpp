// SPDX-License-Identifier: MIT
//
// The families' shaders. Sizes end where issues, tests and other people's games end, and double at least once from
// where growth gets interesting. Each shader's result depends on its inputs, so that no compiler can remove anything.
#include "tools/bench/compile-growth/family.h"
#include "tools/common/inputs/spirv/spirv_assembly.h"
#include <functional>

namespace dovetail {

namespace {

using Language = Family::Language;
using Stage = lgc::ShaderStage;

// text(i) for i from 0 to count - 1.
std::string repeat(unsigned count, const std::function<std::string(unsigned)> &text) {
  std::string all;
  for (unsigned i = 0; i < count; ++i)
    all += text(i);
  return all;
}

// A fragment shader: `before` is global, `main` sets `color` from the inputs `a`, `b` and `n`.
std::string fragment(const std::string &before, const std::string &main) {
  return "#version 460\nlayout(location = 0) in vec4 a;\nlayout(location = 1) in vec4 b;\n"
         "layout(location = 2) flat in ivec4 n;\nlayout(location = 0) out vec4 color;\n" +
         before + "void main() {\n" + main + "}\n";
}

std::string uniformArray(unsigned count) {
  return fmt::format("layout(std140, set = 0, binding = 0) uniform Values {{ vec4 values[{}]; }};\n", count);
}

// GLSL: the caller copies an `in` array parameter to a variable.
std::string arrayParameter(unsigned count) {
  return fragment(uniformArray(count) +
                      fmt::format("vec4 pick(vec4 v[{}], int i) {{ return v[i & {}] + v[(i * 3) & {}]; }}\n", count,
                                  count - 1, count - 1),
                  "color = pick(values, n.x) + pick(values, n.y);\n");
}

// HLSL: an array parameter is a value, an OpFunctionParameter of an array.
std::string arrayValueParameter(unsigned count) {
  return fmt::format(R"(; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %color %n
OpExecutionMode %main OriginUpperLeft
OpDecorate %array ArrayStride 16
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %values DescriptorSet 0
OpDecorate %values Binding 0
OpDecorate %color Location 0
OpDecorate %n Location 0
OpDecorate %n Flat
%void = OpTypeVoid
%void_fn = OpTypeFunction %void
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%count = OpConstant %uint {}
%mask = OpConstant %int {}
%zero = OpConstant %int 0
%array = OpTypeArray %v4 %count
%plain = OpTypeArray %v4 %count
%block = OpTypeStruct %array
%ptr_block = OpTypePointer Uniform %block
%ptr_array = OpTypePointer Uniform %array
%values = OpVariable %ptr_block Uniform
%ptr_in = OpTypePointer Input %int
%n = OpVariable %ptr_in Input
%ptr_out = OpTypePointer Output %v4
%color = OpVariable %ptr_out Output
%ptr_local = OpTypePointer Function %array
%ptr_v4 = OpTypePointer Function %v4
%pick_fn = OpTypeFunction %v4 %array %int
%main = OpFunction %void None %void_fn
%l0 = OpLabel
%i = OpLoad %int %n
%p = OpAccessChain %ptr_array %values %zero
%all = OpLoad %array %p
%c = OpFunctionCall %v4 %pick %all %i
OpStore %color %c
OpReturn
OpFunctionEnd
%pick = OpFunction %v4 None %pick_fn
%v = OpFunctionParameter %array
%at = OpFunctionParameter %int
%l1 = OpLabel
%local = OpVariable %ptr_local Function
OpStore %local %v
%place = OpBitwiseAnd %int %at %mask
%element_ptr = OpAccessChain %ptr_v4 %local %place
%element = OpLoad %v4 %element_ptr
OpReturnValue %element
OpFunctionEnd
)",
                     count, count - 1);
}

std::string structCopy(unsigned count) {
  return fragment(fmt::format("struct S {{ vec4 v[{}]; }};\n"
                              "layout(std430, set = 0, binding = 0) buffer From {{ S from; }};\n",
                              count),
                  fmt::format("S s = from;\ncolor = s.v[n.x & {}] + s.v[1];\n", count - 1));
}

std::string structCopyBetweenBuffers(unsigned count) {
  return fmt::format("#version 460\nlayout(local_size_x = 64) in;\nstruct S {{ vec4 v[{}]; }};\n"
                     "layout(std430, set = 0, binding = 0) buffer From {{ S from[]; }};\n"
                     "layout(std430, set = 0, binding = 1) buffer To {{ S to[]; }};\n"
                     "void main() {{ to[gl_GlobalInvocationID.x] = from[gl_GlobalInvocationID.x]; }}\n",
                     count);
}

std::string nestedTypes(unsigned depth, const std::string &leaf) {
  return "struct S0 { " + leaf + " v; };\n" +
         repeat(depth, [](unsigned i) { return fmt::format("struct S{} {{ S{} x, y; }};\n", i + 1, i); });
}

std::string nestedPath(unsigned depth, unsigned bits) {
  return repeat(depth, [&](unsigned i) { return std::string(bits >> i & 1 ? ".y" : ".x"); });
}

std::string nestedStructs(unsigned depth) {
  const std::string top = fmt::format("S{}", depth);
  return fragment(nestedTypes(depth, "vec4") +
                      fmt::format("layout(std430, set = 0, binding = 0) buffer From {{ {} from; }};\n"
                                  "layout(std430, set = 0, binding = 1) buffer To {{ {} to; }};\n"
                                  "{} change({} s) {{ s{}.v += a; return s; }}\n",
                                  top, top, top, top, nestedPath(depth, 0x155)),
                  fmt::format("{} s = change(from);\ns{}.v *= b;\nto = s;\ncolor = s{}.v;\n", top,
                              nestedPath(depth, 0x33), nestedPath(depth, 0)));
}

std::string nestedLocals(unsigned depth) {
  const std::string top = fmt::format("S{}", depth);
  return fragment(nestedTypes(depth, "float") +
                      fmt::format("{} make(float x) {{ {} s; s{}.v = x; s{}.v = x * 2; return s; }}\n", top, top,
                                  nestedPath(depth, 0), nestedPath(depth, ~0u)),
                  fmt::format("{} s = make(a.x), t = s;\nif (b.x > 0) t = make(b.y);\n"
                              "color = vec4(s{}.v, t{}.v, t{}.v, 1);\n",
                              top, nestedPath(depth, 0), nestedPath(depth, ~0u), nestedPath(depth, 0)));
}

std::string callChain(unsigned depth) {
  return fragment("vec4 f0(vec4 v, int i) { return v * float(i); }\n" +
                      repeat(depth - 1,
                             [](unsigned i) {
                               return fmt::format("vec4 f{}(vec4 v, int i) {{ return "
                                                  "i > {} ? v : f{}(v * b + a, i + "
                                                  "1) + v.yzwx; }}\n",
                                                  i + 1, i, i);
                             }),
                  fmt::format("color = f{}(a, n.x);\n", depth - 1));
}

// Each function loops around the call of the next.
std::string callChainLoops(unsigned depth) {
  return fragment("vec4 f0(vec4 v) { return v * b; }\n" +
                      repeat(depth - 1,
                             [](unsigned i) {
                               return fmt::format("vec4 f{}(vec4 v) {{ for (int k = 0; k < n[{}]; ++k) v = f{}(v + "
                                                  "a); return v; }}\n",
                                                  i + 1, i % 4, i);
                             }),
                  fmt::format("color = f{}(a);\n", depth - 1));
}

std::string callChainReturns(unsigned depth) {
  return fragment("vec4 f0(vec4 v) { return v * b; }\n" +
                      repeat(depth - 1,
                             [](unsigned i) {
                               return fmt::format("vec4 f{}(vec4 v) {{ if (v.{} > {}.0) return v * {}.5; v += a; vec4 "
                                                  "w = f{}(v); return w * b + v; }}\n",
                                                  i + 1, "xyzw"[i % 4], i, i + 1, i);
                             }),
                  fmt::format("color = f{}(a);\n", depth - 1));
}

// Straight-line functions with an inout argument.
std::string callChainInOut(unsigned depth) {
  return fragment(
      "struct S { vec4 v[4]; mat4 m; int i; };\nvoid f0(inout S s) { s.v[s.i & 3] *= b; }\n" +
          repeat(depth - 1,
                 [](unsigned i) {
                   return fmt::format("void f{}(inout S s) {{ s.v[{}] += a; f{}(s); s.m[{}] = s.v[s.i & "
                                      "3]; }}\n",
                                      i + 1, i % 4, i, i % 4);
                 }),
      fmt::format("S s; s.i = n.x; s.v = vec4[](a, b, a, b); s.m = mat4(1);\nf{}(s);\ncolor = s.v[1] + s.m * a;\n",
                  depth - 1));
}

std::string manyCalls(unsigned calls) {
  return fragment(
      "vec4 f(vec4 v, int i) { for (int k = 0; k < i; ++k) v = v * b + a.yzwx; return i > 3 ? v : v.wzyx; }\n",
      "vec4 v = a;\n" + repeat(calls, [](unsigned i) { return fmt::format("v = f(v, n[{}] + {});\n", i % 4, i); }) +
          "color = v;\n");
}

std::string uniformArrayCopy(unsigned count) {
  return fragment(uniformArray(count), fmt::format("vec4 v[{}] = values;\ncolor = v[n.x & {}] + v[n.y & {}];\n", count,
                                                   count - 1, count - 1));
}

std::string localArray(unsigned count) {
  return fragment("", fmt::format("vec4 v[{}];\nfor (int i = 0; i < {}; ++i) v[i] = a * float(i) + b;\n"
                                  "v[n.x & {}] = b;\ncolor = v[n.y & {}];\n",
                                  count, count, count - 1, count - 1));
}

std::string localArrayByElement(unsigned count) {
  return fragment("", fmt::format("vec4 v[{}];\n", count) + repeat(count, [](unsigned i) {
                        return fmt::format("v[{}] = a * {}.5 + b;\n", i, i);
                      }) + fmt::format("color = v[n.x & {}];\n", count - 1));
}

std::string constantArray(unsigned count) {
  return fragment(
      fmt::format("const vec4 table[{}] = vec4[](", count) +
          repeat(count, [&](unsigned i) { return fmt::format("{}vec4({}, 1, {}, 2)", i ? ", " : "", i, i * i); }) +
          ");\n",
      fmt::format("color = table[n.x & {}] * a + table[n.y & {}];\n", count - 1, count - 1));
}

std::string fallThrough(unsigned cases) {
  return fragment("", "vec4 v = a;\nswitch (n.x) {\n" + repeat(cases, [](unsigned i) {
                        return fmt::format("case {}: v = v * b + vec4({});\n", i, i);
                      }) + "}\ncolor = v;\n");
}

std::string switchCases(unsigned cases) {
  return fragment("", "vec4 v = a;\nswitch (n.x) {\n" + repeat(cases, [](unsigned i) {
                        return fmt::format("case {}: v = b * {}.25; break;\n", i, i);
                      }) + "}\ncolor = v;\n");
}

// The cases can become neither a table nor arithmetic.
std::string switchBlocks(unsigned cases) {
  return fragment("", "vec4 v = a;\nswitch (n.x) {\n" + repeat(cases, [](unsigned i) {
                        return fmt::format("case {}: v = {}(v.{}) * b + {}; break;\n", i * 7, i % 3 ? "sin" : "sqrt",
                                           i % 2 ? "wzyx" : "yzwx", i);
                      }) + "}\ncolor = v;\n");
}

// A loop with many exits; `exit` is the text of each.
std::string loopExits(unsigned exits, const std::function<std::string(unsigned)> &exit) {
  return fragment(
      "", "uint x = n.x, z = 0;\ncolor = a;\nfor (uint i = 0; i < n.y; ++i) {\n" + repeat(exits, [&](unsigned i) {
            return fmt::format("x = x * 1664525u + {}u;\nif ((x >> 16) % 97u == 3u) {{ {} }}\n", i * 2 + 1, exit(i));
          }) + "}\ncolor = b * float(x ^ z);\n");
}

std::string loopBreaks(unsigned exits) {
  return loopExits(exits, [](unsigned i) { return fmt::format("z += {}u; break;", i); });
}

std::string loopReturns(unsigned exits) {
  return loopExits(exits, [](unsigned i) { return fmt::format("color = b * {}.5; return;", i); });
}

std::string loopContinues(unsigned exits) {
  return loopExits(exits, [](unsigned i) { return fmt::format("z += {}u; continue;", i); });
}

std::string loopMixedExits(unsigned exits) {
  return loopExits(exits, [](unsigned i) {
    const char *const ways[] = {"z += {}u; break;", "color = b * {}.5; return;", "z += {}u; continue;", "z ^= {}u;"};
    return fmt::format(fmt::runtime(ways[i % 4]), i);
  });
}

std::string divisions(unsigned lines) {
  return fragment("", "ivec4 v = n;\n" + repeat(lines, [](unsigned i) {
                        return fmt::format("v.{} = v.{} / (v.{} + {}) + {};\n", "xyzw"[i % 4], "xyzw"[(i + 1) % 4],
                                           "xyzw"[(i + 3) % 4], i, i * 77);
                      }) + "color = vec4(v);\n");
}

std::string vectorDivisions(unsigned lines) {
  return fragment("", "ivec4 v = n;\n" + repeat(lines, [](unsigned i) {
                        return fmt::format("v = (v / (v.yzwx + {})) % (v.wzyx | 1);\n", i);
                      }) + "color = vec4(v);\n");
}

std::string straightLine(unsigned lines) {
  return fragment("", "vec4 v = a, w = b;\n" + repeat(lines, [](unsigned i) {
                        return i % 2 ? fmt::format("w = w * v.yzwx + vec4({}.5);\n", i)
                                     : fmt::format("v = fract(v * w.wzyx + a * {}.25);\n", i);
                      }) + "color = v + w;\n");
}

std::string textureReads(unsigned reads) {
  return fragment("layout(set = 0, binding = 0) uniform sampler2D t;\n",
                  "vec4 v = vec4(0);\n" + repeat(reads, [](unsigned i) {
                    return fmt::format("v += texture(t, a.xy * {}.5 + b.zw) * b.{};\n", i + 1, "xyzw"[i % 4]);
                  }) + "color = v;\n");
}

std::string bufferReads(unsigned reads) {
  return fragment("layout(std430, set = 0, binding = 0) buffer Data { vec4 data[]; };\n",
                  "vec4 v = a;\n" + repeat(reads, [](unsigned i) {
                    return fmt::format("v += data[n.x * {} + n.y] * v.yzwx;\n", i + 1);
                  }) + "color = v;\n");
}

std::string bufferWrites(unsigned writes) {
  return fmt::format("#version 460\nlayout(local_size_x = 64) in;\n"
                     "layout(std430, set = 0, binding = 0) buffer Data {{ vec4 data[]; }};\n"
                     "void main() {{\nuint i = gl_GlobalInvocationID.x * {}u;\nvec4 v = data[i];\n",
                     writes) +
         repeat(writes,
                [](unsigned i) { return fmt::format("data[i + {}u] = v = v * data[i + {}u] + v.yzwx;\n", i, i * 3); }) +
         "}\n";
}

std::string nestedIfs(unsigned depth) {
  return fragment("", "vec4 v = a;\n" + repeat(depth, [](unsigned i) {
                        return fmt::format("if (v.{} > {}.5) {{ v = v * b + a;\n", "xyzw"[i % 4], i);
                      }) + repeat(depth, [](unsigned i) {
                        return fmt::format("v += sin(v.yzwx * {}.0); }} else {{ v = v * b.wzyx - {}.0; }}\n", i + 1, i);
                      }) + "color = v;\n");
}

std::string ifSequence(unsigned count) {
  return fragment("", "vec4 v = a;\n" + repeat(count, [](unsigned i) {
                        return fmt::format("if (v.{} > b.x + {}.0) {{ v = sin(v) + b; }} else {{ v = cos(v.yzwx); }}\n",
                                           "xyzw"[i % 4], i);
                      }) + "color = v;\n");
}

std::string nestedLoops(unsigned depth) {
  return fragment("", "vec4 v = a;\n" + repeat(depth, [](unsigned i) {
                        return fmt::format("for (int i{} = 0; i{} < n[{}]; ++i{}) {{ v = v * b + {}.0;\n", i, i, i % 4,
                                           i, i);
                      }) + repeat(depth, [&](unsigned i) {
                        return fmt::format("if (v.x > {}.0) break; v = v.yzwx + a; }}\n", i + 100);
                      }) + "color = v;\n");
}

std::string loopSequence(unsigned count) {
  return fragment("", "vec4 v = a;\n" + repeat(count, [](unsigned i) {
                        return fmt::format("for (int i = 0; i < n.{}; ++i) {{ v = v * b + {}.0; if (v.y > "
                                           "{}.0) break; }}\n",
                                           "xyzw"[i % 4], i, i + 9);
                      }) + "color = v;\n");
}

std::string earlyReturns(unsigned count) {
  return fragment("vec4 f(vec4 v) {\n" +
                      repeat(count,
                             [](unsigned i) {
                               return fmt::format("if (v.{} > {}.0) return v * {}.0; v = v * b + a;\n", "xyzw"[i % 4],
                                                  i, i);
                             }) +
                      "return v; }\n",
                  "color = f(a);\n");
}

std::string discards(unsigned count) {
  return fragment("", "vec4 v = a;\n" + repeat(count, [](unsigned i) {
                        return fmt::format("if (v.{} > {}.0) discard;\nv = v * b + a;\n", "xyzw"[i % 4], i);
                      }) + "color = v;\n");
}

// Many values that are all live across branches.
std::string phis(unsigned count) {
  return fragment(
      "", repeat(count, [](unsigned i) { return fmt::format("float f{} = a.x * {}.0;\n", i, i); }) +
              "for (int k = 0; k < n.x; ++k) {\nif (a.y * float(k) > b.x) {\n" +
              repeat(count, [&](unsigned i) { return fmt::format("f{} = f{} * b.x + 1.0;\n", i, (i + 1) % count); }) +
              "} else {\n" + repeat(count, [](unsigned i) { return fmt::format("f{} += a.w;\n", i); }) +
              "}\n}\ncolor = vec4(0" + repeat(count, [](unsigned i) { return fmt::format(" + f{}", i); }) + ");\n");
}

std::string shuffles(unsigned count) {
  static constexpr const char *Orders[] = {"wzyx", "yxwz", "zwxy", "xzyw", "yzwx"};
  return fragment("", "vec4 v = a, w = b;\n" + repeat(count, [](unsigned i) {
                        return fmt::format(
                            "v = vec4(v.{}, w.{}).{};\nw.{} = v.{} + a.{};\n", std::string(Orders[i % 5]).substr(0, 2),
                            std::string(Orders[i % 3]).substr(1, 2), Orders[(i * 7) % 5],
                            std::string(Orders[i % 5]).substr(0, 3), i % 2 ? "xyz" : "wyx", i % 3 ? "yyy" : "xzw");
                      }) + "color = v + w;\n");
}

std::string matrixProducts(unsigned count) {
  return fragment("layout(std140, set = 0, binding = 0) uniform M { mat4 m[16]; };\n",
                  "mat4 t = m[0];\n" + repeat(count, [](unsigned i) {
                    return fmt::format("t = t * m[{}];\nt[{}] += a;\n", i % 16, i % 4);
                  }) + "color = t * b;\n");
}

std::string descriptors(unsigned count) {
  return fragment(repeat(count,
                         [](unsigned i) {
                           return fmt::format("layout(set = {}, binding = {}) uniform B{} {{ vec4 u{}; }};\n", i % 4,
                                              i / 4, i, i);
                         }),
                  "vec4 v = a;\n" + repeat(count, [](unsigned i) { return fmt::format("v = v * u{} + b;\n", i); }) +
                      "color = v;\n");
}

std::string texturesBound(unsigned count) {
  return fragment(
      repeat(count,
             [](unsigned i) {
               return fmt::format("layout(set = {}, binding = {}) uniform sampler2D t{};\n", i % 4, i / 4, i);
             }),
      "vec4 v = a;\n" + repeat(count, [](unsigned i) { return fmt::format("v += texture(t{}, a.xy) * b;\n", i); }) +
          "color = v;\n");
}

std::string interface(unsigned count) {
  return "#version 460\n" +
         repeat(count,
                [](unsigned i) {
                  return fmt::format("layout(location = {}) in vec4 a{};\nlayout(location = {}) out vec4 o{};\n", i, i,
                                     i, i);
                }) +
         "void main() {\nvec4 v = a0;\n" +
         repeat(count, [](unsigned i) { return fmt::format("v = v * a{} + a0;\no{} = v;\n", i, i); }) +
         "gl_Position = v;\n}\n";
}

std::string outputStores(unsigned count) {
  return "#version 460\nlayout(location = 0) in vec4 a;\nlayout(location = 0) out vec4 o[30];\nvoid main() {\n"
         "gl_Position = a;\n" +
         repeat(count,
                [](unsigned i) {
                  return fmt::format("o[{}].{} = a.{} * {}.5;\n", i % 30, "xyzw"[i % 4], "wzyx"[i % 3], i);
                }) +
         "}\n";
}

std::string structMembers(unsigned count) {
  const auto member = [](unsigned i) { return fmt::format("float m{};\n", i); };
  return fragment("struct S {\n" + repeat(count, member) +
                      "};\nlayout(std430, set = 0, binding = 0) buffer B { S s; };\n",
                  "S t = s;\n" + repeat(count, [&](unsigned i) {
                    return fmt::format("t.m{} += t.m{} * a.x;\n", i, (i * 7) % count);
                  }) + "s = t;\ncolor = b;\n");
}

std::string arrayLoopCopy(unsigned count) {
  return fragment(
      uniformArray(count),
      fmt::format("vec4 v[{}] = values;\nfor (int k = 0; k < n.x; ++k) {{ vec4 w[{}] = v; w[k & {}] += a; v = w; "
                  "}}\ncolor = v[n.y & {}];\n",
                  count, count, count - 1, count - 1));
}

std::string arrayReturn(unsigned count) {
  return fragment(uniformArray(count) +
                      fmt::format("vec4[{}] f(vec4 v[{}], int i) {{ if (i > 3) return v; v[i & {}] = a; "
                                  "return v; }}\n",
                                  count, count, count - 1),
                  fmt::format("color = f(f(values, n.x), n.y)[n.z & {}];\n", count - 1));
}

std::string arrayCompare(unsigned count) {
  return fragment(uniformArray(count) +
                      fmt::format("layout(std430, set = 0, binding = 1) buffer B {{ vec4 others[{}]; }};\n", count),
                  "color = values == others ? a : b;\n");
}

// A structure of two structures of two structures ..., copied to another type of the same form.
std::string nestedCopies(unsigned depth) {
  std::string text = R"(; Version: 1.4
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %x %y
OpExecutionMode %main OriginUpperLeft
%void = OpTypeVoid
%void_fn = OpTypeFunction %void
%float = OpTypeFloat 32
)";
  for (const char *name : {"a", "b"}) {
    text += fmt::format("%{}0 = OpTypeStruct %float\n", name);
    for (unsigned i = 0; i < depth; ++i)
      text += fmt::format("%{}{} = OpTypeStruct %{}{} %{}{}\n", name, i + 1, name, i, name, i);
  }
  text += fmt::format("%ptr_a = OpTypePointer Private %a{}\n%ptr_b = OpTypePointer Private %b{}\n"
                      "%x = OpVariable %ptr_a Private\n%y = OpVariable %ptr_b Private\n"
                      "%main = OpFunction %void None %void_fn\n%label = OpLabel\n"
                      "%v = OpLoad %a{} %x\n%w = OpCopyLogical %b{} %v\nOpStore %y %w\nOpReturn\nOpFunctionEnd\n",
                      depth, depth, depth, depth);
  return text;
}

// The same structure as a buffer's block.
std::string nestedBlocks(unsigned depth) {
  std::string text = R"(; Version: 1.4
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %x
OpExecutionMode %main OriginUpperLeft
)";
  for (unsigned i = 0; i < depth; ++i)
    text +=
        fmt::format("OpMemberDecorate %s{} 0 Offset 0\nOpMemberDecorate %s{} 1 Offset {}\n", i + 1, i + 1, 16u << i);
  text += fmt::format("OpMemberDecorate %s0 0 Offset 0\nOpDecorate %s{} Block\nOpDecorate %x DescriptorSet 0\n"
                      "OpDecorate %x Binding 0\n%void = OpTypeVoid\n%void_fn = OpTypeFunction %void\n"
                      "%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n%s0 = OpTypeStruct %v4\n",
                      depth);
  for (unsigned i = 0; i < depth; ++i)
    text += fmt::format("%s{} = OpTypeStruct %s{} %s{}\n", i + 1, i, i);
  text += fmt::format("%ptr = OpTypePointer Uniform %s{}\n%x = OpVariable %ptr Uniform\n"
                      "%main = OpFunction %void None %void_fn\n%label = OpLabel\nOpReturn\nOpFunctionEnd\n",
                      depth);
  return text;
}

constexpr unsigned Arrays[] = {64, 128, 256, 512, 1024};
constexpr unsigned Depths[] = {4, 6, 7, 8, 9, 10};
constexpr unsigned ShortDepths[] = {4, 8, 16, 32, 64};
constexpr unsigned Chains[] = {25, 50, 100, 200};
constexpr unsigned Hundreds[] = {64, 128, 256, 512};
constexpr unsigned Cases[] = {256, 512, 1024, 2048, 4096};
constexpr unsigned Divisions[] = {50, 100, 200, 400};
constexpr unsigned VectorDivisions[] = {12, 25, 50, 100};
constexpr unsigned Lines[] = {625, 1250, 2500, 5000, 10000};
constexpr unsigned Thousands[] = {125, 250, 500, 1000, 2000};
constexpr unsigned Products[] = {125, 250, 500};
constexpr unsigned Reads[] = {64, 128, 256, 512, 1024};
constexpr unsigned Few[] = {32, 64, 128, 256};
constexpr unsigned Interfaces[] = {8, 16, 32};
constexpr unsigned Copies[] = {8, 12, 16, 20, 24, 28, 64};

const Family Families[] = {
    {"array-parameter", "vec4s", Stage::Fragment, Language::Glsl, Arrays, false, arrayParameter},
    {"array-value-parameter", "vec4s", Stage::Fragment, Language::Assembly, Arrays, false, arrayValueParameter},
    {"array-return", "vec4s", Stage::Fragment, Language::Glsl, Arrays, false, arrayReturn},
    {"array-loop-copy", "vec4s", Stage::Fragment, Language::Glsl, Arrays, false, arrayLoopCopy},
    {"array-compare", "vec4s", Stage::Fragment, Language::Glsl, Arrays, false, arrayCompare},
    {"uniform-array-copy", "vec4s", Stage::Fragment, Language::Glsl, Arrays, false, uniformArrayCopy},
    {"local-array", "vec4s", Stage::Fragment, Language::Glsl, Arrays, false, localArray},
    {"local-array-by-element", "vec4s", Stage::Fragment, Language::Glsl, Arrays, false, localArrayByElement},
    {"constant-array", "vec4s", Stage::Fragment, Language::Glsl, Cases, false, constantArray},
    {"struct-copy", "vec4s", Stage::Fragment, Language::Glsl, Arrays, false, structCopy},
    {"struct-copy-between-buffers", "vec4s", Stage::Compute, Language::Glsl, Arrays, false, structCopyBetweenBuffers},
    {"struct-members", "members", Stage::Fragment, Language::Glsl, Reads, false, structMembers},
    {"nested-structs", "levels", Stage::Fragment, Language::Glsl, Depths, true, nestedStructs},
    {"nested-locals", "levels", Stage::Fragment, Language::Glsl, Depths, true, nestedLocals},
    {"nested-copies", "levels", Stage::Fragment, Language::Assembly, Copies, true, nestedCopies},
    {"nested-blocks", "levels", Stage::Fragment, Language::Assembly, Copies, true, nestedBlocks},
    {"call-chain", "calls deep", Stage::Fragment, Language::Glsl, Chains, false, callChain},
    {"call-chain-loops", "calls deep", Stage::Fragment, Language::Glsl, Chains, false, callChainLoops},
    {"call-chain-returns", "calls deep", Stage::Fragment, Language::Glsl, Chains, false, callChainReturns},
    {"call-chain-inout", "calls deep", Stage::Fragment, Language::Glsl, Chains, false, callChainInOut},
    {"many-calls", "calls", Stage::Fragment, Language::Glsl, Few, false, manyCalls},
    {"switch-fall-through", "cases", Stage::Fragment, Language::Glsl, Few, false, fallThrough},
    {"switch-cases", "cases", Stage::Fragment, Language::Glsl, Cases, false, switchCases},
    {"switch-blocks", "cases", Stage::Fragment, Language::Glsl, Hundreds, false, switchBlocks},
    {"divisions", "lines", Stage::Fragment, Language::Glsl, Divisions, false, divisions},
    {"vector-divisions", "lines", Stage::Fragment, Language::Glsl, VectorDivisions, false, vectorDivisions},
    {"straight-line", "lines", Stage::Fragment, Language::Glsl, Lines, false, straightLine},
    {"texture-reads", "reads", Stage::Fragment, Language::Glsl, Reads, false, textureReads},
    {"buffer-reads", "reads", Stage::Fragment, Language::Glsl, Reads, false, bufferReads},
    {"buffer-writes", "writes", Stage::Compute, Language::Glsl, Reads, false, bufferWrites},
    {"nested-ifs", "levels", Stage::Fragment, Language::Glsl, ShortDepths, false, nestedIfs},
    {"if-sequence", "ifs", Stage::Fragment, Language::Glsl, Hundreds, false, ifSequence},
    {"nested-loops", "levels", Stage::Fragment, Language::Glsl, ShortDepths, false, nestedLoops},
    {"loop-sequence", "loops", Stage::Fragment, Language::Glsl, Hundreds, false, loopSequence},
    {"loop-breaks", "breaks", Stage::Fragment, Language::Glsl, Hundreds, false, loopBreaks},
    {"loop-returns", "returns", Stage::Fragment, Language::Glsl, Hundreds, false, loopReturns},
    {"loop-continues", "continues", Stage::Fragment, Language::Glsl, Hundreds, false, loopContinues},
    {"loop-mixed-exits", "exits", Stage::Fragment, Language::Glsl, Hundreds, false, loopMixedExits},
    {"early-returns", "returns", Stage::Fragment, Language::Glsl, Hundreds, false, earlyReturns},
    {"discards", "discards", Stage::Fragment, Language::Glsl, Hundreds, false, discards},
    {"phis", "values", Stage::Fragment, Language::Glsl, Hundreds, false, phis},
    {"shuffles", "lines", Stage::Fragment, Language::Glsl, Thousands, false, shuffles},
    {"matrix-products", "products", Stage::Fragment, Language::Glsl, Products, false, matrixProducts},
    {"descriptors", "uniform blocks", Stage::Fragment, Language::Glsl, Hundreds, false, descriptors},
    {"textures", "textures", Stage::Fragment, Language::Glsl, Hundreds, false, texturesBound},
    {"interface", "inputs and outputs", Stage::Vertex, Language::Glsl, Interfaces, false, interface},
    {"output-stores", "stores", Stage::Vertex, Language::Glsl, Thousands, false, outputStores},
};

} // namespace

std::span<const Family> compileGrowthFamilies() {
  return Families;
}

Result<ShaderBinary> makeShader(const Family &family, unsigned size) {
  const std::string name = fmt::format("{}-{}", family.name, size);
  std::string text = family.text(size);
  ShaderBinary binary{family.stage, name, "main", {}};
  if (family.language == Language::Assembly)
    binary.words = DOVETAIL_TRY(assembleSpirv(name, text));
  else
    binary.words = std::move(DOVETAIL_TRY(translateGlsl({{family.stage, name, std::move(text)}})).front());
  return binary;
}

} // namespace dovetail
