import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { handOver, leaveFirm, sentenceOf, type Firm } from "@/lib/api";
import { appOf } from "@/lib/place";
import { Button } from "@/lib/ui/button";
import { Field, Form } from "@/lib/ui/form";
import { Pick } from "@/lib/ui/pick";
import { useFirmChange } from "./useFirm";

/** Lets a member leave the firm; an owner must hand it over first. */
export function Leave({ firm, owner }: { firm: Firm; owner: boolean }) {
  const { t } = useTranslation("firm");
  const [sure, setSure] = useState(false);
  const go = useMutation({
    mutationFn: () => leaveFirm({ throwOnError: true }),
    onSuccess: () => {
      window.location.assign(appOf(null)); // reloads the page, so that no data of the firm stays in memory
    },
  });
  if (owner) return <HandOver firm={firm} />;
  return (
    <>
      <p className="mt-1">{t("leave.what")}</p>
      {sure ? (
        <div className="mt-3 flex flex-wrap gap-2">
          <Button
            className="border-overdue/60 text-overdue hover:border-overdue hover:bg-overdue-soft"
            disabled={go.isPending}
            onClick={() => {
              go.mutate();
            }}
          >
            {t("leave.sure")}
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
      ) : (
        <Button
          className="mt-3"
          onClick={() => {
            setSure(true);
          }}
        >
          {t("leave.button")}
        </Button>
      )}
      {go.error !== null && (
        <p role="alert" className="mt-2 text-overdue">
          {sentenceOf(go.error, t("changeFailed"))}
        </p>
      )}
    </>
  );
}

function HandOver({ firm }: { firm: Firm }) {
  const { t } = useTranslation("firm");
  const heirs = (firm.members ?? []).filter(
    ({ left_at: left, mine, role }) => left === null && !mine && (role === "partner" || role === "preparer"),
  );
  const [to, setTo] = useState("");
  const [password, setPassword] = useState("");
  const go = useFirmChange({
    mutationFn: () => handOver({ body: { member: to, password }, throwOnError: true }),
    onSuccess: () => {
      setTo("");
      setPassword("");
    },
  });
  return (
    <>
      <p className="mt-1">
        {t("leave.owner")}{" "}
        <Link to="/app/privacy" className="text-accent underline underline-offset-2">
          {t("leave.close")}
        </Link>
      </p>
      {heirs.length > 0 && (
        <div className="max-w-sm">
          <Form
            onSubmit={() => {
              go.mutate(undefined);
            }}
            error={go.error === null ? null : sentenceOf(go.error, t("changeFailed"))}
            pending={go.isPending}
            button={t("leave.handOver")}
            disabled={to === ""}
          >
            <Pick
              label={t("leave.to")}
              value={to}
              options={[{ value: "", name: t("leave.choose") }, ...heirs.map(({ id, name }) => ({ value: id, name }))]}
              onPick={setTo}
            />
            <Field
              label={t("leave.password")}
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => {
                setPassword(event.target.value);
              }}
            />
          </Form>
        </div>
      )}
    </>
  );
}
