import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { invite, sentenceOf, withdrawInvitation, type Firm, type Invited } from "@/lib/api";
import { moment } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { CopyText } from "@/lib/ui/copy";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { Field, Form } from "@/lib/ui/form";
import { Pick } from "@/lib/ui/pick";
import { givenBy, useFirmChange } from "./useFirm";

/** Lists open invitations, with a button to invite someone. */
export function Invitations({ firm, role }: { firm: Firm; role: string }) {
  const { t } = useTranslation("firm");
  const [open, setOpen] = useState(false);
  const withdraw = useFirmChange({
    mutationFn: (id: string) => withdrawInvitation({ path: { id }, throwOnError: true }),
  });
  const open_ = firm.invitations ?? [];
  return (
    <>
      {open_.length === 0 ? (
        <p className="mt-1 text-ink-soft">{t("invitations.none")}</p>
      ) : (
        <ul className="mt-2 border-t border-rule">
          {open_.map((one) => (
            <li
              key={one.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-rule py-2.5"
            >
              <span className="min-w-0">
                <span className="break-all">{one.email === "" ? t("invitations.byLink") : one.email}</span>
                <span className="block text-sm text-ink-soft">
                  {t(`roles.${one.role}.name`)} · {t("invitations.until", { at: moment(one.expires_at), by: one.by })}
                </span>
              </span>
              {(givenBy(role) as string[]).includes(one.role) && (
                <Button
                  size="small"
                  disabled={withdraw.isPending}
                  aria-label={t("invitations.withdrawNamed", { name: one.email })}
                  onClick={() => {
                    withdraw.mutate(one.id);
                  }}
                >
                  {t("invitations.withdraw")}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {withdraw.error !== null && (
        <p role="alert" className="mt-2 text-overdue">
          {sentenceOf(withdraw.error, t("changeFailed"))}
        </p>
      )}
      <Button
        look="primary"
        className="mt-4"
        onClick={() => {
          setOpen(true);
        }}
      >
        <UserPlus aria-hidden />
        {t("invitations.open")}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title={t("invitations.heading")} closeLabel={t("close")} className="max-w-md">
          <Invite role={role} />
        </DialogContent>
      </Dialog>
    </>
  );
}

/** Asks whom to invite and in which role, and then shows the link, only once. */
function Invite({ role }: { role: string }) {
  const { t } = useTranslation("firm");
  const gives = givenBy(role);
  const [email, setEmail] = useState("");
  const [as, setAs] = useState(gives.includes("preparer") ? "preparer" : "viewer");
  const [made, setMade] = useState<Invited | null>(null);
  const send = useFirmChange({
    mutationFn: async () =>
      (
        await invite({
          body: { role: as as (typeof gives)[number], ...(email.trim() === "" ? {} : { email: email.trim() }) },
          throwOnError: true,
        })
      ).data,
    onSuccess: setMade,
  });
  if (made !== null) return <Made made={made} email={email.trim()} />;
  return (
    <Form
      onSubmit={() => {
        send.mutate(undefined);
      }}
      error={send.error === null ? null : sentenceOf(send.error, t("changeFailed"))}
      pending={send.isPending}
      button={t("invitations.send")}
    >
      <Pick
        label={t("role")}
        value={as}
        options={gives.map((one) => ({ value: one, name: t(`roles.${one}.name`) }))}
        onPick={setAs}
      />
      <p className="text-sm text-ink-soft">{t(`roles.${as as "preparer"}.may`)}</p>
      <Field
        label={t("invitations.email")}
        hint={t("invitations.emailHint")}
        type="email"
        required={false}
        value={email}
        onChange={(event) => {
          setEmail(event.target.value);
        }}
      />
    </Form>
  );
}

function Made({ made, email }: { made: Invited; email: string }) {
  const { t } = useTranslation("firm");
  // If the server does not know its public address, the link begins with its path.
  const link = new URL(made.link, window.location.origin).href;
  return (
    <div className="mt-2 text-[0.9375rem]">
      <p>{made.mailed ? t("invitations.mailed", { email }) : t("invitations.handOver")}</p>
      <p className="mt-3 rounded-lg border border-rule bg-paper p-3 text-sm break-all select-all">{link}</p>
      <div className="mt-2 pl-3">
        <CopyText
          text={link}
          label={t("invitations.copy")}
          done={t("invitations.copied")}
          failed={t("invitations.copyFailed")}
        />
      </div>
      <p className="mt-1 text-sm text-ink-soft">{t("invitations.once")}</p>
    </div>
  );
}
