// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/detail/one_blas_thread.hpp"

// Which BLAS the process has is known at run time only: distributions switch it under one name.
// Looked up by name, for a weak symbol is bound when the program is linked.
#if __has_include(<dlfcn.h>)
#include <dlfcn.h>
#endif

namespace tessera::amg::detail {
namespace {

/// The function of that name in any library of the process; null where there is none.
template <class Function>
Function* loaded([[maybe_unused]] const char* name) {
#if __has_include(<dlfcn.h>)
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
#else
  return nullptr;
#endif
}

struct OpenBlas {
  int (*parallel)() = loaded<int()>("openblas_get_parallel");
  int (*threads)() = loaded<int()>("openblas_get_num_threads");
  void (*set_threads)(int) = loaded<void(int)>("openblas_set_num_threads");

  /// True where it is there, with threads that are not OpenMP's.
  bool has_threads() const {
    constexpr int threads_of_its_own = 1;
    return parallel != nullptr && threads != nullptr && set_threads != nullptr &&
           parallel() == threads_of_its_own;
  }
};

const OpenBlas& open_blas() {
  static const OpenBlas instance;
  return instance;
}

}  // namespace

OneBlasThread::OneBlasThread() {
  if (!open_blas().has_threads()) return;
  const int threads = open_blas().threads();
  if (threads <= 1) return;
  m_before = threads;
  open_blas().set_threads(1);
}

OneBlasThread::~OneBlasThread() {
  if (m_before > 0) open_blas().set_threads(m_before);
}

}  // namespace tessera::amg::detail
