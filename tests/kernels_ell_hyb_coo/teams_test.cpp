// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The team kernels of COO and ELL in every space: a device runs them with its own team sizes, a
/// host, which has row loops instead, with teams of one thread.
#include "formats_fixture.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/spmv/coo/analyse_impl.hpp"
#include "tessera/kernels/spmv/detail/coo_sweep.hpp"
#include "tessera/kernels/spmv/detail/ell_sweep.hpp"
#include "tessera/kernels/spmv/detail/epilogues.hpp"

namespace tessera::test::teams_test {

#define TESSERA_TEST_TEAMS(Space) \
  Mixed<double, double, Space>, Mixed<double, float, Space>, Mixed<Half, float, Space>
using TeamTypes = TESSERA_TEST_SPACES(TESSERA_TEST_TEAMS);
#undef TESSERA_TEST_TEAMS
TESSERA_TEST_SUITE(FormatTeams, TeamTypes, StoredNames);

/// y = 2 A x - y / 2.
template <class Param>
auto epilogue_of(const MultiVector<typename Param::Working, typename Param::Space>& y) {
  using Working = typename Param::Working;
  return kernels::detail::ScaleAdd<Working>{Working(2), Working(-0.5),
                                            kernels::detail::Columns<Working>(y)};
}

template <class Param>
void expect_product(const FormatCase<Param>& t,
                    const MultiVector<typename Param::Working, typename Param::Space>& y,
                    const char* name) {
  EXPECT_TRUE(is_within(to_host(y), t.spmv_bound(2, -0.5))) << name;
}

TESSERA_STORED_TEST(FormatTeams, CooWithSharesOfEverySize) {
  constexpr bool on_host = kernels::is_host_space<Space>;
  for (const std::size_t share : {1, 8, 9, 10, 100, 1152}) {
    for (const auto& matrix : share_of(format_matrices())) {
      const FormatCase<TypeParam> t(matrix, 3);
      const auto A = kernels::csr_to_coo<Storage>(t.exec, t.A.view());
      auto plan = kernels::detail::divide_entries(t.exec, t.host.num_rows, A.num_entries(), share);
      plan.empty_rows = kernels::analyse_spmv(t.exec, A.view()).empty_rows;
      const auto y = t.rows_by_k(t.y_host);
      const auto epilogue = epilogue_of<TypeParam>(y);
      const auto sweep = kernels::detail::coo_sweep<Storage, Working, Space>(plan, A.view(), t.x, 0,
                                                                             3, epilogue, 1.0);
      if (plan.teams > 0) {
        kernels::detail::sweep_shares(t.exec, "tessera::test", sweep, std::true_type(),
                                      on_host ? 1 : kernels::detail::coo_team_threads,
                                      on_host ? 1 : 32);
      }
      // The rest of the sweep, without entries: the empty rows.
      plan.teams = 0;
      kernels::detail::sweep<Storage, Working, Space>(t.exec, "tessera::test", plan, A.view(), t.x,
                                                      epilogue);
      expect_product(t, y, "COO by teams");
    }
  }
}

TESSERA_STORED_TEST(FormatTeams, CooByThreadsWithSharesOfEverySize) {
  for (const std::size_t share : {1, 2, 9, 100}) {
    for (const auto& matrix : share_of(format_matrices())) {
      const FormatCase<TypeParam> t(matrix, 2);
      const auto A = kernels::csr_to_coo<Storage>(t.exec, t.A.view());
      auto plan = kernels::detail::divide_entries(t.exec, t.host.num_rows, A.num_entries(), share);
      plan.empty_rows = kernels::analyse_spmv(t.exec, A.view()).empty_rows;
      const auto y = t.rows_by_k(t.y_host);
      kernels::detail::sweep<Storage, Working, Space>(t.exec, "tessera::test", plan, A.view(), t.x,
                                                      epilogue_of<TypeParam>(y));
      expect_product(t, y, "COO");
    }
  }
}

TESSERA_STORED_TEST(FormatTeams, EllWithSlotsDividedAmongThreads) {
  for (const int threads_per_row : {1, 2, 4, 16}) {
    for (const auto& matrix : share_of(format_matrices())) {
      if (!fits_ell(matrix) || matrix.num_rows == 0) continue;
      const FormatCase<TypeParam> t(matrix, 3);
      const auto A = kernels::csr_to_ell<Storage>(t.exec, t.A.view());
      const auto y = t.rows_by_k(t.y_host);
      kernels::detail::sweep_ell_by_teams<Storage, Working, Space>(
          t.exec, "tessera::test", A.view(), t.x, 0, 3, kernels::detail::NothingBeside{},
          epilogue_of<TypeParam>(y), threads_per_row,
          kernels::is_host_space<Space> ? 1 : threads_per_row);
      expect_product(t, y, "ELL by teams");
    }
  }
}

/// The thread-a-row kernel of a device, which a host does not use.
TESSERA_STORED_TEST(FormatTeams, EllOneThreadARow) {
  using kernels::detail::NothingBeside;
  for (const auto& matrix : share_of(format_matrices())) {
    if (!fits_ell(matrix) || matrix.num_rows == 0) continue;
    const FormatCase<TypeParam> t(matrix, 4);
    const auto A = kernels::csr_to_ell<Storage>(t.exec, t.A.view());
    const auto y = t.rows_by_k(t.y_host);
    const auto epilogue = epilogue_of<TypeParam>(y);
    const kernels::detail::EllSlots<Storage, Working> slots(
        A.view(), ConstMultiVectorView<Working, Space>(t.x), 0);
    Kokkos::parallel_for("tessera::test", Kokkos::RangePolicy<Space>(t.exec, 0, t.host.num_rows),
                         kernels::detail::ThreadPerEllRow<Storage, Working, 4, NothingBeside,
                                                          std::decay_t<decltype(epilogue)>>{
                             slots, NothingBeside{}, epilogue, 0});
    expect_product(t, y, "ELL by rows");
  }
}

}  // namespace tessera::test::teams_test
