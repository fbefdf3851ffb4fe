import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { clientsOptions } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { Field, Form } from "@/lib/ui/form";
import { SearchField, useSettled } from "@/lib/ui/search";
import { matterName } from "./names";
import { useMatters } from "./usePractice";

type Choice = { matter?: string; client?: string; name?: string; gstin?: string };

type Props = {
  open: boolean;
  /** The taxpayer's name, as read. */ name: string;
  gstin: string;
  pending: boolean;
  onChoose: (choice: Choice) => void;
  onClose: () => void;
};

/** Asks where a document belongs: to a matter, to a new one of a client, or to a new client. */
export function ChooseMatter({ open, onClose, ...rest }: Props) {
  const { t } = useTranslation("practice");
  return (
    <Dialog
      open={open}
      onOpenChange={(stays) => {
        if (!stays) onClose();
      }}
    >
      {open && (
        <DialogContent title={t("choose.title")} closeLabel={t("close")} className="max-w-lg">
          <Choices {...rest} />
        </DialogContent>
      )}
    </Dialog>
  );
}

function Choices({ name, gstin, pending, onChoose }: Omit<Props, "open" | "onClose">) {
  const { t } = useTranslation("practice");
  const [typed, setTyped] = useState(name);
  const search = useSettled(typed);
  const { matters } = useMatters({ search, state: "", closed: false });
  const clients = useQuery(clientsOptions(search)).data?.clients ?? [];
  const [newName, setNewName] = useState(name);
  const [newGSTIN, setNewGSTIN] = useState(gstin);
  const line = (key: string, first: string, second: string, choice: Choice) => (
    <li key={key}>
      <Button
        look="quiet"
        className="h-auto w-full flex-col items-start gap-0 py-1.5 text-left font-normal text-ink"
        disabled={pending}
        onClick={() => {
          onChoose(choice);
        }}
      >
        <span>{first}</span>
        {second !== "" && <span className="text-sm text-ink-soft">{second}</span>}
      </Button>
    </li>
  );
  return (
    <>
      <SearchField label={t("choose.search")} value={typed} onChange={setTyped} className="mt-3 block" />
      {matters.length > 0 && (
        <>
          <h3 className="mt-3 text-sm font-medium text-ink-soft">{t("choose.matters")}</h3>
          <ul className="-mx-2 max-h-56 overflow-y-auto">
            {matters
              .slice(0, 20)
              .map((matter) => line(matter.id, matter.client.name, matterName(matter, t), { matter: matter.id }))}
          </ul>
        </>
      )}
      {clients.length > 0 && (
        <>
          <h3 className="mt-3 text-sm font-medium text-ink-soft">{t("choose.clients")}</h3>
          <ul className="-mx-2 max-h-40 overflow-y-auto">
            {clients.map((client) =>
              line(client.id, client.name, (client.gstins ?? []).join(", "), { client: client.id }),
            )}
          </ul>
        </>
      )}
      {matters.length === 0 && clients.length === 0 && search !== "" && (
        <p className="mt-3 text-ink-soft">{t("choose.none")}</p>
      )}
      <h3 className="mt-4 border-t border-rule pt-3 font-medium">{t("choose.client")}</h3>
      <Form
        onSubmit={() => {
          onChoose({ name: newName, ...(newGSTIN === "" ? {} : { gstin: newGSTIN }) });
        }}
        error={null}
        pending={pending}
        button={t("choose.button")}
      >
        <Field
          label={t("choose.name")}
          value={newName}
          onChange={(event) => {
            setNewName(event.target.value);
          }}
        />
        <Field
          label={t("choose.gstin")}
          required={false}
          value={newGSTIN}
          onChange={(event) => {
            setNewGSTIN(event.target.value);
          }}
        />
      </Form>
    </>
  );
}
