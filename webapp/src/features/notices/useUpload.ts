import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { idempotencyKey, uploadDocument, type Turn } from "@/lib/api";

export type UploadRequest = {
  file: File;
  /** What the person says it is; empty for the notice itself. */
  type: string;
};

/**
 * Sends one PDF at a time, with its progress and a way to cancel. `conversation` gives the id to send to,
 * and is asked only once a file is really sent.
 */
export function useUpload(conversation: () => Promise<string>, onTaken: (conversationId: string, turn: Turn) => Promise<void> | void) {
  const [share, setShare] = useState(0);
  const abort = useRef<AbortController | null>(null);
  const attempt = useRef<{ file: File; type: string; key: string } | null>(null);

  const upload = useMutation({
    mutationFn: async ({ file, type }: UploadRequest) => {
      const controller = new AbortController();
      abort.current = controller;
      setShare(0);
      // The same file sent again after a lost answer is the same act.
      if (attempt.current?.file !== file || attempt.current.type !== type) attempt.current = { file, type, key: idempotencyKey() };
      const conversationId = await conversation();
      const turn = await uploadDocument({
        conversationId,
        file,
        type,
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
