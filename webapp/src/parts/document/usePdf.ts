import { hashKey, queryOptions, useQuery } from "@tanstack/react-query";
import { documentUrl } from "@/lib/api";
import type { Pdf } from "./pdf";

const pdfOptions = (document: string) =>
  queryOptions({
    queryKey: ["pdf", document],
    queryFn: async ({ client, queryKey, signal }): Promise<Pdf> => {
      const { openPdf } = await import("./pdf");
      const pdf = await openPdf(documentUrl(document), signal);
      // It uses a worker, so it is closed when nothing has shown it for a while.
      const stop = client.getQueryCache().subscribe(({ type, query }) => {
        if (type !== "removed" || query.queryHash !== hashKey(queryKey)) return;
        stop();
        void pdf.loadingTask.destroy();
      });
      return pdf;
    },
    retry: false,
    staleTime: Infinity,
    gcTime: 60_000,
    structuralSharing: false,
  });

/** The opened PDF of a document, shared by everything that shows it. */
export const usePdf = (document: string) => useQuery(pdfOptions(document));
