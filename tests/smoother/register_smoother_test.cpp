// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothers that a program adds by name.
#include "smoother_fixture.hpp"

#include "support/error_of.hpp"
#include "support/own_smoother.hpp"

#include "tessera/operator/check_parameters.hpp"

namespace tessera::test::register_smoother_test {

TESSERA_TEST_SUITE(RegisterSmootherTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(RegisterSmootherTest, IsMadeOfWhatTheLevelHas) {
  const auto A = random_spd_matrix<Scalar>(50, 0.1);
  const auto b = random_vector<Scalar>(50, 1);
  const auto guess = random_vector<Scalar>(50, 2);
  Bench<Scalar, Space, Offset> own(A, {.type = own_local()}, 1.5);
  Bench<Scalar, Space, Offset> known(A, {.type = SmootherType::l1_jacobi}, 1.5);
  EXPECT_EQ(own.from_zero(b), known.from_zero(b));
  EXPECT_EQ(own.from(guess, b), known.from(guess, b));
}

TESSERA_TYPED_TEST(RegisterSmootherTest, NeedsItsEntries) {
  const auto A = std::make_shared<StoredCsr<Scalar, Space, Offset>>(
      exec, make_csr<Offset>(exec, random_spd_matrix<Scalar>(20, 0.2)));
  const Array<const Scalar, Space> d(kernels::inverse_diagonal(exec, A->view()));
  const kernels::Csr<Scalar, Space, Offset> none;
  SmootherParameters p{.type = own_local()};
  expect_error(
      error_of([&] { make_smoother<Scalar, Space, Offset>(exec, p, A, none.view(), d, 1); }),
      ErrorKind::precondition, {"smoother own_local reads the matrix's entries", "0 rows of 20"});
}

using OneInputs = SmootherInputs<double, HostSpace, std::int32_t>;
using OneSmoother = std::unique_ptr<Smoother<double, HostSpace>>;

/// For one type of matrix, for which it makes nothing.
SmootherType own_nothing() {
  static const SmootherType type =
      register_smoother("own_nothing", "nothing at all", {.spectral_radius = true},
                        [](const HostSpace&, const OneInputs&) -> OneSmoother { return nullptr; });
  return type;
}

template <class Scalar, class Offset>
std::optional<Error> error_of_making(SmootherType type) {
  return error_of(
      [&] { Bench<Scalar, HostSpace, Offset>(identity<Scalar>(3), {.type = type}, 1); });
}

TEST(RegisterSmoother, IsForTheTypesOfItsFactory) {
  const std::string space = HostSpace::name();
  expect_error((error_of_making<float, std::int64_t>(own_nothing())), ErrorKind::configuration,
               {"smoother own_nothing is not registered for a matrix of float on " + space +
                    " with offsets of 64 bits",
                "it is for double on " + space + " with offsets of 32 bits"});
  expect_error((error_of_making<double, std::int32_t>(own_nothing())), ErrorKind::precondition,
               {"own_nothing", "made none"});
  expect_error((error_of_making<double, std::int32_t>(static_cast<SmootherType>(9999))),
               ErrorKind::configuration, {"9999"});
}

TEST(RegisterSmoother, IsKnownByNameWithItsNeeds) {
  SmootherParameters p{.type = own_local()};
  EXPECT_GE(static_cast<int>(p.type), first_registered);
  EXPECT_EQ(smoother_name(p.type), "own_local");
  EXPECT_EQ(smoother_name(SmootherType::spai0), "spai0");
  EXPECT_TRUE(smoother_needs(p).entries);
  EXPECT_FALSE(smoother_needs(p).spectral_radius);
  EXPECT_TRUE(smoother_needs(p).square_matrix);
  p.type = own_nothing();
  EXPECT_FALSE(smoother_needs(p).entries);
  EXPECT_TRUE(smoother_needs(p).spectral_radius);
  EXPECT_FALSE(smoother_needs(p).square_matrix);
}

TEST(RegisterSmoother, IsAmongWhatParametersMayBe) {
  SmootherParameters p{.type = own_local()};
  EXPECT_NO_THROW(check_parameters(p));
  const auto names = all_smoother_names();
  EXPECT_TRUE(std::ranges::any_of(names, [](const auto& known) {
    return known.name == "own_local" && known.text == "l1-Jacobi of a square matrix";
  }));
  p.type = static_cast<SmootherType>(9999);
  expect_error(error_of([&] { check_parameters(p); }), ErrorKind::configuration,
               {"type = 9999", "jacobi", "own_local"});
}

TEST(RegisterSmoother, RefusesNamesThatAreTaken) {
  own_local();
  for (const char* name : {"jacobi", "auto", "own_local", "not a word"}) {
    expect_error(error_of([&] { register_smoother(name, "", {}, MakeOwnSmoother{}); }),
                 ErrorKind::precondition, {"a smoother cannot be registered", name});
  }
  expect_error(error_of([] { register_smoother("own_number", "", {}, [](int) { return 1; }); }),
               ErrorKind::precondition, {"own_number", "no type of matrix"});
}

}  // namespace tessera::test::register_smoother_test
