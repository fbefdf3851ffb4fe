import { useState } from "react";
import { EvalRuns } from "./EvalRuns";
import { History } from "./History";
import { Readings } from "./Readings";
import { StartRun } from "./StartRun";

/** For operators: start runs of cases, see the history of scores, and look at each run. */
export function Evaluations() {
  const [opened, open] = useState("");
  return (
    <>
      <StartRun onStarted={open} />
      <History onOpen={open} />
      <Readings />
      <EvalRuns opened={opened} open={open} />
    </>
  );
}
