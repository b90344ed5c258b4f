// M2M, M2L and L2L: one translation applied to several boxes at a time, one box per SIMD lane.
//
// The rows of the boxes are transposed into packs, rotated about z and y so that the shift is along
// z, shifted for each m, rotated back, transposed and added to the target rows
// (fmm/translation.hpp).
#pragma once

#include <cstddef>
#include <utility>

#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/fmm/simd/pack.hpp"

namespace rankine::fmm::RANKINE_SIMD {

/// Number of rows summed together: the sums and one input fit into registers.
inline constexpr int rows_at_once = register_bytes == 64 ? 16 : 6;

/// Rows first ... first + count - 1 of out = matrix in, the matrix column-major with `size` rows.
template <int size, int first, int count, class T>
RANKINE_INLINE void multiply_rows(const T* matrix, const Pack<T>* in, std::ptrdiff_t in_step,
                                  Pack<T>* out, std::ptrdiff_t out_step) {
  Pack<T> sum[count] = {};
#pragma GCC unroll 8
  for (int j = 0; j < size; ++j) {
    const Pack<T> v = in[j * in_step];
#pragma GCC unroll 16
    for (int i = 0; i < count; ++i) sum[i] += v * matrix[j * size + first + i];
  }
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i) out[(first + i) * out_step] = sum[i];
}

/// out = matrix in for a square, column-major matrix. `in` and `out` may be the same for up to
/// rows_at_once rows.
template <int size, class T>
RANKINE_INLINE void multiply(const T* matrix, const Pack<T>* in, std::ptrdiff_t in_step,
                             Pack<T>* out, std::ptrdiff_t out_step) {
  constexpr int blocks = (size + rows_at_once - 1) / rows_at_once;
  [&]<std::size_t... b>(std::index_sequence<b...>) {  // blocks of nearly equal size
    (multiply_rows<size, size * b / blocks, size*(b + 1) / blocks - size * b / blocks>(
         matrix, in, in_step, out, out_step),
     ...);
  }
  (std::make_index_sequence<blocks>());
}

/// The same for a size known only at run time; in and out do not overlap.
template <class T>
void multiply_any(const T* matrix, int size, const Pack<T>* in, std::ptrdiff_t in_step,
                  Pack<T>* out, std::ptrdiff_t out_step) {
  constexpr int rows = 8;
  for (int first = 0; first < size; first += rows) {
    const int count = size - first < rows ? size - first : rows;
    Pack<T> sum[rows] = {};
    for (int j = 0; j < size; ++j) {
      const T* column = matrix + j * size + first;
      if (count == rows) {
#pragma GCC unroll 8
        for (int i = 0; i < rows; ++i) sum[i] += in[j * in_step] * column[i];
      } else {
        for (int i = 0; i < count; ++i) sum[i] += in[j * in_step] * column[i];
      }
    }
    for (int i = 0; i < count; ++i) out[(first + i) * out_step] = sum[i];
  }
}

/// Degrees below this have separately compiled code.
#if defined(__AVX2__)
inline constexpr int compiled_degrees = 20;
#else
inline constexpr int compiled_degrees = 2;
#endif

/// The working set of one batch: coefficients by degree, (n, m) at n^2 + n + m; and rotated ones by
/// m, (n, m) at m p + n, with separate cosine and sine parts. The work on one degree, or one m, is
/// compiled for its size and called through a table.
template <class T>
class Translator {
 public:
  using P = Pack<T>;
  static constexpr int width = P::width;

  Translator(const TranslationFactors<T>& factors, T* workspace)
      : f_(factors),
        p_(factors.order),
        size_(coefficient_count(p_)),
        cosine_(reinterpret_cast<P*>(workspace)),
        sine_(cosine_ + size_),
        degree_(sine_ + size_) {}

  void batch(const std::int32_t* from, const std::int32_t* to, int count, const T* source,
             T* target, std::int64_t stride) {
    gather(from, count, source, stride);
    const T* block = f_.to_axis;
    for (int n = 0; n < p_; block += rotation_size(n), ++n) {
      n < compiled_degrees ? call(steps.to_axis[n], block) : to_axis_any(n, block);
    }
    block = f_.coaxial;
    for (int m = 0; m < p_; block += (p_ - m) * (p_ - m), ++m) {
      p_ - m <= compiled_degrees ? call(steps.shift[p_ - m], block) : shift_any(m, block);
    }
    block = f_.from_axis;
    for (int n = 0; n < p_; block += rotation_size(n), ++n) {
      n < compiled_degrees ? call(steps.from_axis[n], block) : from_axis_any(n, block);
    }
    scatter(to, count, target, stride);
  }

 private:
  static int rotation_size(int n) { return (n + 1) * (n + 1) + n * n; }

  void gather(const std::int32_t* from, int count, const T* source, std::int64_t stride) {
    const T* row[width];
    for (int lane = 0; lane < width; ++lane)
      row[lane] = source + from[lane < count ? lane : 0] * stride;
    for (int k = 0; k < size_; k += width) {
      P block[width];
      for (int lane = 0; lane < width; ++lane) block[lane] = P::load(row[lane] + k);
      transpose(block);
      for (int lane = 0; lane < width; ++lane) degree_[k + lane] = block[lane];
    }
  }

