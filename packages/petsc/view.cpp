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

PetscErrorCode report_alone(tessera_solver* solver, Report& report) {
  const char* text_of_it = nullptr;
  PetscFunctionBegin;
  TESSERA_CALL(tessera_report(solver, &text_of_it));
  const Json json = Json::parse(text_of_it);
  report.preconditioner = text(json, "preconditioner");
  report.precision = text(json, "precision");
  report.near_nullspace_vectors =
      static_cast<int>(number(json.at("problem"), "near_nullspace_vectors"));
  report.setup_ms = number(json, "setup_ms");
  for (const Json& level : json.at("levels"))
    report.levels.push_back({number(level, "rows"), number(level, "entries"),
                             number(level, "entries_per_row"), text(level, "precision"),
                             text(level, "format"), text(level, "smoother"),
                             text(level, "coarsening")});
  report.operator_complexity = number(json, "operator_complexity");
  report.grid_complexity = number(json, "grid_complexity");
  report.bytes = number(json, "hierarchy_bytes");
  for (const Json& note : json.at("notes"))
    report.notes.push_back(note.is_string() ? note.get<std::string>() : note.dump());
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode view_levels(const std::vector<LevelReport>& levels, PetscViewer viewer) {
  PetscFunctionBegin;
  PetscCall(PetscViewerASCIIPrintf(viewer, "%5s %10s %12s %8s  %-9s %-8s %-22s %s\n", "level",
                                   "rows", "entries", "per row", "precision", "format", "smoother",
                                   "next level by"));
  int index = 0;
  for (const LevelReport& level : levels) {
    PetscCall(PetscViewerASCIIPrintf(viewer, "%5d %10.0f %12.0f %8.1f  %-9s %-8s %-22s %s\n",
                                     index++, level.rows, level.entries, level.entries_per_row,
                                     level.precision.c_str(), level.format.c_str(),
                                     level.smoother.c_str(), level.coarsening.c_str()));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode view_report(const Report& report, bool on_several, PetscViewer viewer) {
  PetscFunctionBegin;
  PetscCall(PetscViewerASCIIPrintf(
      viewer, "preconditioner %s, precision %s, %d near-nullspace vectors\n",
      report.preconditioner.c_str(), report.precision.c_str(), report.near_nullspace_vectors));
  if (!report.levels.empty()) {
    PetscCall(view_levels(report.levels, viewer));
    PetscCall(PetscViewerASCIIPrintf(
        viewer, "operator complexity %.2f, grid complexity %.2f, %.1f MiB%s\n",
        report.operator_complexity, report.grid_complexity, report.bytes / (1024. * 1024.),
        on_several ? " on the first process" : ""));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace

PetscErrorCode view(PC pc, PetscViewer viewer) {
  const Preconditioner& own = of(pc);
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
    Report report;
    if (own.processes != nullptr)
      report = own.processes->report();
    else
      PetscCall(report_alone(own.solver, report));
    PetscCall(PetscViewerASCIIPrintf(
        viewer, "setups: %" PetscInt_FMT ", updates: %" PetscInt_FMT ", the last took %.4g ms\n",
        own.setups, own.updates, report.setup_ms));
    PetscCall(view_report(report, own.processes != nullptr, viewer));
    if (format == PETSC_VIEWER_ASCII_INFO_DETAIL)
      for (const std::string& note : report.notes)
        PetscCall(PetscViewerASCIIPrintf(viewer, "note: %s\n", note.c_str()));
  } else {
    PetscCall(PetscViewerASCIIPrintf(viewer, "not set up\n"));
  }
  PetscCall(PetscViewerASCIIPopTab(viewer));
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace tessera::petsc
