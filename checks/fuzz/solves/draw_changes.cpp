// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Changes of a system, with its vectors and its next values: any scaling, with signs, zeros and
/// NaNs where nobody expects them.
#include "fuzz/solves/case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::fuzz {

using Matrix = test::HostMatrix<double>;

namespace {

constexpr int few_columns = 4;
constexpr int max_columns = 20;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Entries for which `changes(i, j)`: stored zeros, or not stored any more.
template <class Changes>
void zero(Draw& draw, Matrix& A, const Changes& changes) {
  if (draw.chance(0.5)) {
    test::for_each_entry(A, [&](int i, int j, double& value) {
      if (changes(i, j)) value = 0;
    });
    return;
  }
  A = test::by_rows<double>(A.num_rows, A.num_cols, [&, old = A](Matrix& to, std::int32_t i) {
    for (auto e = old.offsets[i]; e < old.offsets[i + 1]; ++e) {
      if (!changes(i, old.columns[e])) to.push(old.columns[e], old.values[e]);
    }
  });
}

class Changes {
 public:
  Changes(Draw& draw, Case& drawn) : m_draw(draw), m_case(drawn) {}

  void draw_all() {
    Matrix& A = m_case.A;
    if (happens(0.06, "rows that sum to zero")) sum_rows_to_zero();
    if (happens(0.25, "scaled")) {
      const double factor = m_draw.decades(m_case.in_float ? 36 : 300);
      scale([&](int, int) { return factor; });
    }
    if (happens(0.15, "D A D")) scale_by_diagonals(true);
    if (happens(0.07, "D A E")) scale_by_diagonals(false);
    if (happens(0.08, "negated")) scale([](int, int) { return -1; });
    if (happens(0.06, "signs of rows and columns")) {
      const auto sign = signs(A.num_rows);
      scale([&](int i, int j) { return sign[i] * sign[j]; });
    }
    if (happens(0.06, "random signs of entries"))
      scale([&](int, int) { return m_draw.chance(0.1) ? -1 : 1; });
    if (happens(0.05, "shifted diagonal")) {
      const double share = m_draw.uniform(0, 2);
      scale([&](int i, int j) { return i == j ? 1 - share : 1; });
    }
    if (happens(0.06, "rows of zeros")) zero_some(true, false);
    if (happens(0.04, "rows and columns of zeros")) zero_some(true, true);
    if (happens(0.04, "zeros on the diagonal")) {
      const auto is_zero = some_rows();
      zero(m_draw, A, [&](int i, int j) { return i == j && is_zero[i]; });
    }
    if (happens(0.03, "random zeros")) {
      const int modulus = m_draw.between(2, 10);
      zero(m_draw, A, [&](int i, int j) { return (i * 31 + j * 17) % modulus == 1; });
    }
    hold_in_range(A.values);
    if (happens(0.02, "a NaN or an infinity in the matrix")) spoil_one(A.values);
  }

  void draw_vectors() {
    const std::size_t n = m_case.A.num_rows;
    if (m_draw.chance(0.4))
      m_case.num_columns = m_draw.between(1, m_draw.chance(0.1) ? max_columns : few_columns);
    const std::vector<double> of_problem = std::move(m_case.b);
    m_case.b.clear();
    for (int j = 0; j < m_case.num_columns; ++j) {
      const auto b = draw_rhs(of_problem);
      m_case.b.insert(m_case.b.end(), b.begin(), b.end());
    }
    for (int j = 0; j < m_case.num_columns; ++j) {
      std::vector<double> x(n, 0.0);
      if (happens(0.3, "a guess")) x = draw_vector(m_draw.below(4));
      if (happens(0.01, "a NaN or an infinity in the guess")) spoil_one(x);
      m_case.x0.insert(m_case.x0.end(), x.begin(), x.end());
    }
    if (m_case.num_near_nullspace == 0 && n > 0 && happens(0.04, "a random near-nullspace")) {
      m_case.near_nullspace = draw_vector(0);
      m_case.num_near_nullspace = 1;
    }
    if (happens(0.01, "a NaN or an infinity in the near-nullspace"))
      spoil_one(m_case.near_nullspace);
    draw_block_size();
  }

  void draw_update() {
    m_case.has_forecast = m_draw.chance(0.05);
    m_case.is_repeated = m_draw.chance(0.25);
    m_case.is_updated = m_draw.chance(0.3);
    m_case.next_A = m_case.A;
    const double factor = m_draw.chance(0.5) ? 1 : m_draw.decades(m_case.in_float ? 3 : 30);
    const double change = m_draw.chance(0.3) ? 0 : 0.1;
    for (double& value : m_case.next_A.values)
      value *= factor * (1 + change * m_draw.uniform());
    hold_in_range(m_case.next_A.values);
  }

 private:
  bool happens(double share, const char* what) {
    const bool does = m_draw.chance(share);
    if (does) m_case.description += std::string(", ") + what;
    return does;
  }

  template <class Factor>
  void scale(const Factor& factor) {
    test::for_each_entry(m_case.A, [&](int i, int j, double& value) { value *= factor(i, j); });
  }

