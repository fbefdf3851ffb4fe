import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { idempotencyKey, uploadDocument, type Turn } from "@/lib/api";

export type UploadRequest = {
  /** One PDF, the photographs of its pages in order, or files of figures. */
  files: File[];
  /** The document type that the person chose; empty for the document of the conversation. */
  type: string;
  /** The destination, if not the documents. */
  to?: "figures";
  /** The values of the plugin's other inputs. */
  inputs?: Record<string, string>;
};

/**
 * Sends one document at a time, with its progress and a way to cancel. `conversation` returns the id of the
 * conversation, and is called only when a file is really sent.
 */
export function useUpload(
  conversation: () => Promise<string>,
  onTaken: (conversationId: string, turn: Turn) => Promise<void> | void,
) {
  const [share, setShare] = useState(0);
  const abort = useRef<AbortController | null>(null);
  const attempt = useRef<{ files: File[]; said: string; key: string } | null>(null);

  const upload = useMutation({
    mutationFn: async ({ files, type, to, inputs }: UploadRequest) => {
      const controller = new AbortController();
      abort.current = controller;
      setShare(0);
      // Sending the same file again, after an answer was lost, must not create a second document.
      const said = JSON.stringify([type, to, inputs]);
      const same =
        attempt.current?.files.length === files.length && attempt.current.files.every((one, at) => one === files[at]);
      if (attempt.current === null || !same || attempt.current.said !== said)
        attempt.current = { files, said, key: idempotencyKey() };
      const conversationId = await conversation();
      const turn = await uploadDocument({
        conversationId,
        files,
        type,
        to,
        inputs,
        idempotencyKey: attempt.current.key,
        signal: controller.signal,
        onProgress: setShare,
      });
      return { conversationId, turn };
    },
    onSuccess: ({ conversationId, turn }) => onTaken(conversationId, turn),
  });

  const cancel = () => {
    abort.current?.abort();
    upload.reset();
  };

  return { upload, share, cancel };
}
