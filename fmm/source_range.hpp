// Sources of a box in the frame of another box, and their moments. Lengths are in units of the root
// box edge; points are relative to the centre of their leaf.
#pragma once

#include <cstdint>

#include "rankine/fmm/octree.hpp"

namespace rankine::fmm {

/// Sources [begin, end) in Morton order, at x - shift in the frame of the target box.
template <class T>
struct SourceRange {
  std::int32_t begin, end;
  T shift[3];

  /// True for the sources of the target box itself.
  RANKINE_HD bool self() const { return shift[0] == T(0) && shift[1] == T(0) && shift[2] == T(0); }
};

template <class T>
RANKINE_HD SourceRange<T> source_range(const Box& target, const Box& source) {
  const Vec3d shift = box_shift(target, source);
  return {source.source_begin,
          source.source_end,
          {static_cast<T>(shift.x), static_cast<T>(shift.y), static_cast<T>(shift.z)}};
}

/// scale (mu n + m), the moment of one source: `normal_dipoles` points to mu, `normal()` is n,
/// `dipoles` points to m; null: none.
template <class T, class Normal>
RANKINE_HD inline Vec3<T> source_moment(const double* normal_dipoles, Normal&& normal,
                                        const double* dipoles, T scale) {
  Vec3<T> moment{};
  if (normal_dipoles != nullptr) moment = normal() * static_cast<T>(*normal_dipoles);
  if (dipoles != nullptr) {
    moment += {static_cast<T>(dipoles[0]), static_cast<T>(dipoles[1]), static_cast<T>(dipoles[2])};
  }
  return moment * scale;
}

}  // namespace rankine::fmm