  std::vector<double> signs(int n) {
    std::vector<double> result(n);
    for (double& sign : result)
      sign = m_draw.chance(0.5) ? -1 : 1;
    return result;
  }

  /// One that divides the rows, one that need not, or a few beside them.
  void draw_block_size() {
    if (!happens(0.06, "a block size")) return;
    const int n = m_case.A.num_rows;
    m_case.block_size = m_draw.between(m_draw.chance(0.1) ? -1 : 1, 12);
    if (m_draw.chance(0.1)) m_case.block_size = n + m_draw.between(-1, 1);
    if (!m_draw.chance(0.8)) return;
    while (m_case.block_size > 0 && n % m_case.block_size != 0)
      --m_case.block_size;
  }

  /// By the diagonal entries, so far as they are stored. A program may say that constants are the
  /// nullspace, or, after a scaling of rows and columns by powers of two, which vector is.
  void sum_rows_to_zero() {
    const std::size_t n = m_case.A.num_rows;
    std::vector<double> sums(n, 0.0), scale_of(n, 1.0);
    test::for_each_entry(m_case.A,
                         [&](int i, int j, double value) { sums[i] += i == j ? 0 : value; });
    if (m_draw.chance(0.5)) {
      for (double& s : scale_of)
        s = std::exp2(m_draw.between(-6, 6));
    }
    test::for_each_entry(m_case.A, [&](int i, int j, double& value) {
      value = (i == j ? -sums[i] : value) * scale_of[i] * scale_of[j];
    });
    if (!m_draw.chance(0.5)) return;
    m_case.description += " with its nullspace";
    for (const double s : scale_of)
      m_case.nullspace.push_back(1 / s);
  }

  std::vector<double> diagonal(double most) {
    std::vector<double> result(m_case.A.num_rows);
    for (double& d : result)
      d = m_draw.decades(most);
    return result;
  }

  void scale_by_diagonals(bool same) {
    const double most = m_draw.size_up_to(m_case.in_float ? 17 : 150);
    const auto left = diagonal(most);
    const auto right = same ? left : diagonal(m_draw.size_up_to(10));
    scale([&](int i, int j) { return left[i] * right[j]; });
  }

  std::vector<char> some_rows() {
    std::vector<char> result(m_case.A.num_rows);
    const double share = m_draw.chance(0.2) ? m_draw.uniform() : 2.0 / (m_case.A.num_rows + 1);
    for (char& is_one : result)
      is_one = static_cast<char>(m_draw.chance(share));
    return result;
  }

  void zero_some(bool rows, bool columns) {
    const auto is_zero = some_rows();
    zero(m_draw, m_case.A,
         [&](int i, int j) { return (rows && is_zero[i]) || (columns && is_zero[j]); });
  }

  std::vector<double> draw_vector(int kind) {
    std::vector<double> v(m_case.A.num_rows);
    for (double& value : v)
      value = kind == 1 ? 1 : m_draw.uniform(-1, 1);
    if (kind == 2) {
      for (double& value : v)
        value *= m_draw.decades(m_case.in_float ? 10 : 20);
    }
    if (m_draw.chance(0.25)) {
      const double factor = m_draw.decades(m_case.in_float ? 36 : 300);
      for (double& value : v)
        value *= factor;
    }
    hold_in_range(v);
    return v;
  }

  std::vector<double> draw_rhs(const std::vector<double>& of_problem) {
    const int kind = m_draw.below(8);
    std::vector<double> b = draw_vector(kind);
    if (kind == 3) b.assign(b.size(), 0.0);
    if (kind == 4 && !of_problem.empty()) b = of_problem;
    if (kind == 5) {
      const std::vector<double> x = b;
      b.assign(b.size(), 0.0);
      test::for_each_entry(m_case.A, [&](int i, int j, double value) { b[i] += value * x[j]; });
    }
    if (kind == 6 && !b.empty()) {
      const int one = m_draw.below(m_case.A.num_rows);
      for (int i = 0; i < m_case.A.num_rows; ++i)
        b[i] = i == one ? b[i] : 0;
    }
    hold_in_range(b);
    if (happens(0.02, "a NaN or an infinity in b")) spoil_one(b);
    return b;
  }

  void spoil_one(std::vector<double>& v) {
    if (v.empty()) return;
    const double spoilt = m_draw.chance(0.5) ? nan : m_draw.chance(0.5) ? infinity : -infinity;
    v[m_draw.below(static_cast<std::int32_t>(v.size()))] = spoilt;
  }

  /// What overflows is large; in float, what is a float.
  void hold_in_range(std::vector<double>& v) const {
    const double most = m_case.in_float ? 0x1p120 : 0x1p1000;
    for (double& value : v) {
      value = std::isnan(value) ? most : std::clamp(value, -most, most);
      if (m_case.in_float) value = static_cast<float>(value);
    }
  }

  Draw& m_draw;
  Case& m_case;
};

}  // namespace

void draw_changes(Draw& draw, Case& drawn) {
  Changes changes(draw, drawn);
  changes.draw_all();
  changes.draw_vectors();
  changes.draw_update();
}

}  // namespace tessera::fuzz
