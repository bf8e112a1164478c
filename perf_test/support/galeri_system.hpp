// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Systems of Galeri's on any number of processes.
#pragma once

#include <Galeri_XpetraMaps.hpp>
#include <Galeri_XpetraProblemFactory.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Xpetra_CrsMatrixWrap.hpp>
#include <Xpetra_MapFactory.hpp>
#include <Xpetra_MultiVectorFactory.hpp>
#include <cstdint>
#include <string>

namespace tessera::perf {

/// A problem of Galeri's with a right-hand side.
struct GaleriSystem {
  std::string name;
  Teuchos::RCP<Tpetra::CrsMatrix<double>> A;
  Teuchos::RCP<Tpetra::MultiVector<double>> b;
  Teuchos::RCP<Tpetra::MultiVector<double>>
      vectors;  ///< near-nullspace; null for one unknown per node
  int block_size = 1;
};

/// Galeri's problem on n points or elements per direction, the third stretched; those whose names
/// end in 2D have two.
inline GaleriSystem galeri(const std::string& name, int n, double stretch) {
  using Vectors = Tpetra::MultiVector<double>;
  using GlobalOrdinal = Vectors::global_ordinal_type;
  using Node = Vectors::node_type;
  using List = Teuchos::ParameterList;
  using Teuchos::RCP;
  using Map = Xpetra::Map<int, GlobalOrdinal, Node>;
  using Wrapped = Xpetra::CrsMatrixWrap<double, int, GlobalOrdinal, Node>;
  using Many = Xpetra::MultiVector<double, int, GlobalOrdinal, Node>;
  const auto processes = Tpetra::getDefaultComm();
  List list;
  for (const char* const direction : {"nx", "ny", "nz"})
    list.set<GlobalOrdinal>(direction, n);
  list.set("stretchz", stretch);
  RCP<Map> map = Galeri::Xpetra::CreateMap<int, GlobalOrdinal, Node>(
      Xpetra::UseTpetra, name.ends_with("2D") ? "Cartesian2D" : "Cartesian3D", processes, list);
  GaleriSystem system;
  system.name = name;
  const bool elastic = name == "Elasticity3D";
  if (elastic) {
    system.block_size = 3;
    map = Xpetra::MapFactory<int, GlobalOrdinal, Node>::Build(map, 3);
    if (stretch != 1) system.name += " stretched";
  }
  const auto problem =
      Galeri::Xpetra::BuildProblem<double, int, GlobalOrdinal, Map, Wrapped, Many>(name, map, list);
  const RCP<Xpetra::Matrix<double, int, GlobalOrdinal, Node>> A = problem->BuildMatrix();
  system.A = Xpetra::toTpetra(A);
  if (elastic) system.vectors = Xpetra::toTpetra(problem->BuildNullspace());
  system.b = Teuchos::rcp(new Vectors(system.A->getRangeMap(), 1));
  Vectors x(system.A->getDomainMap(), 1);
  {
    // splitmix64 (Steele, Lea & Flood, 2014) of the row: the same for any number of processes.
    const auto local = x.getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t i = 0; i < local.extent(0); ++i) {
      const GlobalOrdinal row = x.getMap()->getGlobalElement(static_cast<int>(i));
      std::uint64_t z = (static_cast<std::uint64_t>(row) + 1) * 0x9E3779B97F4A7C15ull;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
      z ^= z >> 31;
      local(i, 0) = static_cast<double>(z >> 11) * (2.0 / 9007199254740992.0) - 1.0;
    }
  }
  system.A->apply(x, *system.b);
  return system;
}

}  // namespace tessera::perf
