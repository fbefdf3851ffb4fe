import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { becomeOperator, publicConfigOptions, sentenceOf } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { Spinner } from "@/lib/ui/spinner";
import { usePageTitle } from "@/lib/ui/title";

/** Opened by an operator link. The link works once, so the page asks for a click: a link preview does not use it up. */
export function EnterPage() {
  const { t } = useTranslation("operators");
  const config = useQuery(publicConfigOptions()).data;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const key = params.get("key") ?? "";
  const enter = useMutation({
    mutationFn: () => becomeOperator({ body: { key }, throwOnError: true }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: publicConfigOptions().queryKey });
      await navigate("/app/operators", { replace: true });
    },
  });
  usePageTitle(t("enter.title"), config?.product_name ?? "");
  return (
    <main className="flex min-h-dvh bg-paper p-6">
      <div className="m-auto max-w-md">
        <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">
          {t("enter.heading", { product: config?.product_name ?? "Munshi" })}
        </h1>
        <p className="mt-3 text-ink-soft">{t("enter.hint")}</p>
        {key === "" ? (
          <p role="alert" className="mt-6 text-overdue">
            {t("enter.noKey")}
          </p>
        ) : (
          <Button
            look="primary"
            className="mt-6"
            disabled={enter.isPending}
            onClick={() => {
              enter.mutate();
            }}
          >
            {enter.isPending ? <Spinner /> : <KeyRound aria-hidden />}
            {t("enter.button")}
          </Button>
        )}
        {enter.isError && (
          <p role="alert" className="mt-4 text-overdue">
            {sentenceOf(enter.error, t("enter.failed"))}
          </p>
        )}
      </div>
    </main>
  );
}
