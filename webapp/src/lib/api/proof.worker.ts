import { solve, type Proof } from "./proof";

self.addEventListener("message", ({ data }: MessageEvent<Proof>) => {
  self.postMessage(solve(data));
});
