// SPDX-License-Identifier: MIT
//
// WebGPU without a browser, for programs that draw into textures and read them back. DOVETAIL_NPM_FOLDER is the folder
// with npm's packages (npm_packages.py).
import { pathToFileURL } from "node:url";

const folder = process.env.DOVETAIL_NPM_FOLDER;
if (!folder) throw new Error("DOVETAIL_NPM_FOLDER is not set");

// `load(name)`: the module of a package.
export const { load } = await import(pathToFileURL(`${folder}/load.mjs`).href);

const { create, globals } = await load("webgpu");
Object.assign(globalThis, globals);
// Dawn hands labels on to Vulkan, so that reports have them.
export const gpu = create(["enable-dawn-features=use_user_defined_labels_in_backend"]);

// Opens a device with these features. Errors that nobody handles end the process.
export async function openDevice(features = () => []) {
  const adapter = await gpu.requestAdapter();
  if (!adapter) throw new Error("there is no adapter");
  const device = await adapter.requestDevice({ requiredFeatures: features(adapter) });
  device.addEventListener("uncapturederror", (event) => {
    console.error(event.error.message);
    process.exit(1);
  });
  return device;
}

// The bytes of a picture with 4 bytes a pixel, row after row. The width must be a multiple of 64.
export async function readPicture(device, texture) {
  const { width, height } = texture;
  const buffer = device.createBuffer({
    size: width * height * 4,
    usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
  });
  const encoder = device.createCommandEncoder();
  encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: width * 4 }, [width, height]);
  device.queue.submit([encoder.finish()]);
  return readBuffer(buffer);
}

export async function readBuffer(buffer) {
  await buffer.mapAsync(GPUMapMode.READ);
  const bytes = new Uint8Array(buffer.getMappedRange()).slice();
  buffer.unmap();
  return bytes;
}

// Ends the program with an error unless the pixel is this colour.
export function checkPixel(picture, width, x, y, wanted, tolerance = 2) {
  const at = (y * width + x) * 4;
  const found = [...picture.slice(at, at + 4)];
  if (found.some((value, index) => Math.abs(value - wanted[index]) > tolerance)) {
    console.error(`the pixel at ${x}, ${y} is ${found}, and not ${wanted}`);
    process.exit(1);
  }
}

// A short text for a picture: equal pictures have equal texts.
export function hashOf(bytes) {
  let hash = 2166136261;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

// ---- Instead of a browser, for libraries ----

export const size = 128;

// A canvas whose context always has the same texture, which is of the device that the library configures it with.
export function fakeCanvas() {
  const context = {
    texture: null,
    device: null,
    configure({ device }) { this.device = device; },
    unconfigure() {},
    getCurrentTexture() {
      const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC | GPUTextureUsage.COPY_DST | GPUTextureUsage.TEXTURE_BINDING;
      return (this.texture ??= this.device.createTexture({ size: [size, size], format: "bgra8unorm", usage }));
    },
  };
  const box = { x: 0, y: 0, left: 0, top: 0, right: size, bottom: size, width: size, height: size };
  return {
    width: size, height: size, clientWidth: size, clientHeight: size, style: {}, id: "", tagName: "CANVAS", context,
    addEventListener() {}, removeEventListener() {}, setAttribute() {},
    getContext: (kind) => (kind === "webgpu" ? context : null),
    getBoundingClientRect: () => box,
  };
}

// The global names that libraries expect.
export function pretendBrowser() {
  globalThis.self = globalThis.window = globalThis;
  globalThis.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 16);
  globalThis.cancelAnimationFrame = clearTimeout;
  globalThis.document = {
    createElement: fakeCanvas, addEventListener() {}, removeEventListener() {}, body: { appendChild() {} }, currentScript: null,
  };
  const navigator = { gpu, userAgent: "node", language: "en", getGamepads: () => [] };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
}

// What a program says of its picture; a picture of one colour is an error.
export function tellPicture(name, picture) {
  const colors = new Set();
  for (let at = 0; at < picture.length; at += 4) colors.add(picture.slice(at, at + 4).join());
  if (colors.size < 50) {
    console.error(`the picture has ${colors.size} colours`);
    process.exit(1);
  }
  console.log(`${name}: ${hashOf(picture)}`);
}
