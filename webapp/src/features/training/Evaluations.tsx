import { useState } from "react";
import { EvalRuns } from "./EvalRuns";
import { History } from "./History";
import { Readings } from "./Readings";
import { StartRun } from "./StartRun";

/** For operators: have cases tried, see how they went over time, and look at each run. */
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
