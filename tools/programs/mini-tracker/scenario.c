/* SPDX-License-Identifier: MIT */
#include "scenario.h"
#include "gl_program.h"
#include "gl_state.h"
#include "matrix.h"
#include "vulkan_values.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Attribute locations of object.vert, and offsets in its uniform block. */
enum { POSITION = 0, NORMAL = 1, TEXCOORD = 2, COLOR = 3 };
enum {
  VIEW_PROJECTION = 0,
  MODEL = 64,
  TINT = 128,
  EYE = 144,
  FOG = 160,
  LIGHT_COUNT = 176,
  HAS_TEXTURE = 180,
  TIME = 184
};

struct vertex {
  float position[3], normal[3], texcoord[2];
  uint8_t color[4];
};

/* The same vertex in fewer bytes: other attribute formats need another vertex prolog, but use the same main part. */
struct packed_vertex {
  float position[3];
  int8_t normal[4];
  uint16_t texcoord[2];
  uint8_t color[4];
};

enum { CUBE_VERTICES = 24, CUBE_INDICES = 36, TEXTURE_SIZE = 16, LIGHTS = 1 };

enum program { LIT, TEXTURED, LEAF, GLASS, PROGRAMS };
static const char *const fragment_shaders[PROGRAMS] = {"lit.frag", "textured.frag", "leaf.frag", "glass.frag"};

struct scenario {
  struct gl_program programs[PROGRAMS];
  struct vertex cube[CUBE_VERTICES];
  uint32_t cube_indices[CUBE_INDICES];
  uint32_t texels[TEXTURE_SIZE * TEXTURE_SIZE];
  struct gl_texture texture;
  struct matrix view_projection;
};

static const struct vertex floor_vertices[4] = {
    {{-4, 0, -4}, {0, 1, 0}, {0, 0}, {255, 255, 255, 255}},
    {{-4, 0, 4}, {0, 1, 0}, {0, 1}, {255, 255, 255, 255}},
    {{4, 0, -4}, {0, 1, 0}, {1, 0}, {255, 255, 255, 255}},
    {{4, 0, 4}, {0, 1, 0}, {1, 1}, {255, 255, 255, 255}},
};
static const struct packed_vertex leaf_vertices[4] = {
    {{-1, 1, 0}, {0, 0, 127, 0}, {0, 65535}, {90, 200, 60, 255}},
    {{-1, -1, 0}, {0, 0, 127, 0}, {0, 0}, {30, 120, 30, 255}},
    {{1, 1, 0}, {0, 0, 127, 0}, {65535, 65535}, {120, 220, 80, 255}},
    {{1, -1, 0}, {0, 0, 127, 0}, {65535, 0}, {30, 120, 30, 255}},
};
static const uint32_t quad_indices[6] = {0, 1, 2, 2, 1, 3};

static const float eye[4] = {0, 2.2f, 5.5f, 1};

/* Six faces, each with its own normal; counter-clockwise from outside. */
static void make_cube(struct scenario *scenario) {
  for (uint32_t face = 0; face < 6; ++face) {
    const uint32_t axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const float side = face % 2 ? 1.0f : -1.0f;
    for (uint32_t corner = 0; corner < 4; ++corner) {
      struct vertex *vertex = &scenario->cube[face * 4 + corner];
      memset(vertex, 0, sizeof(*vertex));
      vertex->texcoord[0] = (float)(corner & 1);
      vertex->texcoord[1] = (float)(corner >> 1);
      vertex->position[axis] = vertex->normal[axis] = side;
      vertex->position[u] = vertex->texcoord[0] * 2 - 1;
      vertex->position[v] = (vertex->texcoord[1] * 2 - 1) * side;
      memset(vertex->color, 255, sizeof(vertex->color));
    }
    for (uint32_t i = 0; i < 6; ++i) {
      static const uint32_t order[6] = {0, 1, 2, 2, 1, 3};
      scenario->cube_indices[face * 6 + i] = face * 4 + order[i];
    }
  }
}

