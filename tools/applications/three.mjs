// SPDX-License-Identifier: MIT
//
// three.js without a window: lights, shadows, a texture, transparency and instances, three frames.
import { fakeCanvas, load, openDevice, pretendBrowser, size, tellPicture } from "./webgpu.mjs";

pretendBrowser();
const THREE = await load("three/webgpu");
const device = await openDevice((adapter) => [...adapter.features]);
const renderer = new THREE.WebGPURenderer({ canvas: fakeCanvas(), device, antialias: false });
await renderer.init();
renderer.shadowMap.enabled = true;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x203040);
scene.add(new THREE.HemisphereLight(0xffffff, 0x404040, 1));
const sun = new THREE.DirectionalLight(0xffffff, 3);
sun.position.set(2, 4, 3);
sun.castShadow = true;
scene.add(sun);
const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 100);
camera.position.set(0, 1.5, 5);
camera.lookAt(0, 0, 0);

const texels = new Uint8Array(8 * 8 * 4).map((_, index) => (index * 37) % 256);
const texture = new THREE.DataTexture(texels, 8, 8);
texture.needsUpdate = true;
const knot = new THREE.Mesh(new THREE.TorusKnotGeometry(0.8, 0.25, 64, 12), new THREE.MeshStandardMaterial({ color: 0xff8040, roughness: 0.4, metalness: 0.3 }));
knot.castShadow = true;
const ground = new THREE.Mesh(new THREE.PlaneGeometry(6, 6), new THREE.MeshPhongMaterial({ map: texture }));
ground.rotation.x = -Math.PI / 2;
ground.position.y = -1;
ground.receiveShadow = true;
const glass = new THREE.Mesh(new THREE.SphereGeometry(0.6, 24, 16), new THREE.MeshPhysicalMaterial({ color: 0x80c0ff, transparent: true, opacity: 0.5, clearcoat: 1 }));
glass.position.set(1.2, 0, 1);
const boxes = new THREE.InstancedMesh(new THREE.BoxGeometry(0.2, 0.2, 0.2), new THREE.MeshNormalMaterial(), 16);
for (let index = 0; index < 16; ++index) boxes.setMatrixAt(index, new THREE.Matrix4().makeTranslation(-2 + index * 0.26, -0.8, 1.5 - (index % 4) * 0.3));
scene.add(knot, ground, glass, boxes);

const target = new THREE.RenderTarget(size, size);
renderer.setRenderTarget(target);
for (let frame = 0; frame < 3; ++frame) {
  knot.rotation.y = frame * 0.4;
  renderer.render(scene, camera);
}
tellPicture("three", await renderer.readRenderTargetPixelsAsync(target, 0, 0, size, size));
process.exit(0);
