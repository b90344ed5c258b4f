// M2M, M2L and L2L: one translation applied to as many boxes as a pack has lanes, each lane one box.
//
// The rows of the boxes are transposed into packs, turned about z and y until the shift lies along z, shifted order by
// order, turned back, transposed and added to the target rows (fmm/translation.hpp).
#pragma once

#include "fmm/simd/kernels.hpp"
#include "fmm/simd/pack.hpp"

namespace rankine::fmm::RANKINE_SIMD {

/// out[i] = sum_j matrix[i * row_step + j * column_step] in[j], i < rows, j < columns.
template <class T>
RANKINE_INLINE void multiply(const T* matrix, int row_step, int column_step, int rows, int columns, const Pack<T>* in,
                             Pack<T>* out) {
  using P = Pack<T>;
  int i = 0;
  for (; i + 4 <= rows; i += 4) {
    const T* row = matrix + i * row_step;
    P a{}, b{}, c{}, d{};
    for (int j = 0; j < columns; ++j) {
      const P v = in[j];
      const T* at = row + j * column_step;
      a += v * at[0];
      b += v * at[row_step];
      c += v * at[2 * row_step];
      d += v * at[3 * row_step];
    }
    out[i] = a;
    out[i + 1] = b;
    out[i + 2] = c;
    out[i + 3] = d;
  }
  for (; i < rows; ++i) {
    const T* row = matrix + i * row_step;
    P a{}, b{};
    int j = 0;
    for (; j + 2 <= columns; j += 2) {
      a += in[j] * row[j * column_step];
      b += in[j + 1] * row[(j + 1) * column_step];
    }
    if (j < columns) a += in[j] * row[j * column_step];
    out[i] = a + b;
  }
}

/// The working set of one batch: coefficients by degree (n, m), and by order with n running fastest, cosine and sine parts.
template <class T>
class Translator {
 public:
  using P = Pack<T>;
  static constexpr int width = P::width;

  explicit Translator(const TranslationFactors<T>& factors) : f_(factors), p_(factors.order), size_(p_ * p_) {}

  void batch(const std::int32_t* from, const std::int32_t* to, int count, const T* source, T* target,
             std::int64_t stride) {
    gather(from, count, source, stride);
    to_axis();
    shift();
    from_axis();
    scatter(to, count, target, stride);
  }

 private:
  void gather(const std::int32_t* from, int count, const T* source, std::int64_t stride) {
    const T* row[width];
    for (int lane = 0; lane < width; ++lane) row[lane] = source + from[lane < count ? lane : 0] * stride;
    for (int k = 0; k < size_; k += width) {
      for (int lane = 0; lane < width; ++lane) degree_[k + lane] = P::load(row[lane] + k);
      transpose<T>(degree_ + k);
    }
  }

  void scatter(const std::int32_t* to, int count, T* target, std::int64_t stride) {
    for (int k = size_; k % width != 0; ++k) degree_[k] = P();
    for (int k = 0; k < size_; k += width) {
      transpose<T>(degree_ + k);
      for (int lane = 0; lane < count; ++lane) {
        T* row = target + to[lane] * stride + k;
        (P::load(row) + degree_[k + lane]).store(row);
      }
    }
  }

  /// Where order m begins in cosine_ and sine_, less m, so that (n, m) stands at order_at(m) + n.
  int order_at(int m) const { return m * p_ - m * (m - 1) / 2 - m; }

  void to_axis() {
    const T* block = f_.rotation;
    P in[max_order], out[max_order];
    for (int n = 0; n < p_; ++n) {
      const P* centre = degree_ + n * n + n;
      P sine[max_order];
      in[0] = centre[0];
      for (int m = 1; m <= n; ++m) {
        in[m] = centre[m] * f_.cos_phi[m] + centre[-m] * f_.sin_phi[m];
        sine[m] = centre[-m] * f_.cos_phi[m] - centre[m] * f_.sin_phi[m];
      }
      multiply<T>(block, n + 1, 1, n + 1, n + 1, in, out);
      for (int m = 0; m <= n; ++m) cosine_[order_at(m) + n] = out[m];
      block += (n + 1) * (n + 1);
      multiply<T>(block, n, 1, n, n, sine + 1, out + 1);
      for (int m = 1; m <= n; ++m) sine_[order_at(m) + n] = out[m];
      block += n * n;
    }
  }

  void shift() {
    const T* matrix = f_.coaxial;
    P out[max_order];
    for (int m = 0; m < p_; ++m) {
      const int size = p_ - m;
      P* c = cosine_ + order_at(m) + m;
      multiply<T>(matrix, size, 1, size, size, c, out);
      for (int i = 0; i < size; ++i) c[i] = out[i];
      if (m > 0) {
        P* s = sine_ + order_at(m) + m;
        multiply<T>(matrix, size, 1, size, size, s, out);
        for (int i = 0; i < size; ++i) s[i] = out[i];
      }
      matrix += size * size;
    }
  }

  void from_axis() {
    const T* block = f_.rotation;
    P in[max_order], cosine[max_order], sine[max_order];
    for (int n = 0; n < p_; ++n) {
      for (int m = 0; m <= n; ++m) in[m] = cosine_[order_at(m) + n];
      multiply<T>(block, 1, n + 1, n + 1, n + 1, in, cosine);
      block += (n + 1) * (n + 1);
      for (int m = 1; m <= n; ++m) in[m] = sine_[order_at(m) + n];
      multiply<T>(block, 1, n, n, n, in + 1, sine + 1);
      block += n * n;
      P* centre = degree_ + n * n + n;
      centre[0] = cosine[0];
      for (int m = 1; m <= n; ++m) {
        centre[m] = cosine[m] * f_.cos_phi[m] - sine[m] * f_.sin_phi[m];
        centre[-m] = sine[m] * f_.cos_phi[m] + cosine[m] * f_.sin_phi[m];
      }
    }
  }

  TranslationFactors<T> f_;
  int p_, size_;
  P degree_[max_order * max_order + width];
  P cosine_[max_order * (max_order + 1) / 2], sine_[max_order * (max_order + 1) / 2];
};

template <class T>
void translate(const TranslationFactors<T>& factors, const std::int32_t* from, const std::int32_t* to,
               std::int32_t count, const T* source, T* target, std::int64_t stride) {
  Translator<T> translator(factors);
  for (std::int32_t i = 0; i < count; i += Pack<T>::width) {
    const int lanes = count - i < Pack<T>::width ? count - i : Pack<T>::width;
    translator.batch(from + i, to + i, lanes, source, target, stride);
  }
}

}  // namespace rankine::fmm::RANKINE_SIMD
