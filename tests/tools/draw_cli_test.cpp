// SPDX-License-Identifier: MIT
//
// `dovetail draw` and `dovetail corpus --draw` as a user meets them.
#include "tests/tools/run_tool.h"
#include "tools/common/command/write_file.h"
#include "tools/proof/scene/picture_png.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

Raster readPng(const std::string &path) {
  std::string bytes = readWholeFile(path).value_or("");
  Result<Raster> raster = decodePng({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  if (!raster)
    FAIL(raster.error().text);
  return *raster;
}

// A state whose scene is one triangle over the upper left half of 4x4 pixels, in constant colour.
const char *const HalfState = R"({
  "vertexBindings": [{"binding": 0, "stride": 8}],
  "vertexAttributes": [{"location": 0, "binding": 0, "format": "VK_FORMAT_R32G32_SFLOAT"}],
  "scene": {"width": 4, "height": 4, "vertexCount": 3, "instanceCount": 1, "firstVertex": 0, "indices": [],
            "vertexBuffers": [{"binding": 0, "data": {"f32": [-1, -1, 0.9, -1, -1, 0.9]}}], "viewports": [],
            "scissors": [], "depthTestEnable": false, "cullMode": "VK_CULL_MODE_NONE",
            "sampleMask": 4294967295, "clearColors": [{"f32": [0, 0, 1, 1]}]}
})";
const char *const Red = "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1, 0, 0, 1); }\n";

} // namespace

TEST_CASE("a drawn picture, lavapipe's and their difference are PNG files of the scene that the state holds") {
  Shaders shaders;
  std::string red = shaders.write("red.frag", Red), state = shaders.write("state.json", HalfState);
  std::string ours = shaders / "ours.png", theirs = shaders / "theirs.png", difference = shaders / "difference.png";
  Run run = runTool("draw " + shaders.vertex + " " + red + " --state " + state + " -o " + ours + " --reference " +
                    theirs + " --diff " + difference);
  CAPTURE(run.output);
  CAPTURE(run.errors);
  CHECK(run.status == 0);
  CHECK(run.output.find("color 0 r: maximum 0 steps, mean 0 steps, within tolerance") != std::string::npos);
  CHECK(run.output.ends_with("match\n"));
  Raster picture = readPng(ours);
  REQUIRE(picture.width == 4);
  for (unsigned y = 0; y < 4; ++y)
    for (unsigned x = 0; x < 4; ++x) {
      CAPTURE(x);
      CAPTURE(y);
      bool inside = x + y < 3;
      CHECK(picture.rgba[(y * 4 + x) * 4] == (inside ? 255 : 0));
      CHECK(picture.rgba[(y * 4 + x) * 4 + 2] == (inside ? 0 : 255));
    }
  CHECK(readPng(theirs).rgba == picture.rgba);
  for (size_t index = 0; uint8_t byte : readPng(difference).rgba)
    CHECK(byte == (index++ % 4 == 3 ? 255 : 0));
}

TEST_CASE("joined parts may be compiled instead of encoded, which draws the same") {
  Shaders shaders;
  Raster pictures[2];
  for (Raster &picture : pictures) {
    const std::string way = &picture == pictures ? "direct" : "ir", file = shaders / (way + ".png");
    Run run = runTool("draw --random-state --seed 7 --parts " + way + " -o " + file + " " + shaders.pair());
    CHECK_MESSAGE(run.status == 0, run.errors);
    picture = readPng(file);
  }
  CHECK(pictures[0].rgba.size() == 64 * 64 * 4);
  CHECK(pictures[0].rgba == pictures[1].rgba);
  CHECK(runTool("draw --parts both " + shaders.pair()).status != 0);
}

TEST_CASE("joined and monolithic code are drawn alone or compared") {
  Shaders shaders;
  Run joined = runTool("draw " + shaders.pair());
  CHECK(joined.status == 0);
  CHECK(joined.output.starts_with("joined: "));
  CHECK(joined.output.find("lavapipe") == std::string::npos);
  Run monolithic = runTool("draw --monolithic " + shaders.pair());
  CHECK(monolithic.status == 0);
  CHECK(monolithic.output.starts_with("monolithic: "));
  Run both = runTool("draw --joined --monolithic --compare --random-state --seed 5 --size 16x8 " + shaders.pair());
  CHECK_MESSAGE(both.status == 0, both.output);
  CHECK(both.output.find("joined and monolithic:") != std::string::npos);
  CHECK(both.output.find("emulator and lavapipe:") != std::string::npos);
}

