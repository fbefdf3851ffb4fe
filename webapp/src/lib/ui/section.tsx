import { useId, type ReactNode } from "react";
import { cn } from "./cn";

type Props = {
  title: string;
  /** By which a link can lead here. */ anchor?: string;
  level?: 2 | 3;
  className?: string;
  children: ReactNode;
};

/** A part of the page with a heading. */
export function Section({ title, anchor, level = 2, className = "mt-10", children }: Props) {
  const id = useId();
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section id={anchor} aria-labelledby={id} className={className}>
      <Heading id={id} className={cn("font-serif font-semibold", level === 2 ? "text-xl" : "text-lg")}>
        {title}
      </Heading>
      {children}
    </section>
  );
}
