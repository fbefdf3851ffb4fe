import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { clientOptions, type Client } from "@/lib/api";
import { day, money } from "@/lib/format";
import { Section } from "@/lib/ui/section";
import { DaysLeft } from "@/parts/deadline";
import { Failed, Frame, Loading } from "./Frame";
import { Missing } from "./Missing";
import { matterName } from "./names";
import { PortalLook } from "./PortalLook";

/** A client: registrations, what is on the portal, the notices without a document, and the matters. */
export function ClientPage() {
  const { t } = useTranslation("practice");
  const { id = "" } = useParams();
  const { data: client, error, refetch } = useQuery(clientOptions(id));
  return (
    <Frame title={client?.name ?? t("clients.title")}>
      {client !== undefined ? (
        <Whole key={client.id} client={client} />
      ) : error === null ? (
        <Loading />
      ) : (
        <Failed error={error} onAgain={() => void refetch()} />
      )}
    </Frame>
  );
}

function Whole({ client }: { client: Client }) {
  const { t } = useTranslation("practice");
  const gstins = (client.gstins ?? []).map(({ gstin }) => gstin).filter((one) => one !== client.name);
  const matters = client.matters ?? [];
  return (
    <>
      <h1 className="font-serif text-[1.75rem] leading-9 font-semibold break-words">{client.name}</h1>
      <p className="mt-1 flex flex-wrap gap-x-3 text-[0.9375rem] text-ink-soft tabular-nums">
        {[...(client.pan === null ? [] : [client.pan]), ...gstins].map((one) => (
          <span key={one}>{one}</span>
        ))}
      </p>
      {(client.gstins ?? []).length > 0 && <PortalLook client={client} />}
      <Missing listed={client.listed ?? []} linked />
      <Section title={t("clients.matters")} className="mt-8">
        {matters.length === 0 ? (
          <p className="mt-2 text-ink-soft">{t("clients.noMatters")}</p>
        ) : (
          <ul className="mt-2 border-t border-rule">
            {matters.map((matter) => (
              <li
                key={matter.id}
                className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-b border-rule py-2.5"
              >
                <Link
                  to={`/app/practice/matters/${matter.id}`}
                  className="min-w-0 font-medium break-words text-accent underline-offset-4 hover:underline"
                >
                  {matterName(matter, t)}
                </Link>
                <span className="flex flex-wrap items-baseline gap-x-3 text-[0.9375rem] tabular-nums">
                  {matter.demand_paise !== null && matter.demand_paise > 0 && (
                    <span>{money(matter.demand_paise / 100)}</span>
                  )}
                  {matter.next_on !== null && !matter.closed && (
                    <>
                      <span>{day(matter.next_on)}</span>
                      <DaysLeft date={matter.next_on} />
                    </>
                  )}
                  <span className="text-ink-soft">{t(`states.${matter.state}`)}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}
