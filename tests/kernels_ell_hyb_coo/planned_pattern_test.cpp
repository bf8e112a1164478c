// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A plan serves the pattern that it was made for, wherever its arrays lie, and refuses others of
/// as many rows and entries.
#include "formats_fixture.hpp"

#include "support/error_of.hpp"

#include "tessera/kernels/execution/error.hpp"

#include <atomic>
#include <thread>

namespace tessera::test::planned_pattern_test {

/// Rows of very different lengths, and the same rows the other way round: as many rows, entries,
/// tiles, and entries in the rows beyond any length.
HostMatrix<double> uneven_matrix() {
  return random_matrix<double>({.num_rows = 200,
                                .num_cols = 200,
                                .density = 0.03,
                                .empty_row_fraction = 0.2,
                                .dense_row = 8,
                                .seed = 6});
}
HostMatrix<double> upside_down(const HostMatrix<double>& A) {
  return by_rows<double>(A.num_rows, A.num_cols, [&](auto& result, std::int32_t row) {
    const std::int32_t i = A.num_rows - 1 - row;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      result.push(A.columns[e], A.values[e]);
  });
}
/// The same pattern with other values.
HostMatrix<double> with_other_values(HostMatrix<double> A, std::uint64_t seed) {
  A.values = random_vector<double>(A.num_entries(), seed);
  return A;
}

template <class Param>
class PlannedPatterns : public ::testing::Test {
 public:
  using Space = typename Param::Space;
  Space exec;
  HostMatrix<double> host = uneven_matrix();

  MultiVector<double, Space> vectors(int seed) {
    return to_multivector(exec, random_vector<double>(host.num_rows, seed), host.num_rows, 1);
  }

  /// Calls `product` for every product of the plan.
  template <class View, class Plan, class Check>
  void for_each_product(const View& A, const Plan& plan, const Check& check) {
    const auto x = vectors(1);
    const auto b = vectors(2);
    const auto y = vectors(3);
    const auto p = vectors(4);
    const auto d = to_device(exec, random_vector<double>(host.num_rows, 5));
    const auto sums = to_device(exec, std::vector<double>(1));
    check("spmv", [&] { kernels::spmv(exec, plan, 1.0, A, x, 0.0, y); });
    check("residual", [&] { kernels::spmv_residual<double>(exec, plan, A, b, x, y); });
    check("residual_norm",
          [&] { kernels::spmv_residual_norm<double>(exec, plan, A, b, x, y, sums); });
    check("spmv_dot", [&] { kernels::spmv_dot<double>(exec, plan, A, x, y, sums); });
    check("jacobi_sweep", [&] { kernels::jacobi_sweep<double>(exec, plan, A, d, b, x, y); });
    check("chebyshev_step",
          [&] { kernels::chebyshev_step<double>(exec, plan, A, d, 1.0, 0.0, b, x, p, y); });
  }

  /// `plan` takes what `make` makes of the pattern that it was made for, copy after copy, and
  /// refuses what it makes of the other.
  template <class Plan, class Make>
  void expect_to_tell_apart(const std::string& name, const Plan& plan, const Make& make) {
    SCOPED_TRACE(name);
    const auto other = make(upside_down(host));
    for_each_product(other.view(), plan, [](const char* product, const auto& run) {
      SCOPED_TRACE(product);
      expect_error(error_of(run), ErrorKind::precondition, {"plan was made for another pattern"});
    });
    for (int copy = 0; copy < 20; ++copy) {
      const auto changed = with_other_values(host, 20 + copy);
      const auto A = make(changed);
      const auto x = vectors(1);
      const auto y = vectors(2);
      ASSERT_NO_THROW(kernels::spmv(exec, plan, 1.0, A.view(), x, 0.0, y));
      const RowSums<double, double> expected(changed, to_host(x), 1);
      EXPECT_TRUE(is_within(to_host(y), [&](std::size_t i) { return expected.update(i, 1); }));
      for_each_product(A.view(), plan, [](const char* product, const auto& run) {
        EXPECT_NO_THROW(run()) << product;
      });
    }
  }
};
TYPED_TEST_SUITE(PlannedPatterns, Spaces, TypeNames);

TYPED_TEST(PlannedPatterns, Csr) {
  using Space = typename TypeParam::Space;
  using kernels::CsrSpmvAlgorithm;
  const auto make = [&](const HostMatrix<double>& A) { return make_csr(this->exec, A); };
  const auto A = make(this->host);
  this->expect_to_tell_apart("chosen", kernels::analyse_spmv(this->exec, A.view()), make);
  std::vector<CsrSpmvAlgorithm> all{CsrSpmvAlgorithm::classical, CsrSpmvAlgorithm::load_balanced,
                                    CsrSpmvAlgorithm::column_patterns};
  if (kernels::has_staged_csr_spmv<Space>()) all.push_back(CsrSpmvAlgorithm::staged);
  for (const auto algorithm : all) {
    this->expect_to_tell_apart("algorithm " + std::to_string(static_cast<int>(algorithm)),
                               kernels::analyse_spmv(this->exec, A.view(), algorithm), make);
  }
  const auto wide = [&](const HostMatrix<double>& B) {
    return make_csr<std::int64_t>(this->exec, B);
  };
  this->expect_to_tell_apart("of longer offsets", kernels::analyse_spmv(this->exec, A.view()),
                             wide);
}

/// Rows as long, and one column of the last row another one.
TYPED_TEST(PlannedPatterns, ColumnsCountWherePlansHoldThem) {
  using kernels::CsrSpmvAlgorithm;
  const auto& exec = this->exec;
  for (const std::int32_t num_cols : {200, 231}) {
    const auto host = by_rows<double>(200, num_cols, [&](auto& host, std::int32_t i) {
      for (const std::int32_t step : {0, 1, 3})
        host.push((i + step) % num_cols, 1.0 + step);
    });
    HostMatrix<double> other = host;
    ++other.columns.back();
    const auto A = make_csr(exec, host);
    const auto B = make_csr(exec, other);
    const auto x = to_multivector(exec, random_vector<double>(num_cols, 1), num_cols);
    const auto y = to_multivector(exec, random_vector<double>(200, 2), 200);
    const auto plan = kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::column_patterns);
    ASSERT_TRUE(plan.patterns.found);
    EXPECT_NO_THROW(kernels::spmv(exec, plan, 1.0, make_csr(exec, host).view(), x, 0.0, y));
    EXPECT_THROW(kernels::spmv(exec, plan, 1.0, B.view(), x, 0.0, y), Error);
    // The same offsets beside other columns.
    auto mixed = A;
    mixed.columns = B.columns;
    EXPECT_THROW(kernels::spmv(exec, plan, 1.0, mixed.view(), x, 0.0, y), Error);
    EXPECT_NO_THROW(
        kernels::spmv(exec, kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::classical), 1.0,
                      mixed.view(), x, 0.0, y));
  }
}

