// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whole solves with several right-hand sides and all levels on tiles, with tensor cores and
/// without, beside solves of each right-hand side alone.
#include "fixture.hpp"

#include "support/error_of.hpp"
#include "support/launches.hpp"

#include "tessera/kernels/spmv/products.hpp"

namespace tessera::test::right_hand_sides_on_tiles_test {

using amg::Products;

/// The scalars of a hierarchy on tiles, and to what part of the largest entry a cycle of it may
/// differ where sums are taken in another order.
struct Variant {
  const char* name;
  Precision precision;
  StorageScalar scalar;
  double rounding;
};
constexpr Variant variants[] = {
    {"double", Precision::same, StorageScalar::same, 1e-11},
    {"float", Precision::single, StorageScalar::same, 1e-4},
    {"half", Precision::single, StorageScalar::half, 1e-4},
    {"float below double", Precision::same, StorageScalar::float32, 1e-9},
    {"half below double", Precision::same, StorageScalar::half, 1e-9}};
/// The first three, whose tensor cores are known.
const std::vector<Variant> plain_variants(variants, variants + 3);

/// All of the kernels for one vector, for up to four, up to eight and up to sixteen, and what is
/// left over beyond each.
constexpr int column_counts[] = {1, 2, 3, 4, 5, 8, 9, 16, 17};
constexpr std::size_t max_columns = 17;

/// Two solves to the tolerance 1e-10 differ by less.
constexpr double solution_error = 1e-6;

constexpr const char* by_tensor_cores = " by tensor cores";

struct Column {
  std::vector<double> x;
  int iterations = 0;
};

template <class Param>
class RightHandSidesOnTiles : public PrecisionTest<Param> {
 public:
  TESSERA_TEST_TYPES(Param);
  using Solves = Solver<double, Space>;

  Problem<double, Space> system = this->problem(ProblemKind::elasticity3d, 7);
  std::size_t rows = system.A.num_rows;

  static SolveParameters on_tiles(const Variant& variant) {
    SolveParameters p = PrecisionTest<Param>::uniform();
    p.precision = variant.precision;
    p.solver.tolerance = 1e-10;
    p.amg.products = Products::mbsr;
    p.amg.storage = {StorageFormat::mbsr, variant.scalar};
    return p;
  }

  Solves set_up(const SolveParameters& parameters) {
    Solves solver(parameters);
    solver.setup(this->exec, system.A, system.near_nullspace, system.block_size);
    const std::vector<LevelInfo>& levels = solver.hierarchy().levels;
    EXPECT_GE(levels.size(), 3U);
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
      for (const StorageInfo& stored : {levels[i].A, levels[i].P, levels[i].R})
        EXPECT_EQ(stored.format.substr(0, 4), "mbsr") << i;
    }
    return solver;
  }

  std::vector<double> column_of(const std::vector<double>& values, std::size_t j) const {
    return {values.begin() + j * rows, values.begin() + (j + 1) * rows};
  }

  /// From the guess `x`, which it replaces.
  SolveResult solve(Solves& solver, const std::vector<double>& b, std::vector<double>& x) {
    const std::size_t k = b.size() / rows;
    const auto solution = to_multivector(this->exec, x, rows, k);
    const auto result = solver.solve(this->exec, to_multivector(this->exec, b, rows, k), solution);
    x = to_host(solution);
    return result;
  }

