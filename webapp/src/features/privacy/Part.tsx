import type { ReactNode } from "react";
import { Section } from "@/lib/ui/section";

/** A part of the page with its title. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Section title={title} className="mt-8 border-t border-rule pt-6">
      <div className="mt-1">{children}</div>
    </Section>
  );
}
