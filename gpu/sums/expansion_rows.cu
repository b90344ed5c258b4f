#include "rankine/gpu/sums/expansion_rows.hpp"

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

/// Value i of the rows of `boxes`.
template <class T>
__device__ T& expansion_at(const ExpansionRows<T>& rows, const std::int32_t* boxes,
                           std::int64_t i) {
  const std::int64_t width = std::int64_t{rows.stride} * rows.columns, within = i % width;
  return rows.data[within / rows.stride * rows.column_stride +
                   std::int64_t{boxes[i / width]} * rows.stride + within % rows.stride];
}

template <class T>
__global__ void gather_kernel(ExpansionRows<T> rows, const std::int32_t* boxes, std::int64_t values,
                              T* to) {
  const std::int64_t i = thread_index();
  if (i < values) to[i] = expansion_at(rows, boxes, i);
}

template <class T>
__global__ void scatter_kernel(ExpansionRows<T> rows, const std::int32_t* boxes,
                               std::int64_t values, const T* from, int parts) {
  const std::int64_t i = thread_index();
  if (i >= values) return;
  T sum = T(0);
  for (int part = 0; part < parts; ++part) sum += from[part * values + i];
  expansion_at(rows, boxes, i) = sum;
}

template <class T>
std::size_t values_of(const ExpansionRows<T>& rows, const DeviceBuffer<std::int32_t>& boxes) {
  return boxes.size() * static_cast<std::size_t>(rows.width());
}

}  // namespace

template <class T>
void gather_rows(const ExpansionRows<T>& rows, const DeviceBuffer<std::int32_t>& boxes, T* to,
                 const Stream& stream) {
  const std::size_t values = values_of(rows, boxes);
  launch("rows of expansions", &gather_kernel<T>, one_thread_each(values), stream, rows,
         boxes.data(), static_cast<std::int64_t>(values), to);
}

template <class T>
void scatter_rows(const ExpansionRows<T>& rows, const DeviceBuffer<std::int32_t>& boxes,
                  const T* from, int parts, const Stream& stream) {
  const std::size_t values = values_of(rows, boxes);
  launch("rows of expansions", &scatter_kernel<T>, one_thread_each(values), stream, rows,
         boxes.data(), static_cast<std::int64_t>(values), from, parts);
}

#define RANKINE_INSTANTIATE(T)                                                                 \
  template void gather_rows<T>(const ExpansionRows<T>&, const DeviceBuffer<std::int32_t>&, T*, \
                               const Stream&);                                                 \
  template void scatter_rows<T>(const ExpansionRows<T>&, const DeviceBuffer<std::int32_t>&,    \
                                const T*, int, const Stream&);
RANKINE_INSTANTIATE(float)
RANKINE_INSTANTIATE(double)
#undef RANKINE_INSTANTIATE

}  // namespace rankine::gpu
