// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/operator/captured_preconditioner.hpp"

#include <atomic>
#include <utility>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/operator/detail/application_graphs.hpp"

namespace tessera {

namespace {

thread_local bool applies_plainly = false;

}  // namespace

PlainApplications::PlainApplications() : m_outer(applies_plainly) { applies_plainly = true; }

PlainApplications::~PlainApplications() { applies_plainly = m_outer; }

bool PlainApplications::are_asked_for() { return applies_plainly; }

namespace detail {

inline std::uint64_t next_revision() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace detail

template <class Scalar, class Space>
CapturedPreconditioner<Scalar, Space>::CapturedPreconditioner(
    std::shared_ptr<Preconditioner<Scalar, Space>> inner, int applications_before)
    : m_inner(std::move(inner)),
      m_graphs(std::make_unique<detail::ApplicationGraphs<Scalar, Space>>(applications_before)),
      m_revision(detail::next_revision()) {}

template <class Scalar, class Space>
CapturedPreconditioner<Scalar, Space>::~CapturedPreconditioner() = default;

template <class Scalar, class Space>
void CapturedPreconditioner<Scalar, Space>::prepare(const Space& exec, int k) {
  if (k != m_columns) forget();
  m_inner->prepare(exec, k);
  m_columns = k;
}

template <class Scalar, class Space>
void CapturedPreconditioner<Scalar, Space>::apply(const Space& exec, const ConstVectors& r,
                                                  const Vectors& z) {
  const int k = static_cast<int>(r.extent(1));
  try {
    if (k != m_columns) prepare(exec, k);
    if (PlainApplications::are_asked_for())
      m_inner->apply(exec, r, z);
    else
      m_graphs->apply(exec, *m_inner, r, z);
  } catch (...) {
    // It may have got no further than half of what it allocates.
    forget();
    throw;
  }
}

template <class Scalar, class Space>
void CapturedPreconditioner<Scalar, Space>::forget() {
  m_graphs->clear();
  m_revision = detail::next_revision();
  m_columns = -1;
}

template <class Scalar, class Space>
std::size_t CapturedPreconditioner<Scalar, Space>::num_captures() const {
  return m_graphs->num_captures();
}

template <class Scalar, class Space>
std::size_t CapturedPreconditioner<Scalar, Space>::num_launches() const {
  return m_graphs->num_launches();
}

template <class Scalar, class Space>
const std::string& CapturedPreconditioner<Scalar, Space>::failure() const {
  return m_graphs->failure();
}

#define TESSERA_INSTANTIATE(Scalar, Space) template class CapturedPreconditioner<Scalar, Space>;
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
