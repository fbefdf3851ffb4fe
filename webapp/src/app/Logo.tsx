/** The logo: a notice that has been read and checked. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" fill="none" className={className}>
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M9 6.5h9.5L23 11v14.5H9z" fill="var(--sheet)" />
      <path d="M18.5 6.5V11H23z" fill="var(--accent)" opacity=".35" />
      <path d="M12 14.5h8M12 18h5" stroke="var(--accent)" strokeWidth="1.6" strokeLinecap="round" />
      <path
        d="m14.8 22 1.9 1.9 4.3-4.6"
        stroke="var(--accent)"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