TEST_CASE("shaders that come alone are drawn, too, and a compute shader's buffers are compared") {
  Shaders shaders;
  CHECK(runTool("draw --compare " + shaders.fragment).output.ends_with("match\n"));
  CHECK(runTool("draw --compare " + shaders.vertex).output.ends_with("match\n"));
  std::string compute = shaders.write(
      "c.comp", "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint words[8]; };\n"
                "void main() { words[gl_LocalInvocationIndex] = gl_LocalInvocationIndex * 3; }\n");
  Run run = runTool("draw --compare -o " + (shaders / "c.png") + " " + compute);
  CHECK(run.status == 0);
  CHECK(run.output.find("buffer 0: maximum 0, mean 0, within tolerance") != std::string::npos);
}

TEST_CASE("colors and components that the shader never writes are undefined and not compared") {
  Shaders shaders;
  std::string parts = shaders.write("parts.frag", "#version 450\nlayout(location = 0) out vec4 c[3];\n"
                                                  "void main() { c[1].yz = vec2(0.25, 0.75); }\n");
  for (const char *state : {"", " --random-state --seed 2"}) {
    Run run = runTool("draw --compare " + parts + state);
    CHECK_MESSAGE(run.status == 0, run.output);
    CHECK(run.output.find("color 1") != std::string::npos);
  }
}

TEST_CASE("the same seed is the same picture, another one is another") {
  Shaders shaders;
  std::string colored = shaders.write("u.frag", "#version 450\nlayout(location = 0) out vec4 c;\n"
                                                "layout(binding = 0) uniform U { vec4 color; };\n"
                                                "void main() { c = color; }\n");
  auto draw = [&](const std::string &seed) {
    std::string file = shaders / "out.png";
    CHECK(runTool("draw " + colored + " --seed " + seed + " -o " + file).status == 0);
    return readWholeFile(file).value_or("");
  };
  std::string first = draw("1");
  CHECK(first == draw("1"));
  CHECK(first != draw("2"));
}

TEST_CASE("what cannot be drawn is one line") {
  Shaders shaders;
  checkError(runTool("draw"), "SHADER");
  checkError(runTool("draw " + (shaders / "none.vert")), shaders / "none.vert: No such file or directory");
  checkError(runTool("draw --size 0x4 " + shaders.pair()), "a size is WIDTHxHEIGHT");
  checkError(runTool("draw --size 4 " + shaders.pair()), "a size is WIDTHxHEIGHT");
  checkError(runTool("draw --gpu gfx1 " + shaders.pair()), "gfx900");
  checkError(runTool("draw --color-format VK_FORMAT_X " + shaders.pair()), "VK_FORMAT_X");
  std::string state = shaders.write("s.json", R"({"scene": {"buffers": [{"set": 3}]}})");
  checkError(runTool("draw --state " + state + " " + shaders.pair()), "/scene/buffers/0: the shaders use no set 3");
  checkError(runTool("corpus --size 16 " + shaders.path().string()), "--draw");
}

TEST_CASE("without lavapipe's program nothing is drawn that was to be compared, and the Error names the program") {
  Shaders shaders;
  std::string file = shaders / "out.png";
  const std::string none = shaders / "none";
  Run run = runTool("draw --compare -o " + file + " " + shaders.pair(), "DOVETAIL_REFERENCE=" + none + " ");
  CHECK(run.status == 1);
  CHECK(run.errors == "dovetail: file error: cannot run the reference " + none + ": No such file or directory\n");
  CHECK_FALSE(std::filesystem::exists(file));
  checkError(runTool("corpus --draw " + shaders.path().string(), "DOVETAIL_REFERENCE=" + none + " "), none);
  checkError(runTool("draw --mode=half " + shaders.pair()),
             "--mode: \"half\" is none of joined, whole, unlinked, part");
}

TEST_CASE("a drawn corpus lists what differs or was not drawn with a command that replays it") {
  Shaders shaders;
  shaders.write("alone.frag", Red);
  shaders.write("bad.frag", "nonsense");
  shaders.write("c.comp", "#version 450\nlayout(binding = 0) buffer B { uint w; };\nvoid main() { w += 7; }\n");
  std::string json = shaders / "out.json";
  Run run = runTool("corpus --draw --seed 3 --size 8 --jobs 1 --json " + json + " " + shaders.path().string());
  CHECK_MESSAGE(run.status == 0, run.output);
  CHECK_MESSAGE(run.output.ends_with("\n3 match, 0 differ, 1 not drawn\n"), run.output);
  CHECK(run.output.find("\nnot drawn, no valid input: 1\n") != std::string::npos);
  CHECK(run.output.find("\n0 matches lean on unstable or undefined texels, 0 of them") != std::string::npos);
  CHECK(run.output.find("not drawn: " + (shaders / "bad.frag") + ": invalid input: ") != std::string::npos);
  std::string outcomes = readWholeFile(json).value_or("");
  CHECK(outcomes.find("\"match\": 3") != std::string::npos);
  // The command that the file has for the pair draws the same again.
  size_t at = outcomes.find("dovetail draw " + shaders.vertex);
  REQUIRE(at != std::string::npos);
  std::string replay = outcomes.substr(at + 9, outcomes.find('"', at) - at - 9);
  CHECK(replay.find(" --seed ") != std::string::npos);
  Run again = runTool(replay);
  CHECK(again.status == 0);
  CHECK(again.output.ends_with("match\n"));
}

