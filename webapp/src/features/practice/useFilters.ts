import { useSearchParams } from "react-router";

/** The stages of a matter, in their order. */
export const stages = ["scrutiny", "intimation", "notice", "order", "appeal", "tribunal"] as const;

/** The filters for lists of matters; all of them are in the page's address. */
export const fields = ["assignee", "client", "officer", "region", "stage", "least"] as const;

/** The filters for lists of matters and of their dates, in the server's form. */
export type Narrowed = {
  assignee?: string;
  client?: string;
  officer?: string;
  region?: string;
  stage?: (typeof stages)[number];
  least?: number;
};

/** The filters of the page, from its address. */
export function useFilters() {
  const [params, setParams] = useSearchParams();
  const of = (name: string) => params.get(name) ?? "";
  /** Sets several filters in one change; of several changes in a row only the last would take effect. */
  const change = (values: Record<string, string>) => {
    setParams(
      (was) => {
        const next = new URLSearchParams(was);
        for (const [name, value] of Object.entries(values)) {
          if (value === "") next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  };
  const set = (name: string, value: string) => {
    change({ [name]: value });
  };
  const clear = () => {
    setParams(new URLSearchParams(), { replace: true });
  };
  const narrowed: Narrowed = {};
  for (const name of ["assignee", "client", "officer", "region"] as const) {
    if (of(name) !== "") narrowed[name] = of(name);
  }
  if (of("stage") !== "") narrowed.stage = of("stage") as (typeof stages)[number];
  const least = Number(of("least"));
  if (Number.isSafeInteger(least) && least > 0) narrowed.least = least;
  return {
    of,
    set,
    change,
    clear,
    narrowed,
    address: params.toString(),
    count: fields.filter((name) => of(name) !== "").length,
  };
}
