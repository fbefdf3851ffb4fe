import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { provisionOptions } from "@/lib/api";
import type { Address } from "./address";

/** Loads a provision as on a day (null for today); while another day is loading, the previous one stays. */
export const useProvision = ({ act, number }: Address, on: string | null) =>
  useQuery({ ...provisionOptions(act, number, on), placeholderData: keepPreviousData });