static void make_texture(struct scenario *scenario) {
  for (uint32_t y = 0; y < TEXTURE_SIZE; ++y)
    for (uint32_t x = 0; x < TEXTURE_SIZE; ++x)
      scenario->texels[y * TEXTURE_SIZE + x] = (x / 2 + y / 2) % 2 ? 0xffd8e0e8u : 0xff504038u;
  scenario->texture.width = scenario->texture.height = TEXTURE_SIZE;
  scenario->texture.texels = scenario->texels;
  scenario->texture.linear = true;
}

struct scenario *scenario_create(dovetail_device *device, const char *shader_folder, dovetail_message *message) {
  struct scenario *scenario = calloc(1, sizeof(*scenario));
  if (!scenario) {
    strcpy(message->text, "out of memory");
    return NULL;
  }
  make_cube(scenario);
  make_texture(scenario);
  const struct matrix camera = matrix_camera(eye[0], eye[1], eye[2], 0.36f);
  const struct matrix projection = matrix_perspective(0.9f, 1, 0.5f, 20);
  scenario->view_projection = matrix_multiply(&projection, &camera);

  for (int i = 0; i < PROGRAMS; ++i) {
    char vertex_file[512], fragment_file[512];
    snprintf(vertex_file, sizeof(vertex_file), "%s/object.vert.spv", shader_folder);
    snprintf(fragment_file, sizeof(fragment_file), "%s/%s.spv", shader_folder, fragment_shaders[i]);
    struct gl_program *program = &scenario->programs[i];
    if (!gl_program_create(program, device, vertex_file, fragment_file, message)) {
      scenario_destroy(scenario);
      return NULL;
    }
    static const float fog[4] = {0.55f, 0.65f, 0.8f, 0.04f};
    const float time = 0.5f;
    gl_uniform(program, VIEW_PROJECTION, sizeof(scenario->view_projection), &scenario->view_projection);
    gl_uniform(program, EYE, sizeof(eye), eye);
    gl_uniform(program, FOG, sizeof(fog), fog);
    gl_uniform(program, TIME, sizeof(time), &time);
  }
  /* The length of a loop and the condition of a branch. */
  gl_add_inlinable_uniform(&scenario->programs[LIT], LIGHT_COUNT);
  gl_add_inlinable_uniform(&scenario->programs[LIT], HAS_TEXTURE);
  return scenario;
}

void scenario_destroy(struct scenario *scenario) {
  if (!scenario)
    return;
  for (int i = 0; i < PROGRAMS; ++i)
    gl_program_destroy(&scenario->programs[i]);
  free(scenario);
}

static void set_vertices(struct gl_context *gl, const struct vertex *vertices, size_t bytes) {
  gl_vertex_buffer(gl, 0, vertices, bytes, sizeof(*vertices));
  gl_vertex_attribute(gl, POSITION, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, position));
  gl_vertex_attribute(gl, NORMAL, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, normal));
  gl_vertex_attribute(gl, TEXCOORD, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct vertex, texcoord));
  gl_vertex_attribute(gl, COLOR, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(struct vertex, color));
}

static void set_packed_vertices(struct gl_context *gl, const struct packed_vertex *vertices, size_t bytes) {
  gl_vertex_buffer(gl, 0, vertices, bytes, sizeof(*vertices));
  gl_vertex_attribute(gl, POSITION, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct packed_vertex, position));
  gl_vertex_attribute(gl, NORMAL, 0, VK_FORMAT_R8G8B8A8_SNORM, offsetof(struct packed_vertex, normal));
  gl_vertex_attribute(gl, TEXCOORD, 0, VK_FORMAT_R16G16_UNORM, offsetof(struct packed_vertex, texcoord));
  gl_vertex_attribute(gl, COLOR, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(struct packed_vertex, color));
}

static struct gl_program *use(struct scenario *scenario, struct gl_context *gl, enum program program,
                              struct matrix model, float red, float green, float blue) {
  struct gl_program *used = &scenario->programs[program];
  const float tint[4] = {red, green, blue, 1};
  gl_use_program(gl, used);
  gl_uniform(used, MODEL, sizeof(model), &model);
  gl_uniform(used, TINT, sizeof(tint), tint);
  return used;
}

