import { createContext, lazy, Suspense, useContext, useMemo, useState, type MouseEvent, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { cn } from "@/lib/ui/cn";
import { cutAt, addressesIn, pageOf, type Address } from "./address";
import { dayOf, type NoticeDays } from "./notice";

const ProvisionPanel = lazy(() => import("./ProvisionPanel"));

/** The days of the notice that the children are about; null if there is none. */
const Days = createContext<NoticeDays | null>(null);

/** Shows the provisions cited in its children as they were for a notice. */
export function ForNotice({ days, children }: { days: NoticeDays | null; children: ReactNode }) {
  return <Days value={days}>{children}</Days>;
}

type Opened = { address: Address; days: NoticeDays | null; day: string | null; edge: "left" | "right" };

const Open = createContext<((opened: Opened) => void) | null>(null);

/** Opens the provisions cited in its children in a panel next to the page, until another page is opened. */
export function LawBeside({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const [opened, setOpened] = useState<(Opened & { on: string }) | null>(null);
  const open = useMemo(
    () => (what: Opened) => {
      setOpened({ ...what, on: pathname });
    },
    [pathname],
  );
  return (
    <Open value={open}>
      {children}
      {opened?.on === pathname && (
        <Suspense>
          <ProvisionPanel
            key={`${opened.address.act} ${opened.address.number} ${opened.day ?? ""}`}
            address={opened.address}
            days={opened.days}
            first={opened.day}
            edge={opened.edge}
            onClose={() => {
              setOpened(null);
            }}
          />
        </Suspense>
      )}
    </Open>
  );
}

type LinkProps = {
  address: Address;
  /** The day for which it is opened; by default that of the notice, else today. */
  on?: string | undefined;
  children: ReactNode;
  label?: string;
  quiet?: boolean;
  className?: string;
};

/** A cited provision: opens it next to the page as it was for the notice, or its own page in a new tab. */
export function ProvisionLink({ address, on, children, label, quiet = false, className }: LinkProps) {
  const days = useContext(Days);
  const first = on ?? dayOf(days);
  const open = useContext(Open);
  return (
    <Link
      to={pageOf(address, first)}
      aria-label={label}
      className={cn(quiet ? "provision-link" : "text-accent underline underline-offset-2", className)}
      onClick={(event: MouseEvent<HTMLAnchorElement>) => {
        if (open === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        // On the other side, so that what was being read stays visible.
        const { left, width } = event.currentTarget.getBoundingClientRect();
        open({ address, days, day: first, edge: left + width / 2 > window.innerWidth * 0.62 ? "left" : "right" });
      }}
    >
      {children}
    </Link>
  );
}

/** The basis of a rule, such as "s.74(5), (6)", with a link for each provision in it. */
export function Basis({ basis, shown }: { basis: string; shown: string }) {
  return cutAt(shown, addressesIn(basis)).map((piece, index) =>
    typeof piece === "string" ? (
      piece
    ) : (
      <ProvisionLink key={index} address={piece.address} quiet>
        {piece.text}
      </ProvisionLink>
    ),
  );
}