  /// Each column of `b` alone, from the guess zero.
  std::vector<Column> solve_alone(Solves& solver, const std::vector<double>& b) {
    std::vector<Column> columns(b.size() / rows);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      columns[j].x.assign(rows, 0);
      const auto result = solve(solver, column_of(b, j), columns[j].x);
      EXPECT_TRUE(result.converged()) << j;
      columns[j].iterations = result.iterations;
    }
    return columns;
  }

  static void expect_near(const std::vector<double>& x, const std::vector<double>& expected,
                          double relative) {
    EXPECT_LE(relative_difference(x, expected), relative);
  }

  /// M b.
  std::vector<double> cycle(Solves& solver, const std::vector<double>& b) {
    const std::size_t k = b.size() / rows;
    const auto z = allocate_multivector<double>(this->exec, "tessera::test", rows, k);
    solver.preconditioner()->apply(this->exec, to_multivector(this->exec, b, rows, k), z);
    return to_host(z);
  }

  /// That the levels' kernels are called what `use` makes of them; whether some of them go to
  /// tensor cores from five vectors on.
  static bool expect_names(const HierarchyInfo& info, TensorCoreUse use, const Variant& variant) {
    const bool sums_in_float = variant.precision == Precision::single;
    const bool takes_many = kernels::has_tensor_core_spmv<Space>() && sums_in_float &&
                            std::string_view(Space::name()) == "Cuda";
    bool several = false;
    for (std::size_t i = 0; i + 1 < info.levels.size(); ++i) {
      const LevelInfo& level = info.levels[i];
      for (const std::string& kernel : {level.A.kernel, level.P.kernel, level.R.kernel}) {
        EXPECT_EQ(kernel == "tensor cores", use == TensorCoreUse::on) << kernel;
        several = several || kernel.ends_with("tensor cores from 5 vectors on");
      }
    }
    // The finest level's rows are long: 27 nodes of three unknowns inside.
    EXPECT_EQ(several, use == TensorCoreUse::automatic && takes_many);
    return several;
  }

  /// Column j of a solve is what the solve of it alone has found.
  void expect_as_alone(const SolveResult& result, const std::vector<double>& x, std::size_t j,
                       const Column& alone) {
    SCOPED_TRACE("column " + std::to_string(j));
    ASSERT_LT(j, result.columns.size());
    EXPECT_EQ(result.columns[j].status, SolveStatus::converged);
    EXPECT_LE(std::abs(result.columns[j].iterations - alone.iterations), 1);
    expect_near(column_of(x, j), alone.x, solution_error);
  }
};
TYPED_TEST_SUITE(RightHandSidesOnTiles, Spaces, TypeNames);

TYPED_TEST(RightHandSidesOnTiles, AnyNumberIsSolvedAsEachAlone) {
  const auto values = this->waves(max_columns * this->rows);
  for (const Variant& variant : variants) {
    SCOPED_TRACE(variant.name);
    auto solver = this->set_up(this->on_tiles(variant));
    const auto alone = this->solve_alone(solver, values);
    std::vector<std::vector<double>> cycles;
    for (std::size_t j = 0; j < max_columns; ++j)
      cycles.push_back(this->cycle(solver, this->column_of(values, j)));
    for (const int k : column_counts) {
      SCOPED_TRACE(std::to_string(k) + " right-hand sides");
      const std::vector<double> b(values.begin(), values.begin() + k * this->rows);
      std::vector<double> x(b.size(), 0);
      const auto result = this->solve(solver, b, x);
      ASSERT_EQ(result.columns.size(), static_cast<std::size_t>(k));
      const auto z = this->cycle(solver, b);
      for (int j = 0; j < k; ++j) {
        this->expect_as_alone(result, x, j, alone[j]);
        this->expect_near(this->column_of(z, j), cycles[j], variant.rounding);
      }
    }
  }
}

/// 8, 4 and 1 columns at once, as kernels take them.
TYPED_TEST(RightHandSidesOnTiles, EveryCycleTreatsEachAsAlone) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto& [kind, n] :
       {std::pair(ProblemKind::elasticity3d, 7), std::pair(ProblemKind::convdiff2d, 40)}) {
    this->system = this->problem(kind, n);
    this->rows = this->system.A.num_rows;
    const auto values = this->waves(13 * this->rows);
    for (const auto cycle : {amg::CycleType::v, amg::CycleType::w, amg::CycleType::k}) {
      for (const Variant& variant : variants) {
        if (variant.precision != Precision::same) continue;
        SCOPED_TRACE(variant.name + (" in cycle " + std::to_string(static_cast<int>(cycle))));
        auto parameters = this->on_tiles(variant);
        parameters.amg.cycle = cycle;
        auto solver = this->set_up(parameters);
        const auto z = this->cycle(solver, values);
        for (std::size_t j = 0; j < 13; ++j)
          this->expect_near(this->column_of(z, j), this->cycle(solver, this->column_of(values, j)),
                            1e-9);
      }
    }
  }
}