TEST_CASE("lavapipe's pictures of a drawn corpus are in the user's cache, and taken from there") {
  Shaders shaders;
  const std::filesystem::path cache = shaders.path() / "cache", pictures = cache / "dovetail" / "pictures";
  auto draw = [&] {
    return runTool("corpus --draw --jobs 1 " + shaders.vertex + " " + shaders.fragment,
                   "env -u DOVETAIL_REFERENCE_PICTURES XDG_CACHE_HOME=" + cache.string() + " ");
  };
  CHECK(draw().output.ends_with("\n1 match, 0 differ, 0 not drawn\n"));
  std::vector<std::filesystem::path> files(std::filesystem::directory_iterator(pictures), {});
  REQUIRE(files.size() == 1);
  const auto written = std::filesystem::last_write_time(files[0]);
  CHECK(draw().output.ends_with("\n1 match, 0 differ, 0 not drawn\n"));
  CHECK(std::filesystem::last_write_time(files[0]) == written);
}

// Mesa's front end crashes on this form, so it is drawn beside the same program in another form.
TEST_CASE("arrays of textures are passed by value and in variables, and read by known and computed index") {
  Shaders folder;
  for (const char *gpu : {"gfx900", "gfx803"})
    for (const char *way : {"", " --monolithic", " --optimized"}) {
      Raster pictures[2];
      for (Raster &picture : pictures) {
        const bool isFirst = &picture == pictures;
        const std::string file = folder / (isFirst ? "values.png" : "variables.png");
        const std::string shader =
            std::string(DOVETAIL_DRIVER_SHADERS "/opaque_arrays.frag") + (isFirst ? ".spvasm" : "");
        Run run = runTool("draw " + shader + " --gpu " + gpu + way + " -o " + file);
        CHECK_MESSAGE(run.status == 0, run.errors);
        picture = readPng(file);
      }
      CHECK(pictures[0].rgba.size() == 64 * 64 * 4);
      CHECK(pictures[0].rgba == pictures[1].rgba);
    }
}

TEST_CASE("a corpus is drawn without a cache that nothing can be written into") {
  Shaders shaders;
  Run run = runTool("corpus --draw --jobs 1 " + shaders.pair(),
                    "env -u DOVETAIL_REFERENCE_PICTURES XDG_CACHE_HOME=/dev/null ");
  CHECK(run.output.ends_with("\n1 match, 0 differ, 0 not drawn\n"));
}

TEST_CASE("a drawn corpus without lavapipe draws nothing and says why") {
  Shaders shaders;
  Run run = runTool("corpus --draw " + shaders.path().string(), "DOVETAIL_REFERENCE=/bin/false ");
  CHECK(run.output.ends_with("0 match, 0 differ, 1 not drawn\n"));
  CHECK(run.output.find("the reference (lavapipe) ended with status 1") != std::string::npos);
}

// Shows state: topology (GeometryProlog), flatProvokingVertexLast (GeometryProlog).
TEST_CASE("strips with adjacency begin where the vertex convention says, as in lavapipe") {
  Shaders shaders;
  const std::string program = DOVETAIL_OWN_SHADERS "/geom_strip_adjacency_order.";
  std::string files;
  for (const char *ending : {"vert ", "geom ", "frag "})
    files += program + ending;
  for (const char *gpu : {"gfx900", "gfx803"}) {
    std::vector<std::vector<uint8_t>> pictures;
    for (const char *last : {"false", "true"}) {
      CAPTURE(gpu);
      CAPTURE(last);
      std::string state =
          shaders.write("state.json", std::string(R"({"flatProvokingVertexLast": )") + last +
                                          R"(, "topology": "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY"})");
      std::string picture = shaders / "picture.png";
      Run run = runTool("draw " + files + "--gpu " + gpu + " --state " + state +
                        " --joined --monolithic --compare -o " + picture);
      CAPTURE(run.output);
      CAPTURE(run.errors);
      CHECK(run.status == 0);
      pictures.push_back(readPng(picture).rgba);
      // Only one of the conventions needs the prolog.
      Run compiled = runTool("compile " + files + "--gpu " + gpu + " --state " + state + " --stats");
      CHECK((compiled.output.find("gs.geometry_prolog") != std::string::npos) == (last == std::string("true")));
    }
    CHECK(pictures[0] != pictures[1]);
  }
}
