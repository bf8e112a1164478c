// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <petsc/private/pcimpl.h>

#include <nlohmann/json.hpp>
#include <string>

#include "petsc/preconditioner.hpp"
#include "petsc/status.hpp"

namespace tessera::petsc {

namespace {

using Json = nlohmann::json;

std::string text(const Json& node, const char* key) {
  return node.contains(key) && node.at(key).is_string() ? node.at(key).get<std::string>() : "";
}
double number(const Json& node, const char* key) {
  return node.contains(key) && node.at(key).is_number() ? node.at(key).get<double>() : 0;
}

PetscErrorCode view_levels(const Json& levels, PetscViewer viewer) {
  PetscFunctionBegin;
  PetscCall(PetscViewerASCIIPrintf(viewer, "%5s %10s %12s %8s  %-9s %-8s %-22s %s\n", "level",
                                   "rows", "entries", "per row", "precision", "format", "smoother",
                                   "next level by"));
  int index = 0;
  for (const Json& level : levels) {
    PetscCall(PetscViewerASCIIPrintf(
        viewer, "%5d %10.0f %12.0f %8.1f  %-9s %-8s %-22s %s\n", index++, number(level, "rows"),
        number(level, "entries"), number(level, "entries_per_row"),
        text(level, "precision").c_str(), text(level, "format").c_str(),
        text(level, "smoother").c_str(), text(level, "coarsening").c_str()));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode view_report(const Json& report, PetscViewer viewer) {
  PetscFunctionBegin;
  PetscCall(PetscViewerASCIIPrintf(
      viewer, "preconditioner %s, precision %s, %.0f near-nullspace vectors\n",
      text(report, "preconditioner").c_str(), text(report, "precision").c_str(),
      number(report.at("problem"), "near_nullspace_vectors")));
  const Json& levels = report.at("levels");
  if (!levels.empty()) {
    PetscCall(view_levels(levels, viewer));
    PetscCall(PetscViewerASCIIPrintf(
        viewer, "operator complexity %.2f, grid complexity %.2f, %.1f MiB\n",
        number(report, "operator_complexity"), number(report, "grid_complexity"),
        number(report, "hierarchy_bytes") / (1024. * 1024.)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace

PetscErrorCode view(PC pc, PetscViewer viewer) {
  const auto& own = *static_cast<const Preconditioner*>(pc->data);
  PetscBool ascii = PETSC_FALSE;
  PetscViewerFormat format = PETSC_VIEWER_DEFAULT;
  PetscFunctionBegin;
  PetscCall(
      PetscObjectTypeCompare(reinterpret_cast<PetscObject>(viewer), PETSCVIEWERASCII, &ascii));
  if (!ascii) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscViewerGetFormat(viewer, &format));
  PetscCall(PetscViewerASCIIPushTab(viewer));
  PetscCall(PetscViewerASCIIPrintf(viewer, "%s\n", tessera_build()));
  const std::string words = own.parameters.words();
  if (!words.empty()) PetscCall(PetscViewerASCIIPrintf(viewer, "parameters: %s\n", words.c_str()));
  if (!own.failure.empty())
    PetscCall(PetscViewerASCIIPrintf(viewer, "failed: %s\n", own.failure.c_str()));
  if (own.is_set_up) {
    const char* json = nullptr;
    TESSERA_CALL(tessera_report(own.solver, &json));
    const Json report = Json::parse(json);
    PetscCall(PetscViewerASCIIPrintf(
        viewer, "setups: %" PetscInt_FMT ", updates: %" PetscInt_FMT ", the last took %.4g ms\n",
        own.setups, own.updates, number(report, "setup_ms")));
    PetscCall(view_report(report, viewer));
    if (format == PETSC_VIEWER_ASCII_INFO_DETAIL)
      for (const Json& note : report.at("notes"))
        PetscCall(PetscViewerASCIIPrintf(
            viewer, "note: %s\n",
            note.is_string() ? note.get<std::string>().c_str() : note.dump().c_str()));
  } else {
    PetscCall(PetscViewerASCIIPrintf(viewer, "not set up\n"));
  }
  PetscCall(PetscViewerASCIIPopTab(viewer));
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace tessera::petsc
