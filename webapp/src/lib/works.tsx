import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { meOptions } from "@/lib/api";
import { may } from "./may";
import { firmHere } from "./place";

/** Reports whether the person may work on papers here, or only read them. */
export function useWorks(firm = firmHere): boolean {
  const { data } = useQuery({ ...meOptions(), enabled: firm !== null });
  return may(data, "work", firm);
}

/** Content only for those who may work on papers. */
export const Works = ({ children }: { children: ReactNode }) => (useWorks() ? children : null);

/** Fields and buttons that everybody sees, but only those who may work on papers can use. */
export const WorkFields = ({ children }: { children: ReactNode }) => (
  <fieldset disabled={!useWorks()} className="contents">
    {children}
  </fieldset>
);
