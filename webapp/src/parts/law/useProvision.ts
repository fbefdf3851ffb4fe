import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { provisionOptions } from "@/lib/api";
import type { Address } from "./address";

/** A provision as on a day, today where that is null; while another day is asked for, the one before stays. */
export const useProvision = ({ act, number }: Address, on: string | null) =>
  useQuery({ ...provisionOptions(act, number, on), placeholderData: keepPreviousData });
