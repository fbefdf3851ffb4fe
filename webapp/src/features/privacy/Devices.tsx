import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
  devicesOptions,
  devicesQueryKey,
  privacyQueryKey,
  sentenceOf,
  signOutDevice,
  signOutElsewhere,
} from "@/lib/api";
import { ago } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { deviceName } from "./deviceName";
import { Part } from "./Part";

/** Lists the browsers in which a person is signed in, with buttons to sign out. */
export function Devices() {
  const { t } = useTranslation("privacy");
  const queries = useQueryClient();
  const { data, error } = useQuery(devicesOptions());
  const out = useMutation({
    mutationFn: async (id: string | null) => {
      if (id === null) await signOutElsewhere({ throwOnError: true });
      else await signOutDevice({ path: { id }, throwOnError: true });
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: devicesQueryKey() });
      void queries.invalidateQueries({ queryKey: privacyQueryKey() });
    },
  });
  const devices = data?.devices ?? [];
  const wrong = out.error ?? error;
  return (
    <Part title={t("devices.title")}>
      <ul className="mt-2 border-t border-rule">
        {devices.map((device) => {
          const name = deviceName(device.name) ?? t("devices.unknown");
          return (
            <li
              key={device.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-rule py-2"
            >
              <span className="min-w-0">
                {name}
                <span className="block text-sm text-ink-soft">
                  {device.this ? t("devices.this") : t("devices.seen", { when: ago(device.seen_at) })}
                </span>
              </span>
              {!device.this && (
                <Button
                  size="small"
                  aria-label={t("devices.outOf", { name })}
                  disabled={out.isPending}
                  onClick={() => {
                    out.mutate(device.id);
                  }}
                >
                  {t("devices.out")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {devices.length > 1 && (
        <Button
          size="small"
          className="mt-3"
          disabled={out.isPending}
          onClick={() => {
            out.mutate(null);
          }}
        >
          {t("devices.elsewhere")}
        </Button>
      )}
      {wrong !== null && (
        <p role="alert" className="mt-2 text-overdue">
          {sentenceOf(wrong, t("devices.failed"))}
        </p>
      )}
    </Part>
  );
}
