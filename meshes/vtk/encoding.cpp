#include "rankine/meshes/vtk/encoding.hpp"

#include <vtkLZ4DataCompressor.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::meshes {

class ParallelLz4::Compressor : public vtkLZ4DataCompressor {
 public:
  static Compressor* New() { VTK_STANDARD_NEW_BODY(Compressor); }

  void expect(const void* data, std::size_t bytes);

 protected:
  std::size_t CompressBuffer(const unsigned char* data, std::size_t size, unsigned char* compressed,
                             std::size_t space) override;

 private:
  struct Block {
    const unsigned char* data;
    std::size_t size;
    std::vector<unsigned char> compressed;
    std::size_t compressed_size;  ///< zero if compression failed
  };

  void compress_from(const unsigned char* data, std::size_t size);

  const unsigned char *begin_ = nullptr, *end_ = nullptr;
  std::vector<Block> blocks_;
  std::size_t next_ = 0;
};

struct ParallelLz4::Owner {
  vtkNew<Compressor> compressor;
};

ParallelLz4::ParallelLz4() : owner_(std::make_unique<Owner>()) {}

ParallelLz4::~ParallelLz4() = default;

vtkDataCompressor* ParallelLz4::compressor() const { return owner_->compressor; }

void ParallelLz4::expect(const void* data, std::size_t bytes) {
  owner_->compressor->expect(data, bytes);
}

void ParallelLz4::Compressor::expect(const void* data, std::size_t bytes) {
  begin_ = static_cast<const unsigned char*>(data);
  end_ = begin_ + bytes;
  blocks_.clear();
  next_ = 0;
}

std::size_t ParallelLz4::Compressor::CompressBuffer(const unsigned char* data, std::size_t size,
                                                    unsigned char* compressed, std::size_t space) {
  const bool kept =
      next_ < blocks_.size() && blocks_[next_].data == data && blocks_[next_].size == size;
  if (!kept) compress_from(data, size);
  const Block& block = blocks_[next_++];
  if (block.compressed_size > space) return 0;
  std::memcpy(compressed, block.compressed.data(), block.compressed_size);
  return block.compressed_size;
}

/// Compresses the requested block and those after it in the array.
void ParallelLz4::Compressor::compress_from(const unsigned char* data, std::size_t size) {
  constexpr std::size_t most_blocks = 256;
  const std::less_equal<const unsigned char*> up_to;  // a total order even for unrelated addresses
  const bool expected = size > 0 && up_to(begin_, data) && up_to(data + size, end_);
  const std::size_t left = expected ? static_cast<std::size_t>(end_ - data) : size;
  blocks_.resize(expected ? std::min(most_blocks, (left + size - 1) / size) : 1);
  next_ = 0;
  parallel_chunks(blocks_.size(), 1, [&](std::size_t k) {
    Block& block = blocks_[k];
    block.data = data + k * size;
    block.size = std::min(size, left - k * size);
    block.compressed.resize(GetMaximumCompressionSpace(block.size));
    block.compressed_size = vtkLZ4DataCompressor::CompressBuffer(
        block.data, block.size, block.compressed.data(), block.compressed.size());
  });
}

namespace {

/// Three bytes as four characters.
std::array<char, 4> encoded(const unsigned char* bytes) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned word = static_cast<unsigned>(bytes[0]) << 16 |
                        static_cast<unsigned>(bytes[1]) << 8 | static_cast<unsigned>(bytes[2]);
  return {digits[word >> 18], digits[word >> 12 & 63], digits[word >> 6 & 63], digits[word & 63]};
}

}  // namespace

void Base64Encoder::write(const void* data, std::size_t length) {
  const auto* from = static_cast<const unsigned char*>(data);
  while (length > 0) {
    const std::size_t some = std::min(length, buffer_size - bytes_.size());
    bytes_.insert(bytes_.end(), from, from + some);
    from += some;
    length -= some;
    if (bytes_.size() == buffer_size) flush();
  }
}

void Base64Encoder::finish() {
  const std::size_t padding = (3 - bytes_.size() % 3) % 3;
  bytes_.insert(bytes_.end(), padding, 0);
  encode();
  std::fill(text_.end() - static_cast<std::ptrdiff_t>(padding), text_.end(), '=');
  put();
}

void Base64Encoder::flush() {
  encode();
  put();
}

void Base64Encoder::encode() {
  text_.resize(bytes_.size() / 3 * 4);
  parallel_for(bytes_.size() / 3, [&](std::size_t i) {
    const std::array<char, 4> characters = encoded(bytes_.data() + 3 * i);
    std::memcpy(text_.data() + 4 * i, characters.data(), 4);
  });
}

void Base64Encoder::put() {
  stream_->write(text_.data(), static_cast<std::streamsize>(text_.size()));
  bytes_.clear();
}

}  // namespace rankine::meshes