TYPED_TEST(RightHandSidesOnTiles, OnesThatAreZeroEqualOrSolvedAlready) {
  constexpr std::size_t k = 9, zero = 0, twin = 2, solved = 3;
  const std::size_t rows = this->rows;
  const std::vector<double> known(rows, 1.5);
  const auto product = zeros<double>(this->exec, rows);
  const auto view = this->system.A.view();
  kernels::spmv(this->exec, kernels::analyse_spmv(this->exec, view), 1.0, view,
                to_multivector(this->exec, known, rows, 1), 0.0, product);
  const auto of_known = to_host(product);

  auto b = this->waves(k * rows);
  std::fill_n(b.begin() + zero * rows, rows, 0.0);
  std::copy_n(b.begin() + (twin - 1) * rows, rows, b.begin() + twin * rows);
  std::copy(of_known.begin(), of_known.end(), b.begin() + solved * rows);
  for (const Variant& variant : plain_variants) {
    SCOPED_TRACE(variant.name);
    auto solver = this->set_up(this->on_tiles(variant));
    const auto alone = this->solve_alone(solver, b);
    std::vector<double> x(b.size(), 0);
    std::copy(known.begin(), known.end(), x.begin() + solved * rows);
    const auto result = this->solve(solver, b, x);
    ASSERT_EQ(result.columns.size(), k);
    for (std::size_t j = 0; j < k; ++j) {
      if (j != solved) this->expect_as_alone(result, x, j, alone[j]);
    }
    for (const std::size_t j : {zero, solved}) {
      EXPECT_EQ(result.columns[j].status, SolveStatus::converged) << j;
      EXPECT_EQ(result.columns[j].iterations, 0) << j;
    }
    EXPECT_EQ(this->column_of(x, zero), std::vector<double>(rows, 0));
    EXPECT_EQ(this->column_of(x, solved), known);
    this->expect_near(this->column_of(x, twin), this->column_of(x, twin - 1), solution_error);
  }
}

/// Where a space has none, `on` is an error, and neither a name nor a launch speaks of them.
TYPED_TEST(RightHandSidesOnTiles, TensorCoresAreTakenAsAsked) {
  TESSERA_TEST_TYPES(TypeParam);
  const bool has = kernels::has_tensor_core_spmv<Space>();
  for (const Variant& variant : plain_variants) {
    SCOPED_TRACE(variant.name);
    SolveParameters p = this->on_tiles(variant);
    p.graph = false;  // so that each launch counts
    const auto solver_with = [&](TensorCoreUse use) {
      p.tensor_cores = use;
      return this->set_up(p);
    };
    if (!has) {
      expect_error(error_of([&] { solver_with(TensorCoreUse::on); }), ErrorKind::configuration,
                   {"tensor_cores = on", Space::name()});
    }
    auto off = solver_with(TensorCoreUse::off);
    for (const TensorCoreUse use :
         {TensorCoreUse::off, TensorCoreUse::automatic, TensorCoreUse::on}) {
      if (use == TensorCoreUse::on && !has) continue;
      SCOPED_TRACE(static_cast<int>(use));
      auto solver = solver_with(use);
      const bool several = this->expect_names(solver.hierarchy(), use, variant);
      for (const int k : {1, 4, 5, 9, 17}) {
        SCOPED_TRACE(std::to_string(k) + " right-hand sides");
        const auto b = this->waves(k * this->rows);
        std::vector<double> x(b.size(), 0), expected(b.size(), 0);
        {
          const LaunchesOf launches(by_tensor_cores);
          this->solve(solver, b, x);
          EXPECT_EQ(launches.count() > 0, use == TensorCoreUse::on || (several && k >= 5));
        }
        this->solve(off, b, expected);
        this->expect_near(x, expected, solution_error);
        this->expect_near(this->cycle(solver, b), this->cycle(off, b), variant.rounding);
      }
    }
  }
}

}  // namespace tessera::test::right_hand_sides_on_tiles_test