TYPED_TEST(PlannedPatterns, CooAndHyb) {
  using kernels::HybStrategy;
  const auto coo = [&](const HostMatrix<double>& A) {
    return kernels::csr_to_coo<double>(this->exec, make_csr(this->exec, A).view());
  };
  const auto kept_coo = coo(this->host);
  this->expect_to_tell_apart("COO", kernels::analyse_spmv(this->exec, kept_coo.view()), coo);
  for (const int width : {0, 3}) {
    const auto hyb = [&](const HostMatrix<double>& A) {
      return kernels::csr_to_hyb<double>(this->exec, make_csr(this->exec, A).view(),
                                         HybStrategy::fixed(width));
    };
    const auto kept = hyb(this->host);
    this->expect_to_tell_apart("HYB", kernels::analyse_spmv(this->exec, kept.view()), hyb);
  }
}

TYPED_TEST(PlannedPatterns, Mbsr) {
  using Space = typename TypeParam::Space;
  using kernels::MbsrSpmvKernel;
  std::vector<MbsrSpmvKernel> all{MbsrSpmvKernel::tile_row, MbsrSpmvKernel::load_balanced};
  if (kernels::has_staged_spmv<Space>()) all.push_back(MbsrSpmvKernel::staged);
  for (const auto layout : tile_layouts) {
    const auto make = [&](const HostMatrix<double>& A) {
      return make_mbsr<double>(this->exec, A, layout);
    };
    const auto A = make(this->host);
    for (const auto kernel : all) {
      this->expect_to_tell_apart("kernel " + std::to_string(static_cast<int>(kernel)),
                                 kernels::analyse_spmv(this->exec, A.view(), kernel), make);
    }
  }
}

/// As many tiles in each tile row, and other maps.
TYPED_TEST(PlannedPatterns, MapsOfTilesCount) {
  const auto& exec = this->exec;
  const auto one = make_mbsr<double>(
      exec, from_rows<double>(8, {{{0, 1}, {1, 1}}, {}, {}, {}, {{0, 1}}, {}, {}, {}}),
      kernels::TileLayout::packed);
  const auto two = make_mbsr<double>(
      exec, from_rows<double>(8, {{{0, 1}}, {}, {}, {}, {{0, 1}, {1, 1}}, {}, {}, {}}),
      kernels::TileLayout::packed);
  const auto plan = kernels::analyse_spmv(exec, one.view());
  const auto x = to_multivector(exec, std::vector<double>(8, 1), 8);
  const auto y = to_multivector(exec, std::vector<double>(8, 1), 8);
  EXPECT_NO_THROW(kernels::spmv(exec, plan, 1.0, one.view(), x, 0.0, y));
  EXPECT_THROW(kernels::spmv(exec, plan, 1.0, two.view(), x, 0.0, y), Error);
}

TEST(PlannedPattern, IsAskedByManyThreadsAtOnce) {
  const std::vector<int> arrays(100);
  const auto place = [&](int i) { return kernels::PatternPlace{&arrays[i], nullptr, 7, 9}; };
  const kernels::PlannedPattern pattern(place(0), 42);
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 1000; ++i) {
        const bool same = i % 3 != t % 3;
        try {
          pattern.require_same(place(same ? i % 50 : 50 + i % 50), [&] { return same ? 42 : 43; });
        } catch (const Error&) {
          ++refused;
        }
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(refused, 334 + 333 + 333 + 334);
}

TEST(PlannedPattern, KnowsTheArraysThatWereAnalysed) {
  const int array = 0;
  const kernels::PatternPlace place{&array, nullptr, 7, 9};
  const kernels::PlannedPattern pattern(place, 42);
  int taken = 0;
  const auto fingerprint = [&] {
    ++taken;
    return 42;
  };
  pattern.require_same(place, fingerprint);
  EXPECT_EQ(taken, 0);
  const int copy = 0;
  for (int i = 0; i < 3; ++i)
    pattern.require_same({&copy, nullptr, 7, 9}, fingerprint);
  EXPECT_EQ(taken, 1) << "once for arrays at another place";
  EXPECT_THROW(pattern.require_same({&copy, nullptr, 7, 10}, fingerprint), Error);
  EXPECT_EQ(taken, 1) << "not of a matrix of another size";
  EXPECT_NO_THROW(kernels::PlannedPattern().require_same(place, fingerprint));
}

}  // namespace tessera::test::planned_pattern_test
