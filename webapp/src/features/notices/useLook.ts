import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useSettled } from "@/lib/ui/search";
import { sorts, views, type Sort, type View } from "./useNotices";

type Look = { view: View; sort: Sort; search: string };

/**
 * The view, order and search of the list. They are in the address, so that Back, a reload and a bookmark restore them;
 * after the #, which is not sent to servers, since a search may contain a client's name.
 */
export function useLook() {
  const navigate = useNavigate();
  const { hash, search: query } = useLocation();
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const kept: Look = {
    view: views.find((one) => one === said.get("view")) ?? "all",
    sort: sorts.find((one) => one === said.get("sort")) ?? "urgent",
    search: said.get("search") ?? "",
  };
  const [typed, type] = useState(kept.search);
  const settled = useSettled(typed);
  const written = useRef(kept.search);
  const look = (change: Partial<Look>) => {
    const now = { ...kept, search: typed.trim(), ...change };
    written.current = now.search;
    const parts = new URLSearchParams();
    if (now.view !== "all") parts.set("view", now.view);
    if (now.sort !== "urgent") parts.set("sort", now.sort);
    if (now.search !== "") parts.set("search", now.search);
    void navigate({ search: query, hash: parts.toString() }, { replace: true, preventScrollReset: true });
  };
  const changed = settled !== kept.search;
  const follow = useEffectEvent(() => {
    if (changed) look({ search: settled });
  });
  useEffect(() => {
    follow();
  }, [settled]);
  // The address was changed elsewhere, such as by a tab or by Back.
  useEffect(() => {
    if (kept.search === written.current) return;
    written.current = kept.search;
    type(kept.search);
  }, [kept.search]);
  return { ...kept, search: settled, typed, type, look };
}
