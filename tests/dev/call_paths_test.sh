#!/bin/bash
# call_paths_test.sh SCRIPT: a page of call paths that holds, and mistakes in it and in the sources.
# shellcheck disable=SC2016 # backticks are Markdown's
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

script=$1
cd "$folder"
mkdir -p docs/guide src

write() {
  cat > docs/guide/call_paths.md << 'END'
# Page
<!-- chain: product -->
| hop | function | file:symbol | decides |
| --- | --- | --- | --- |
| 0 | `apply` | `src/a.hpp:Visit::apply` | when |
| 1 | `residual` | `src/a.hpp:Matrix::residual` | what |
| 2 | `for_groups` (lambda) | `src/a.hpp:for_groups` | groups |
| 3 | `sweep` | `src/a.hpp:sweep` | how |
| 4 | `operator()` | `src/a.hpp:Rows::operator()` | nothing |
| 2 | `norm` | `src/a.hpp:norm` | the other branch |
| 2 | `launch` (of `made`) | `src/a.hpp:launch` | where |
| 3 | `entry` | `src/a.hpp:entry` | nothing |
<!-- chain: setup -->
| 0 | `main` | `src/main.cpp:main` | nothing |
| 1 | `setup` | `src/a.hpp:Solver::setup` | nothing |
END
  cat > src/a.hpp << 'END'
template <class Scalar>
struct Rows {
  void operator()(int row) const { (void)row; }
};
template <class Pass>
void for_groups(int k, const Pass& pass) {
  pass(k);
}
// void norm() { old(); }
double norm() { return 1'000; }
void entry(int) {}
Launch made() { return {&entry<int>}; }
void launch(const Launch& l) { l.run(); }
void sweep(int k) noexcept {
  run("norm() {", Rows<double>{k});
}
template <class Working, class Scalar>
auto Matrix<Working, Scalar>::residual(int k) const -> double {
  for_groups(k, [&](int n) { sweep(n); });
  launch(made());
  return norm();
}
class Visit : public Base<int> {
 public:
  void apply() override { m_A->residual(1); }
};
struct Solver {
  void setup();
};
template <class T>
void detail::Solver<T>::setup() {}
END
  echo 'int main() { return Solver().setup(); }' > src/main.cpp
}

# finds TEXT: the script fails, with a line of the page that says so; with no TEXT it passes
finds() {
  local status=0
  python3 "$script" . > out 2>&1 || status=$?
  if [ $# -eq 0 ]; then
    [ $status -eq 0 ] || wrong "does not pass: $(cat out)"
  elif [ $status -ne 1 ] || ! grep -qE "^docs/guide/call_paths.md:$1\$" out; then
    wrong "status $status and no finding $1: $(cat out)"
  fi
}
page() {
  write
  sed -i "$1" docs/guide/call_paths.md
}
code() {
  write
  sed -i "$1" src/a.hpp
}

write && finds
code 's/void sweep/void sweep_rows/' && finds '8: src/a.hpp does not define sweep'
code 's/sweep(n)/swept(n)/' && finds '8: Matrix::residual does not call sweep'
code 's/Rows<double>/Row<double>/' && finds '9: sweep does not call Rows::operator\(\)'
code 's/return norm/return one/' && finds '10: Matrix::residual does not call norm'
code 's/Visit :/Visits :/' && finds '5: src/a.hpp does not define Visit::apply'
code 's/m_A->residual(1)/m_A->norm(1)/' && finds '6: Visit::apply does not call Matrix::residual'
code 's/::setup() {}/::set_up() {}/' && finds '15: src/a.hpp does not define Solver::setup'
code 's/&entry<int>/\&enter<int>/' && finds '12: made does not call entry'
page 's/(of `made`)/(of `make`)/' && finds '12: src/a.hpp does not define make'
page '/`for_groups`/d' && finds '7: hop 3 follows hop 1'
page 's/ (lambda)//' && finds '8: for_groups does not call sweep'
page 's/`sweep` | `src/`norm` | `src/' && finds '8: the function is norm, the symbol sweep'
page 's/a.hpp:norm/b.hpp:norm/' && finds '10: there is no file src/b.hpp'
page 's/ | the other branch |/ |  |/' && finds '10: expected \| hop \| .*'
page 's/chain: setup/chain: set_up/' && finds '13: a chain of set_up; expected one of: product, setup'
page '/chain: setup/,$d' && finds '12: no chain of kind setup'
page '/^| 2 | `norm`/s/.*/| 5 | `apply` | `src\/a.hpp:Visit::apply` | again |/' &&
  finds '10: apply is in line 5 already'
page '/^| 2 | `norm`/s/.*/| 5 | `a` | `src\/a.hpp:a` | . |\n| 6 | `b` | `src\/a.hpp:b` | . |\n| 7 | `c` | `src\/a.hpp:c` | . |/' &&
  finds '12: hop 7 of at most 6'
exit $failed
