// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A preconditioner whose application is one launch.
#pragma once

#include "tessera/operator/linear_operator.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tessera {

namespace detail {
template <class Scalar, class Space>
class ApplicationGraphs;
}  // namespace detail

/// While one lives, those of its thread apply what is inside kernel by kernel: for work that is
/// about to be recorded as a part of more, and has to have run on the recording's instance as it
/// will be.
class PlainApplications {
 public:
  PlainApplications();
  ~PlainApplications();
  PlainApplications(const PlainApplications&) = delete;
  PlainApplications& operator=(const PlainApplications&) = delete;

  static bool are_asked_for();

 private:
  bool m_outer;
};

/// Applies another preconditioner, and where the device has graphs (CUDA, HIP) records what that
/// queues and replays it by one launch: see kernels/execution/launch_graph.hpp. A multigrid cycle
/// is some 40 kernels, most of which run for less time than their launch takes. On a host this is a
/// call that passes through.
///
/// The first application for a number of right-hand sides is run, so that what is made or looked up
/// once is there; the second to the same two vectors, or a later one, is recorded, and from then on
/// the recording is launched. Recordings are kept for the four pairs of vectors used last: CG
/// applies M to one pair, BiCGSTAB to two or three. Where each application has other vectors, as
/// GMRES has, M is recorded once for two vectors of this class, and the caller's are copied, unless
/// they are so long that the copies would take longer than the launches.
///
/// A recording holds addresses and coefficients. What is recorded must therefore
/// - queue its work on the instance it is given and be done: see
/// kernels/execution/launch_graph.hpp. Where
///   that does not hold it is applied plainly from then on, and `failure()` says why;
/// - touch the same memory at each application, until `prepare` is called with another number of
///   right-hand sides or `forget` is called. So the preconditioner inside belongs to this one: who
///   changes it, or applies it by itself to another number of columns, calls `forget`.
///
/// The inner preconditioner sees an instance of this class's own, and its kernels run in order with
/// what is queued on `exec`; as any preconditioner, this one serves one instance at a time. While a
/// Kokkos tool is loaded, or somebody else records what is queued on `exec`, applications are
/// plain.
template <class Scalar, class Space>
class CapturedPreconditioner : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  /// The recording for two vectors is made when M is applied to them for the time after
  /// `applications_before`, at least 1: it takes as long as the launches of some ten applications.
  explicit CapturedPreconditioner(std::shared_ptr<Preconditioner<Scalar, Space>> inner,
                                  int applications_before = 1);
  ~CapturedPreconditioner() override;

  void prepare(const Space& exec, int k) override;

  /// @throws what the preconditioner inside throws; Error of kind `device` where a launch fails.
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override;

  /// Drops all recordings: the memory or the coefficients of the preconditioner inside have
  /// changed.
  void forget();

  /// The preconditioner inside, prepared with this one, for who records it as a part of more.
  Preconditioner<Scalar, Space>* inner() const { return m_inner.get(); }
  /// Another number, unlike that of any other of these preconditioners, after each event that makes
  /// recordings of `inner()` worthless: `forget`, and another number of right-hand sides.
  std::uint64_t revision() const { return m_revision; }

  /// How often an application was recorded, and a recording launched; 0 on a host.
  std::size_t num_captures() const;
  std::size_t num_launches() const;
  /// Why all further applications are plain; empty where they are not.
  const std::string& failure() const;

 private:
  std::shared_ptr<Preconditioner<Scalar, Space>> m_inner;
  std::unique_ptr<detail::ApplicationGraphs<Scalar, Space>> m_graphs;
  std::uint64_t m_revision;
  int m_columns = -1;  ///< that the preconditioner inside is prepared for, as far as is known
};

}  // namespace tessera
