import { useState } from "react";
import type { PublicConfig } from "@/lib/api";
import { DataUse } from "./DataUse";

const key = "munshi.told";

/**
 * Says below a field for questions who receives the text, until the first question was sent from this browser to these
 * providers.
 */
export function useFirstUse(config: PublicConfig | undefined) {
  const providers = JSON.stringify(config?.privacy.recipients ?? []);
  const [told, setTold] = useState(() => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  });
  return {
    line: config !== undefined && told !== providers ? <FirstUse config={config} /> : null,
    sent: () => {
      setTold(providers);
      try {
        localStorage.setItem(key, providers);
      } catch {
        // Without storage it is shown again.
      }
    },
  };
}

function FirstUse({ config }: { config: PublicConfig }) {
  return <DataUse config={config} className="mt-2 text-center text-sm text-ink-soft" />;
}