static void set_opaque(struct gl_context *gl) {
  gl_color_mask(gl, true, true, true, true);
  gl_disable_blend(gl);
  gl_alpha_func(gl, VK_COMPARE_OP_ALWAYS, 0);
  gl_depth_test(gl, true, true);
}

static bool draw_floor(struct scenario *scenario, struct gl_context *gl, struct gl_draw_report *report) {
  use(scenario, gl, TEXTURED, matrix_place(0, 0, 0, 1, 0), 1, 1, 1);
  set_opaque(gl);
  gl_cull_back_faces(gl, true);
  gl_bind_texture(gl, 0, &scenario->texture);
  set_vertices(gl, floor_vertices, sizeof(floor_vertices));
  return gl_draw(gl, quad_indices, 6, report);
}

static bool draw_cube(struct scenario *scenario, struct gl_context *gl, struct gl_draw_report *report,
                      struct matrix model, float red, float green, float blue) {
  const int32_t lights = LIGHTS, has_texture = 0;
  struct gl_program *program = use(scenario, gl, LIT, model, red, green, blue);
  gl_uniform(program, LIGHT_COUNT, sizeof(lights), &lights);
  gl_uniform(program, HAS_TEXTURE, sizeof(has_texture), &has_texture);
  set_opaque(gl);
  gl_cull_back_faces(gl, true);
  set_vertices(gl, scenario->cube, sizeof(scenario->cube));
  return gl_draw(gl, scenario->cube_indices, CUBE_INDICES, report);
}

static bool draw_red_cube(struct scenario *scenario, struct gl_context *gl, struct gl_draw_report *report) {
  return draw_cube(scenario, gl, report, matrix_place(-1.3f, 0.8f, 0, 0.8f, 0.6f), 0.9f, 0.3f, 0.25f);
}

/* Only uniforms differ from the red one's, so the bind finds everything unchanged. */
static bool draw_blue_cube(struct scenario *scenario, struct gl_context *gl, struct gl_draw_report *report) {
  return draw_cube(scenario, gl, report, matrix_place(1.4f, 0.6f, -0.6f, 0.6f, 0.2f), 0.3f, 0.4f, 0.9f);
}

static bool draw_leaf(struct scenario *scenario, struct gl_context *gl, struct gl_draw_report *report) {
  use(scenario, gl, LEAF, matrix_place(0.2f, 1.1f, 0.8f, 0.9f, 0.2f), 1, 1, 1);
  set_opaque(gl);
  gl_alpha_func(gl, VK_COMPARE_OP_GREATER, 0.5f);
  gl_cull_back_faces(gl, false);
  set_packed_vertices(gl, leaf_vertices, sizeof(leaf_vertices));
  return gl_draw(gl, quad_indices, 6, report);
}

static bool draw_glass(struct scenario *scenario, struct gl_context *gl, struct gl_draw_report *report) {
  use(scenario, gl, GLASS, matrix_place(1.1f, 0.7f, 1.6f, 0.55f, 0.9f), 0.6f, 0.9f, 0.8f);
  set_opaque(gl);
  gl_blend_func(gl, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA);
  gl_depth_test(gl, true, false);
  gl_cull_back_faces(gl, true);
  set_vertices(gl, scenario->cube, sizeof(scenario->cube));
  return gl_draw(gl, scenario->cube_indices, CUBE_INDICES, report);
}

static const struct {
  const char *name;
  bool (*draw)(struct scenario *, struct gl_context *, struct gl_draw_report *);
} objects[] = {
    {"floor", draw_floor}, {"red cube", draw_red_cube}, {"blue cube", draw_blue_cube},
    {"leaf", draw_leaf},   {"glass", draw_glass},
};

size_t scenario_object_count(void) {
  return sizeof(objects) / sizeof(objects[0]);
}

const char *scenario_object_name(size_t object) {
  return objects[object].name;
}

bool scenario_draw(struct scenario *scenario, size_t object, struct gl_context *gl, struct gl_draw_report *report) {
  return objects[object].draw(scenario, gl, report);
}
