// LZ4 for files of VTK, by all threads.
#pragma once

#include <vtkLZ4DataCompressor.h>
#include <vtkObjectFactory.h>

#include <cstddef>
#include <vector>

namespace rankine::meshes {

/// Writes what vtkLZ4DataCompressor does. VTK asks for one block of an array after the other; of an array that it was
/// told of, this one compresses those that follow, too, each by one thread, and keeps them until they are asked for.
class ParallelLz4 : public vtkLZ4DataCompressor {
 public:
  static ParallelLz4* New() { VTK_STANDARD_NEW_BODY(ParallelLz4); }

  /// Blocks of `bytes` bytes from `data` on are asked for next, in their order. They must not change before.
  void expect(const void* data, std::size_t bytes);

 protected:
  std::size_t CompressBuffer(const unsigned char* data, std::size_t size, unsigned char* compressed,
                             std::size_t space) override;

 private:
  struct Block {
    const unsigned char* data;
    std::size_t size;
    std::vector<unsigned char> compressed;
    std::size_t compressed_size;  ///< zero where compressing failed
  };

  void compress_from(const unsigned char* data, std::size_t size);

  const unsigned char *begin_ = nullptr, *end_ = nullptr;
  std::vector<Block> blocks_;
  std::size_t next_ = 0;
};

}  // namespace rankine::meshes
