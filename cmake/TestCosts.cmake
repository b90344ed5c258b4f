# Read by ctest behind the tests of a program. Tests of more than eight seconds start first, so that
# processors end together; ctest knows their times only in a build folder in which they ran before.
foreach(test IN ITEMS AddedMassAtEdges CadFiles Discoid.ShedsAndDiffusesForTwentySteps
    Distributions/OperatorPromise Kinds/EveryOperator Kinds/PlummerOperator Kinds/VortexOperator
    LiftingFlow Operator Processes RelaxedWake RingWing SharedRun.HasTheResultsOfOneProcess
    SlenderWing)
  set_tests_properties(${test} PROPERTIES COST 10)
endforeach()
