// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One array that there is no memory for, and what has to come of it.
#pragma once

#include "support/tools_observer.hpp"
#include "tessera/operator/error.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::test {

/// While it lives, Tessera's arrays in the device's memory are counted, and the `number`-th, from 1
/// on, is refused; 0: none is. What Kokkos asks for by itself is not refused.
template <class Space>
class RefusedArray : public ToolsObserver<RefusedArray<Space>> {
 public:
  explicit RefusedArray(long number) : m_number(number) {
    Kokkos::Tools::Experimental::set_allocate_data_callback([](Kokkos::Profiling::SpaceHandle space,
                                                               const char* label, const void* data,
                                                               std::uint64_t bytes) {
      if (space.name == std::string_view(Memory::name()) &&
          std::string_view(label).starts_with("tessera::"))
        RefusedArray::current().take(label, data, bytes);
    });
  }

  long count() const { return m_count; }
  const std::string& label() const { return m_label; }  ///< of what was refused

 private:
  using Memory = Space::memory_space;

  void take(const char* label, const void* data, std::uint64_t bytes) {
    if (++m_count != m_number) return;
    m_label = label;
    // The callback comes once it is there.
    Memory().deallocate(label, const_cast<void*>(data), static_cast<std::size_t>(bytes));
    throw std::bad_alloc();
  }

  long m_number;
  long m_count = 0;
  std::string m_label;
};

/// Of all processes, where one was refused an array.
inline void expect_out_of_memory(const std::optional<Error>& error, const std::string& what) {
  ASSERT_TRUE(error.has_value()) << what;
  EXPECT_EQ(error->kind(), ErrorKind::out_of_memory) << what << ": " << error->what();
}

}  // namespace tessera::test
