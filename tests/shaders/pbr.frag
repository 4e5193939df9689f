// SPDX-License-Identifier: MIT
// PBR pair: Cook-Torrance with normal and parallax mapping, lights, cascaded shadows, image-based light.
#version 450
const float Pi = 3.14159265;
const int MaxLights = 16;
const int Cascades = 3;
const int Point = 0, Spot = 1, Directional = 2;

struct Light {
  vec3 position;
  float range;
  vec3 direction;
  int kind;
  vec3 color;
  float intensity;
  vec2 coneScaleOffset;
  float sourceRadius;
  float padding;
};

struct Surface {
  vec3 albedo;
  float alpha;
  vec3 normal;
  float roughness;
  vec3 f0;
  float metallic;
  vec3 emission;
  float occlusion;
  float coat;
  float coatRoughness;
};

layout(set = 0, binding = 0) uniform Camera {
  mat4 view;
  mat4 projection;
  mat4 shadowTransforms[Cascades];
  vec4 eyeAndTime;
};
layout(set = 0, binding = 1) uniform Lighting {
  Light lights[MaxLights];
  vec4 irradiance[9]; // spherical harmonics
  vec4 cascadeEnds;
  int lightCount;
  float environmentLevels;
  float shadowTexel;
  float fogDensity;
  vec3 fogColor;
};
layout(set = 1, binding = 0) uniform Material {
  vec4 baseColor;
  vec3 emissive;
  float alphaCutoff;
  float metallicFactor;
  float roughnessFactor;
  float normalScale;
  float occlusionStrength;
  float heightScale;
  float coatFactor;
  float coatRoughnessFactor;
};
layout(set = 1, binding = 1) uniform sampler2D albedoMap;
layout(set = 1, binding = 2) uniform sampler2D normalMap;
layout(set = 1, binding = 3) uniform sampler2D materialMap; // occlusion, roughness, metallic, height
layout(set = 1, binding = 4) uniform sampler2D emissionMap;
layout(set = 0, binding = 2) uniform sampler2DArrayShadow shadowMap;
layout(set = 0, binding = 3) uniform samplerCube environment;
layout(set = 0, binding = 4) uniform sampler2D brdfTable;

layout(location = 0) in vec3 worldPosition;
layout(location = 1) in vec3 worldNormal;
layout(location = 2) in vec4 worldTangent;
layout(location = 3) in vec2 texCoord;
layout(location = 4) in vec4 color;
layout(location = 5) in float viewDepth;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 normalTarget;

float square(float x) { return x * x; }

// Follows the view ray through the height field in tangent space.
vec2 parallax(vec2 uv, vec3 toEye) {
  if (heightScale <= 0.0)
    return uv;
  float layers = mix(24.0, 8.0, abs(toEye.z));
  vec2 stepUv = toEye.xy / max(toEye.z, 0.1) * heightScale / layers;
  float depth = 0.0, before = 0.0;
  float sampled = 1.0 - textureLod(materialMap, uv, 0.0).a;
  for (int i = 0; i < 24 && depth < sampled; ++i) {
    uv -= stepUv;
    before = sampled - depth;
    depth += 1.0 / layers;
    sampled = 1.0 - textureLod(materialMap, uv, 0.0).a;
  }
  float after = depth - sampled;
  return uv + stepUv * clamp(after / max(after + before, 1e-4), 0.0, 1.0);
}

Surface readSurface(mat3 frame, vec2 uv) {
  Surface surface;
  vec4 base = texture(albedoMap, uv) * baseColor * color;
  vec4 packed_ = texture(materialMap, uv);
  vec3 mapped = texture(normalMap, uv).xyz * 2.0 - 1.0;
  mapped.xy *= normalScale;
  surface.normal = normalize(frame * mapped);
  if (!gl_FrontFacing)
    surface.normal = -surface.normal;
  surface.alpha = base.a;
  surface.metallic = clamp(packed_.b * metallicFactor, 0.0, 1.0);
  surface.albedo = base.rgb * (1.0 - surface.metallic);
  surface.f0 = mix(vec3(0.04), base.rgb, surface.metallic);
  surface.occlusion = mix(1.0, packed_.r, occlusionStrength);
  surface.emission = texture(emissionMap, uv).rgb * emissive;
  surface.coat = coatFactor;
  surface.coatRoughness = clamp(coatRoughnessFactor, 0.05, 1.0);
  // Widen the lobe where the normal turns within the pixel, against specular aliasing.
  vec3 dx = dFdx(surface.normal), dy = dFdy(surface.normal);
  float variance = min(0.25 * (dot(dx, dx) + dot(dy, dy)), 0.18);
  float rough = clamp(packed_.g * roughnessFactor, 0.05, 1.0);
  surface.roughness = sqrt(clamp(rough * rough + variance, 0.0, 1.0));
  return surface;
}

float distribution(float nh, float alpha) {
  float a2 = alpha * alpha;
  return a2 / (Pi * square(nh * nh * (a2 - 1.0) + 1.0));
}

float visibility(float nv, float nl, float alpha) {
  float a2 = alpha * alpha;
  float gv = nl * sqrt(nv * nv * (1.0 - a2) + a2);
  float gl = nv * sqrt(nl * nl * (1.0 - a2) + a2);
  return 0.5 / max(gv + gl, 1e-5);
}

