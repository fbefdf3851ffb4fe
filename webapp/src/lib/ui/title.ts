import { useEffect } from "react";

/** Names the page in the browser's tab. */
export function usePageTitle(...parts: string[]): void {
  const title = parts.filter((part) => part !== "").join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
