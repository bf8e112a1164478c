# What tests, examples and performance programs of several processes run with. Open MPI refuses root, and more
# processes than cores, without these: version 4 reads OMPI's variables, later ones those of PRRTE 3 or 4. Bound to
# cores and polling, processes would wait long for each other on a machine that does something else besides.
set(tessera_mpi_environment
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=true
    PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    PRTE_MCA_mapby=:oversubscribe
    OMPI_MCA_hwloc_base_binding_policy=none
    PRTE_MCA_hwloc_default_binding_policy=none
    PRTE_MCA_bindto=none
    OMPI_MCA_mpi_yield_when_idle=1)