vec3 fresnel(vec3 f0, float vh) { return f0 + (1.0 - f0) * pow(1.0 - vh, 5.0); }

vec3 shade(const Surface surface, vec3 v, vec3 l) {
  vec3 h = normalize(v + l);
  float nl = max(dot(surface.normal, l), 0.0);
  float nv = max(dot(surface.normal, v), 1e-4);
  float nh = clamp(dot(surface.normal, h), 0.0, 1.0);
  float vh = clamp(dot(v, h), 0.0, 1.0);
  float alpha = square(surface.roughness);
  vec3 f = fresnel(surface.f0, vh);
  vec3 specular = f * distribution(nh, alpha) * visibility(nv, nl, alpha);
  vec3 diffuse = (1.0 - f) * surface.albedo / Pi;
  if (surface.coat > 0.0) {
    float coatAlpha = square(surface.coatRoughness);
    float coatFresnel = fresnel(vec3(0.04), vh).x * surface.coat;
    float lobe = distribution(nh, coatAlpha) * 0.25 / max(vh * vh, 1e-3);
    return ((diffuse + specular) * (1.0 - coatFresnel) + coatFresnel * lobe) * nl;
  }
  return (diffuse + specular) * nl;
}

float attenuation(const Light light, vec3 toLight, float distance_) {
  if (light.kind == Directional)
    return 1.0;
  float window = square(clamp(1.0 - square(square(distance_ / light.range)), 0.0, 1.0));
  float fade = window / max(distance_ * distance_, square(light.sourceRadius) + 1e-4);
  if (light.kind == Spot) {
    float cone = dot(light.direction, -toLight) * light.coneScaleOffset.x + light.coneScaleOffset.y;
    fade *= square(clamp(cone, 0.0, 1.0));
  }
  return fade;
}

// Percentage-closer filtering in the cascade that holds this depth.
float shadow(vec3 normal) {
  int cascade = Cascades;
  for (int i = Cascades - 1; i >= 0; --i)
    if (viewDepth < cascadeEnds[i])
      cascade = i;
  // Pixels beyond all cascades sample, too: derivatives need the whole quad.
  int layer = min(cascade, Cascades - 1);
  vec3 at = worldPosition + normal * (0.02 * float(layer + 1));
  vec4 p = shadowTransforms[layer] * vec4(at, 1.0);
  vec3 q = p.xyz / p.w;
  float lit = 0.0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      lit += texture(shadowMap, vec4(q.xy + vec2(x, y) * shadowTexel, float(layer), q.z - 0.0005));
  return cascade == Cascades ? 1.0 : lit / 9.0;
}

vec3 diffuseEnvironment(vec3 n) {
  vec3 sum = irradiance[0].rgb + irradiance[1].rgb * n.y + irradiance[2].rgb * n.z + irradiance[3].rgb * n.x;
  sum += irradiance[4].rgb * (n.x * n.y) + irradiance[5].rgb * (n.y * n.z);
  sum += irradiance[6].rgb * (3.0 * n.z * n.z - 1.0) + irradiance[7].rgb * (n.z * n.x);
  return max(sum + irradiance[8].rgb * (n.x * n.x - n.y * n.y), 0.0);
}

vec3 imageBasedLight(const Surface surface, vec3 v) {
  float nv = max(dot(surface.normal, v), 1e-4);
  vec3 r = reflect(-v, surface.normal);
  vec2 brdf = texture(brdfTable, vec2(nv, surface.roughness)).rg;
  vec3 prefiltered = textureLod(environment, r, surface.roughness * environmentLevels).rgb;
  vec3 specular = prefiltered * (surface.f0 * brdf.x + brdf.y);
  vec3 diffuse = surface.albedo * diffuseEnvironment(surface.normal);
  float hidden = clamp(pow(nv + surface.occlusion, exp2(-16.0 * surface.roughness - 1.0)) - 1.0 + surface.occlusion, 0.0, 1.0);
  return diffuse * surface.occlusion + specular * hidden;
}

void main() {
  vec3 v = normalize(eyeAndTime.xyz - worldPosition);
  vec3 n = normalize(worldNormal);
  vec3 t = normalize(worldTangent.xyz - n * dot(n, worldTangent.xyz));
  mat3 frame = mat3(t, cross(n, t) * worldTangent.w, n);
  vec2 uv = parallax(texCoord, v * frame);
  Surface surface = readSurface(frame, uv);

  vec3 sum = surface.emission + imageBasedLight(surface, v);
  for (int i = 0; i < min(lightCount, MaxLights); ++i) {
    Light light = lights[i];
    vec3 toLight = light.kind == Directional ? -light.direction : light.position - worldPosition;
    float distance_ = length(toLight);
    toLight /= distance_;
    float fade = attenuation(light, toLight, distance_);
    if (fade <= 0.0)
      continue;
    if (light.kind == Directional)
      fade *= shadow(surface.normal);
    sum += shade(surface, v, toLight) * light.color * (light.intensity * fade);
  }
  float fog = 1.0 - exp(-square(viewDepth * fogDensity));
  if (surface.alpha < alphaCutoff) // not earlier, because it leaves the quad's derivatives undefined
    discard;
  target = vec4(mix(sum, fogColor, fog), surface.alpha);
  normalTarget = vec4(surface.normal * 0.5 + 0.5, surface.roughness);
}
