import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { Button } from "./button";

/** Returns a function that copies something, and for a moment whether that succeeded or failed. */
export function useCopied(put: () => Promise<void>, failed: string) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await put();
      setCopied(true);
      setTimeout(() => {
        setCopied(false);
      }, 2_000);
    } catch {
      toast.error(failed);
    }
  };
  return { copied, copy: () => void copy() };
}

type Props = {
  text: string;
  label: string;
  /** What to announce once the text is copied, and if that failed. */
  done: string;
  failed: string;
};

/** A button that copies a text. */
export function CopyText({ text, label, done, failed }: Props) {
  const { copied, copy } = useCopied(() => navigator.clipboard.writeText(text), failed);
  return (
    <Button look="quiet" size="small" className="-ml-3" onClick={copy}>
      {copied ? <Check aria-hidden className="text-safe" /> : <Copy aria-hidden />}
      <span aria-live="polite">{copied ? done : label}</span>
    </Button>
  );
}