  void scatter(const std::int32_t* to, int count, T* target, std::int64_t stride) {
    for (int k = size_; k % width != 0; ++k) degree_[k] = P();
    for (int k = 0; k < size_; k += width) {
      P block[width];
      for (int lane = 0; lane < width; ++lane) block[lane] = degree_[k + lane];
      transpose(block);
      for (int lane = 0; lane < count; ++lane) {
        T* row = target + to[lane] * stride + k;
        (P::load(row) + block[lane]).store(row);
      }
    }
  }

  /// Rotates degree n by -phi about z.
  RANKINE_INLINE void turn(int n, P* cosine, P* sine) const {
    const P* centre = degree_ + n * n + n;
    cosine[0] = centre[0];
#pragma GCC unroll 32
    for (int m = 1; m <= n; ++m) {
      cosine[m] = centre[m] * f_.cos_phi[m] + centre[-m] * f_.sin_phi[m];
      sine[m] = centre[-m] * f_.cos_phi[m] - centre[m] * f_.sin_phi[m];
    }
  }

  /// Rotates degree n back.
  RANKINE_INLINE void turn_back(int n, const P* cosine, const P* sine) {
    P* centre = degree_ + n * n + n;
    centre[0] = cosine[0];
#pragma GCC unroll 32
    for (int m = 1; m <= n; ++m) {
      centre[m] = cosine[m] * f_.cos_phi[m] - sine[m] * f_.sin_phi[m];
      centre[-m] = sine[m] * f_.cos_phi[m] + cosine[m] * f_.sin_phi[m];
    }
  }

  template <int n>
  void to_axis(const T* block) {
    P cosine[n + 1], sine[n + 1];
    turn(n, cosine, sine);
    multiply<n + 1>(block, cosine, 1, cosine_ + n, p_);
    multiply<n>(block + (n + 1) * (n + 1), sine + 1, 1, sine_ + p_ + n, p_);
  }

  /// Shifts m = p - size, both parts.
  template <int size>
  void shift(const T* matrix) {
    const int m = p_ - size;
    for (P* c : {cosine_ + m * p_ + m, sine_ + m * p_ + m}) {
      if constexpr (size <= rows_at_once) {
        multiply<size>(matrix, c, 1, c, 1);
      } else {
        P shifted[size];
        multiply<size>(matrix, c, 1, shifted, 1);
        for (int i = 0; i < size; ++i) c[i] = shifted[i];
      }
      if (m == 0) break;
    }
  }

  template <int n>
  void from_axis(const T* block) {
    P cosine[n + 1], sine[n + 1];
    multiply<n + 1>(block, cosine_ + n, p_, cosine, 1);
    multiply<n>(block + (n + 1) * (n + 1), sine_ + p_ + n, p_, sine + 1, 1);
    turn_back(n, cosine, sine);
  }

  void to_axis_any(int n, const T* block) {
    P cosine[max_order], sine[max_order];
    turn(n, cosine, sine);
    multiply_any(block, n + 1, cosine, 1, cosine_ + n, p_);
    multiply_any(block + (n + 1) * (n + 1), n, sine + 1, 1, sine_ + p_ + n, p_);
  }

  void shift_any(int m, const T* matrix) {
    const int size = p_ - m;
    for (P* c : {cosine_ + m * p_ + m, sine_ + m * p_ + m}) {
      P shifted[max_order];
      multiply_any(matrix, size, c, 1, shifted, 1);
      for (int i = 0; i < size; ++i) c[i] = shifted[i];
      if (m == 0) break;
    }
  }

  void from_axis_any(int n, const T* block) {
    P cosine[max_order], sine[max_order];
    multiply_any(block, n + 1, cosine_ + n, p_, cosine, 1);
    multiply_any(block + (n + 1) * (n + 1), n, sine_ + p_ + n, p_, sine + 1, 1);
    turn_back(n, cosine, sine);
  }

  using Step = void (Translator::*)(const T*);
  struct Steps {
    Step to_axis[compiled_degrees], shift[compiled_degrees + 1], from_axis[compiled_degrees];
  };
  template <std::size_t... n>
  static constexpr Steps make_steps(std::index_sequence<n...>) {
    return {{&Translator::to_axis<n>...},
            {nullptr, &Translator::shift<n + 1>...},
            {&Translator::from_axis<n>...}};
  }
  static constexpr Steps steps = make_steps(std::make_index_sequence<compiled_degrees>());

  /// `step` is passed by value, since GCC's bounds sanitizer misreads the index of a table entry
  /// that is called in place.
  RANKINE_INLINE void call(Step step, const T* block) { (this->*step)(block); }

  TranslationFactors<T> f_;
  int p_, size_;
  P *cosine_, *sine_;  ///< size_
  P* degree_;          ///< size_ + width
};

template <class T>
void translate(const TranslationFactors<T>& factors, const std::int32_t* from,
               const std::int32_t* to, std::int32_t count, const T* source, T* target,
               std::int64_t stride, T* workspace) {
  Translator<T> translator(factors, workspace);
  for (std::int32_t i = 0; i < count; i += Pack<T>::width) {
    const int lanes = count - i < Pack<T>::width ? count - i : Pack<T>::width;
    translator.batch(from + i, to + i, lanes, source, target, stride);
  }
}

}  // namespace rankine::fmm::RANKINE_SIMD
