import { useState } from "react";
import { useTranslation } from "react-i18next";
import { changeMember, forgetMember, removeMember, sentenceOf, type Firm, type Me } from "@/lib/api";
import { day } from "@/lib/format";
import { may } from "@/lib/may";
import { Button } from "@/lib/ui/button";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { Field, Form } from "@/lib/ui/form";
import { Pick } from "@/lib/ui/pick";
import { givenBy, useFirmChange, type Member } from "./useFirm";

/** Lists the members of the firm, and then former members. */
export function Members({ firm, me }: { firm: Firm; me: Me | undefined }) {
  const { t } = useTranslation("firm");
  const [open, setOpen] = useState<Member | null>(null);
  const members = firm.members ?? [];
  const former = members.filter((member) => member.left_at !== null);
  const gives = givenBy(me?.acting?.role ?? "");
  const changes = (member: Member) =>
    may(me, "manage") && !member.mine && (gives as string[]).includes(member.role) && member.left_at === null;
  return (
    <>
      <ul className="mt-2 border-t border-rule">
        {members
          .filter((member) => member.left_at === null)
          .map((member) => (
            <li
              key={member.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-rule py-2.5"
            >
              <span className="min-w-0">
                <span className="font-medium">{member.name}</span>
                {member.mine && <span className="text-ink-soft"> {t("members.you")}</span>}
                <span className="block text-sm break-all text-ink-soft">{member.email}</span>
              </span>
              <span className="flex items-center gap-2 text-[0.9375rem]">
                {t(`roles.${member.role}.name`)}
                {changes(member) && (
                  <Button
                    size="small"
                    aria-label={t("members.changeNamed", { name: member.name })}
                    onClick={() => {
                      setOpen(member);
                    }}
                  >
                    {t("members.change")}
                  </Button>
                )}
              </span>
            </li>
          ))}
      </ul>
      {former.length > 0 && (
        <details className="mt-3">
          <summary className="min-h-6 cursor-pointer text-sm text-ink-soft">
            {t("members.former", { count: former.length })}
          </summary>
          <ul className="mt-1">
            {former.map((member) => (
              <Former key={member.id} member={member} forget={may(me, "manage")} />
            ))}
          </ul>
        </details>
      )}
      <Dialog
        open={open !== null}
        onOpenChange={(stays) => {
          if (!stays) setOpen(null);
        }}
      >
        {open !== null && (
          <DialogContent title={open.name} closeLabel={t("close")} className="max-w-md">
            <Change
              member={open}
              gives={gives}
              onDone={() => {
                setOpen(null);
              }}
            />
          </DialogContent>
        )}
      </Dialog>
    </>
  );
}

/** A former member. Their name stays in the records until it is removed. */
function Former({ member, forget }: { member: Member; forget: boolean }) {
  const { t } = useTranslation("firm");
  const go = useFirmChange({
    mutationFn: () => forgetMember({ path: { id: member.id }, throwOnError: true }),
  });
  const named = member.name !== "—";
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1.5 text-[0.9375rem]">
      <span>
        {named ? member.name : t("members.formerName")}
        <span className="text-sm text-ink-soft">
          {" · "}
          {t("members.until", { day: member.left_at === null ? "" : day(member.left_at.slice(0, 10)) })}
        </span>
      </span>
      {forget && named && (
        <Button
          size="small"
          look="quiet"
          disabled={go.isPending}
          onClick={() => {
            if (window.confirm(t("members.forgetSure", { name: member.name }))) go.mutate(undefined);
          }}
        >
          {t("members.forget")}
        </Button>
      )}
      {go.error !== null && (
        <span role="alert" className="w-full text-sm text-overdue">
          {sentenceOf(go.error, t("changeFailed"))}
        </span>
      )}
    </li>
  );
}

type ChangeProps = { member: Member; gives: ReturnType<typeof givenBy>; onDone: () => void };

/** Changes a member's role or name, or removes them. */
function Change({ member, gives, onDone }: ChangeProps) {
  const { t } = useTranslation("firm");
  const [name, setName] = useState(member.name);
  const [role, setRole] = useState(member.role);
  const [sure, setSure] = useState(false);
  const save = useFirmChange({
    mutationFn: () =>
      changeMember({
        path: { id: member.id },
        body: { name, role: role as (typeof gives)[number] },
        throwOnError: true,
      }),
    onSuccess: onDone,
  });
  const end = useFirmChange({
    mutationFn: () => removeMember({ path: { id: member.id }, throwOnError: true }),
    onSuccess: onDone,
  });
  return (
    <>
      <Form
        onSubmit={() => {
          save.mutate(undefined);
        }}
        error={save.error === null ? null : sentenceOf(save.error, t("changeFailed"))}
        pending={save.isPending}
        button={t("members.save")}
      >
        <Field
          label={t("called")}
          value={name}
          onChange={(event) => {
            setName(event.target.value);
          }}
        />
        <Pick
          label={t("role")}
          value={role}
          options={gives.map((one) => ({ value: one, name: t(`roles.${one}.name`) }))}
          onPick={(value) => {
            setRole(value as Member["role"]);
          }}
        />
        <p className="text-sm text-ink-soft">{t(`roles.${role}.may`)}</p>
      </Form>
      <div className="mt-5 border-t border-rule pt-4">
        {sure ? (
          <>
            <p>{t("members.removeSure", { name: member.name })}</p>
            <div className="mt-3 flex flex-wrap gap-2">
              <Button
                className="border-overdue/60 text-overdue hover:border-overdue hover:bg-overdue-soft"
                disabled={end.isPending}
                onClick={() => {
                  end.mutate(undefined);
                }}
              >
                {t("members.remove")}
              </Button>
              <Button
                look="quiet"
                onClick={() => {
                  setSure(false);
                }}
              >
                {t("cancel")}
              </Button>
            </div>
          </>
        ) : (
          <Button
            look="quiet"
            className="-ml-4 text-overdue"
            onClick={() => {
              setSure(true);
            }}
          >
            {t("members.remove")}
          </Button>
        )}
        {end.error !== null && (
          <p role="alert" className="mt-2 text-overdue">
            {sentenceOf(end.error, t("changeFailed"))}
          </p>
        )}
      </div>
    </>
  );
}
