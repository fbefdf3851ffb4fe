import { useEffect } from "react";

/** Sets the title of the page in the browser's tab. */
export function usePageTitle(...parts: string[]): void {
  const title = parts.filter((part) => part !== "").join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
