; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-read-constants %s | FileCheck %s
; A variable that is filled with constants and read is the constants; one that is written elsewhere stays.
; CHECK-LABEL: define void @read(
; CHECK-NOT: alloca
; CHECK: getelementptr [2 x i32], ptr addrspace(4) @table, i32 0, i32 %n
; CHECK: load i32, ptr addrspace(4)
; CHECK-LABEL: define void @written(
; CHECK: alloca
; CHECK: call void @llvm.memcpy
@table = private unnamed_addr addrspace(4) constant [2 x i32] [i32 3, i32 5], align 8
declare void @llvm.memcpy.p5.p4.i64(ptr addrspace(5), ptr addrspace(4), i64, i1)
define void @read(i32 %n) {
  %list = alloca [2 x i32], align 8, addrspace(5)
  call void @llvm.memcpy.p5.p4.i64(ptr addrspace(5) align 8 %list, ptr addrspace(4) align 8 @table, i64 8, i1 false)
  %p = getelementptr [2 x i32], ptr addrspace(5) %list, i32 0, i32 %n
  %x = load i32, ptr addrspace(5) %p, align 4
  store i32 %x, ptr addrspace(1) null
  ret void
}
define void @written(i32 %n) {
  %list = alloca [2 x i32], align 8, addrspace(5)
  call void @llvm.memcpy.p5.p4.i64(ptr addrspace(5) align 8 %list, ptr addrspace(4) align 8 @table, i64 8, i1 false)
  %p = getelementptr [2 x i32], ptr addrspace(5) %list, i32 0, i32 %n
  store i32 7, ptr addrspace(5) %p, align 4
  %x = load i32, ptr addrspace(5) %list, align 8
  store i32 %x, ptr addrspace(1) null
  ret void
}
