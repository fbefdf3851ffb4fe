import { useId, type ComponentProps, type ReactNode } from "react";
import { Button } from "@/lib/ui/button";
import { Spinner } from "@/lib/ui/spinner";

type FieldProps = ComponentProps<"input"> & { label: string; hint?: string };

/** A labelled input of a form. */
export function Field({ label, hint, ...input }: FieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        required
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="mt-1.5 block min-h-11 w-full rounded-lg border border-rule-strong/60 bg-sheet px-3"
        {...input}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  );
}

type FormProps = {
  onSubmit: () => void;
  error: string | null;
  pending: boolean;
  button: string;
  children: ReactNode;
  disabled?: boolean;
};

/** A form with one button. If it is refused, the typed text stays. */
export function Form({ onSubmit, error, pending, button, children, disabled = false }: FormProps) {
  return (
    <form
      className="mt-3 space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!pending) onSubmit();
      }}
    >
      {children}
      {error !== null && (
        <p role="alert" className="text-[0.9375rem] text-overdue">
          {error}
        </p>
      )}
      <Button type="submit" look="primary" className="w-full" disabled={pending || disabled}>
        {pending && <Spinner />}
        {button}
      </Button>
    </form>
  );
}
