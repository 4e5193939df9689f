; SPDX-License-Identifier: MIT
; RUN: lgc -passes= %s | FileCheck %s
; An op is known by its mnemonic; what follows is made up from its types.
; CHECK: call <2 x float> @lgc.sqrt.v2f32.v2f32(
; CHECK: call float @lgc.sqrt.f32.f32(float 1.0
; CHECK: call float @lgc.sqrt.f32.f32(float 2.0
define void @main() {
  %a = call <2 x float> @lgc.sqrt.f32.f32(<2 x float> zeroinitializer)
  %b = call float @lgc.sqrt.what.ever(float 1.0)
  %c = call float @lgc.sqrt(float 2.0)
  ret void
}
declare <2 x float> @lgc.sqrt.f32.f32(<2 x float>)
declare float @lgc.sqrt.what.ever(float)
declare float @lgc.sqrt(float)
