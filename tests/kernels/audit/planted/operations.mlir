// complement_interleaved:fault
%2 = "cute.complement"(%0, %1) : (!cute.layout<"(2,6):(3,2)">, !cute.shape<"24">) -> !cute.layout<"(2,0,4):(1,12,6)">
// complement_interleaved:twin
%2 = "cute.complement"(%0, %1) : (!cute.layout<"(2,6):(1,2)">, !cute.shape<"24">) -> !cute.layout<"2:12">
// complement_overlapping:fault
%2 = "cute.complement"(%0, %1) : (!cute.layout<"(6,4):(1,4)">, !cute.shape<"48">) -> !cute.layout<"(0,3):(6,16)">
// complement_overlapping:twin
%2 = "cute.complement"(%0, %1) : (!cute.layout<"(4,6):(1,4)">, !cute.shape<"48">) -> !cute.layout<"2:24">
// composition_across_rows:fault
%2 = "cute.composition"(%0, %1) : (!cute.layout<"(6,2):(1,7)">, !cute.layout<"(3,2):(2,3)">) -> !cute.layout<"(3,2):(2,3)">
// composition_across_rows:twin
%2 = "cute.composition"(%0, %1) : (!cute.layout<"(6,2):(1,7)">, !cute.layout<"(3,2):(2,6)">) -> !cute.layout<"(3,2):(2,7)">
// composition_of_three:fault
%2 = "cute.composition"(%0, %1) : (!cute.layout<"(4,6,8):(2,3,5)">, !cute.layout<"6:3">) -> !cute.layout<"(2,3):(6,3)">
// composition_of_three:twin
%2 = "cute.composition"(%0, %1) : (!cute.layout<"(4,6,8):(2,3,5)">, !cute.layout<"6:4">) -> !cute.layout<"6:3">
// elements_missed:fault
%1 = "cute.make_tiled_copy"(%0) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, layout_copy_tv = <"(128,2):(1,256)">, tiler_mn = <"[16:1;32:1]">>
// elements_missed:twin
%1 = "cute.make_tiled_copy"(%0) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, layout_copy_tv = <"(128,4):(1,128)">, tiler_mn = <"[16:1;32:1]">>
// offset_past_31_bits:fault
%2 = "cute.slice"(%0, %1) : (!cute.memref<f32, gmem, align<16>, "(262144,65536):(65536,1)">, !cute.coord<"(?,_)">) -> !cute.memref<f32, gmem, align<16>, "(65536):(1)">
// offset_past_31_bits:twin
%2 = "cute.slice"(%0, %1) : (!cute.memref<f32, gmem, align<16>, "(262144,65536):(65536,1)">, !cute.coord<"(?{i64},_)">) -> !cute.memref<f32, gmem, align<16>, "(65536):(1)">
// pointer_not_aligned:fault
"cute.copy"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"((8,16),4):((64,1),16)">, tiler_mn = <"[16:1;32:1]">>, !cute.memref<f32, gmem, align<8>, "((4,1),(1,1)):((1,0),(0,0))">, !cute.memref<f32, smem, align<16>, "((4,1),(1,1)):((1,0),(0,0))">) -> ()
// pointer_not_aligned:twin
"cute.copy"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"((8,16),4):((64,1),16)">, tiler_mn = <"[16:1;32:1]">>, !cute.memref<f32, gmem, align<16>, "((4,1),(1,1)):((1,0),(0,0))">, !cute.memref<f32, smem, align<16>, "((4,1),(1,1)):((1,0),(0,0))">) -> ()
// recast_odd_extent:fault
%1 = "cute.recast_layout"(%0) <{new_type_bits = 32 : i32, old_type_bits = 16 : i32}> : (!cute.layout<"(7,4):(1,7)">) -> !cute.layout<"(4,4):(1,4)">
// recast_odd_extent:twin
%1 = "cute.recast_layout"(%0) <{new_type_bits = 32 : i32, old_type_bits = 16 : i32}> : (!cute.layout<"(8,4):(1,8)">) -> !cute.layout<"(4,4):(1,4)">
// recast_odd_rows:fault
%1 = "cute.recast_layout"(%0) <{new_type_bits = 32 : i32, old_type_bits = 16 : i32}> : (!cute.layout<"(8,4):(1,9)">) -> !cute.layout<"(4,4):(1,5)">
// recast_odd_rows:twin
%1 = "cute.recast_layout"(%0) <{new_type_bits = 32 : i32, old_type_bits = 16 : i32}> : (!cute.layout<"(8,4):(1,10)">) -> !cute.layout<"(4,4):(1,5)">
// rows_not_aligned:fault
"cute.copy"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"((8,16),4):((64,1),16)">, tiler_mn = <"[16:1;32:1]">>, !cute.memref<f32, gmem, align<16>, "((4,1),(1,1)):((1,0),(0,0))">, !cute.memref<f32, smem, "((4,1),(1,1)):((1,0),(0,0))">) -> ()
// rows_not_aligned:twin
"cute.copy"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"((8,16),4):((64,1),16)">, tiler_mn = <"[16:1;32:1]">>, !cute.memref<f32, gmem, align<16>, "((4,1),(1,1)):((1,0),(0,0))">, !cute.memref<f32, smem, align<16>, "((4,1),(1,1)):((1,0),(0,0))">) -> ()
// rows_overlap:fault
%3 = "cute.tiled.copy.partition_D"(%0, %1, %2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"((8,16),4):((64,1),16)">, tiler_mn = <"[16:1;32:1]">>, !cute.memref<f32, smem, align<128>, "(16,32):(16,1)">, !cute.coord<"?">) -> !cute.memref<f32, smem, align<16>, "((4,1),1,1):((1,0),0,0)">
// rows_overlap:twin
%3 = "cute.tiled.copy.partition_D"(%0, %1, %2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"((8,16),4):((64,1),16)">, tiler_mn = <"[16:1;32:1]">>, !cute.memref<f32, smem, align<128>, "(16,32):(32,1)">, !cute.coord<"?">) -> !cute.memref<f32, smem, align<16>, "((4,1),1,1):((1,0),0,0)">
// swapped_stride:fault
%1 = "cute.make_tiled_copy"(%0) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, layout_copy_tv = <"(128,4):(4,128)">, tiler_mn = <"[16:1;32:1]">>
// swapped_stride:twin
%1 = "cute.make_tiled_copy"(%0) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, layout_copy_tv = <"(128,4):(4,1)">, tiler_mn = <"[16:1;32:1]">>
// swizzle_in_bytes:fault
%3 = "cute.tiled.copy.partition_D"(%0, %1, %2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<bf16, 128 b>, layout_copy_tv = <"((32,4),8):((1,256),32)">, tiler_mn = <"[32:1;32:1]">>, !cute.memref<bf16, smem, align<128>, "S<3,4,3> o 0 o (32,64):(64,1)">, !cute.coord<"?">) -> !cute.memref<bf16, smem, align<16>, "((8,1),1,2):((1,0),0,?{div=32})">
// swizzle_in_bytes:twin
%3 = "cute.tiled.copy.partition_D"(%0, %1, %2) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<bf16, 128 b>, layout_copy_tv = <"((32,4),8):((1,256),32)">, tiler_mn = <"[32:1;32:1]">>, !cute.memref<bf16, smem, align<128>, "S<3,3,3> o 0 o (32,64):(64,1)">, !cute.coord<"?">) -> !cute.memref<bf16, smem, align<16>, "((8,1),1,2):((1,0),0,?{div=32})">
// swizzle_in_elements:fault
"cute.copy"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<bf16, 128 b>, layout_copy_tv = <"((32,4),8):((1,256),32)">, tiler_mn = <"[32:1;32:1]">>, !cute.memref<bf16, gmem, align<16>, "((8,1),(1,2)):((1,0),(0,32))">, !cute.memref<bf16, smem, align<16>, S<3,3,3>, "((8,1),(1,2)):((1,0),(0,32))">) -> ()
// swizzle_in_elements:twin
"cute.copy"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<bf16, 128 b>, layout_copy_tv = <"((32,4),8):((1,256),32)">, tiler_mn = <"[32:1;32:1]">>, !cute.memref<bf16, gmem, align<16>, "((8,1),(1,2)):((1,0),(0,32))">, !cute.memref<bf16, smem, align<16>, S<3,4,3>, "((8,1),(1,2)):((1,0),(0,32))">) -> ()
// threads_overlap:fault
%1 = "cute.make_tiled_copy"(%0) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, layout_copy_tv = <"(128,4):(1,64)">, tiler_mn = <"[16:1;32:1]">>
// threads_overlap:twin
%1 = "cute.make_tiled_copy"(%0) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, layout_copy_tv = <"(128,4):(1,128)">, tiler_mn = <"[16:1;32:1]">>
// tile_across_rows:fault
%2 = "cute.logical_divide"(%0, %1) : (!cute.layout<"(6,2):(1,7)">, !cute.layout<"4:1">) -> !cute.layout<"(4,(2,2)):(1,(4,7))">
// tile_across_rows:twin
%2 = "cute.logical_divide"(%0, %1) : (!cute.layout<"(6,2):(1,7)">, !cute.layout<"3:1">) -> !cute.layout<"(3,(2,2)):(1,(3,7))">
// tile_of_columns:fault
%2 = "cute.zipped_divide"(%0, %1) : (!cute.layout<"((4,3),8):((3,1),12)">, !cute.tile<"[3:1;4:1]">) -> !cute.layout<"((3,4),((2,3),2)):((3,12),((9,1),48))">
// tile_of_columns:twin
%2 = "cute.zipped_divide"(%0, %1) : (!cute.layout<"((4,3),8):((3,1),12)">, !cute.tile<"[2:1;4:1]">) -> !cute.layout<"((2,4),((2,3),2)):((3,12),((6,1),48))">
// tiler_too_small:fault
%1 = "cute.make_tiled_copy"(%0) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, layout_copy_tv = <"(128,4):(1,128)">, tiler_mn = <"[16:1;16:1]">>
// tiler_too_small:twin
%1 = "cute.make_tiled_copy"(%0) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, layout_copy_tv = <"(128,4):(1,128)">, tiler_mn = <"[16:1;32:1]">>
// warps_on_the_same_tile:fault
%1 = "cute.make_tiled_mma"(%0) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (bf16, bf16, f32) >) -> !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (bf16, bf16, f32) >, atom_layout_MNK = <"(2,2,1):(1,1,0)">, permutation_MNK = <"[_;_;_]">>
// warps_on_the_same_tile:twin
%1 = "cute.make_tiled_mma"(%0) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (bf16, bf16, f32) >) -> !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (bf16, bf16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[_;_;_]">>
