// The arguments of rankine/fmm.h as fmm/ takes them. All throw InputError for what cannot be meant.
#pragma once

#include <rankine/fmm.h>

#include <cstddef>

#include "rankine/fmm/operator.hpp"

namespace rankine::c {

/// Throws InputError where a pointer that `what` names is NULL.
void require(const void* pointer, const char* what);

MemorySpace memory_space(int memory);

/// Of options NULL: the defaults. Members that a smaller, older struct lacks have theirs.
rankine_fmm_options complete(const rankine_fmm_options* options);

/// Bytes of the first version of a struct, the least that a caller was compiled with.
inline constexpr std::size_t first_options = 72, first_info = 112;

/// Throws InputError unless a struct of `size` bytes, as its caller was compiled with, is one that this
/// library knows: the whole of it, or an older and smaller one of at least `least` bytes.
void check_size(const char* what, std::size_t size, std::size_t least, std::size_t known);

enum class Place { automatic, cpu, cuda };
Place place(const rankine_fmm_options& options);

fmm::Options options(const rankine_fmm_options& given);

/// Spans over the caller's arrays.
fmm::Points points(const rankine_fmm_points& given);
fmm::Strengths strengths(const rankine_fmm_strengths& given, int rhs,
                         const fmm::OperatorInfo& info);
fmm::Results results(const rankine_fmm_results& given, int rhs, const fmm::OperatorInfo& info);

}  // namespace rankine::c
