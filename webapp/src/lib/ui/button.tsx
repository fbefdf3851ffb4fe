import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";

const variants = cva(
  "inline-flex shrink-0 items-center justify-center gap-2 rounded-lg text-[0.9375rem] leading-5 font-medium transition-colors duration-150 select-none disabled:cursor-not-allowed aria-disabled:cursor-not-allowed [&_svg]:size-[1.125rem] [&_svg]:shrink-0",
  {
    variants: {
      look: {
        primary:
          "print:hidden bg-accent text-on-accent hover:bg-accent-strong disabled:bg-rule disabled:text-ink-soft aria-disabled:bg-rule aria-disabled:text-ink-soft",
        outline:
          "print:hidden border border-rule-strong/60 bg-sheet text-ink hover:border-rule-strong hover:bg-accent-soft disabled:text-ink-soft disabled:hover:bg-sheet",
        quiet:
          "print:hidden text-ink-soft hover:bg-accent-soft hover:text-ink disabled:opacity-60 disabled:hover:bg-transparent",
        // Its label is part of a text.
        link: "justify-start text-left rounded text-accent underline-offset-4 hover:underline",
      },
      size: {
        medium: "min-h-11 px-4",
        small: "min-h-9 px-3 text-sm",
        icon: "size-11",
        "icon-small": "size-9",
        bare: "min-h-6",
      },
    },
    defaultVariants: { look: "outline", size: "medium" },
  },
);

type Props = ComponentProps<"button"> & VariantProps<typeof variants> & { asChild?: boolean };

/** A button or, with asChild, a link that looks like one. */
export function Button({ className, look, size, asChild = false, type = "button", ...props }: Props) {
  const classes = cn(variants({ look, size }), className);
  return asChild ? <Slot.Root className={classes} {...props} /> : <button type={type} className={classes} {...props} />;
}
