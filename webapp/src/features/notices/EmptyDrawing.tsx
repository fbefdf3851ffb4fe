/** A drawing of a notice with its seal and one marked line. */
export function EmptyDrawing({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 200 150" fill="none" className={className}>
      <ellipse cx="100" cy="139" rx="74" ry="6" fill="var(--rule)" opacity=".6" />
      <g transform="rotate(-6 92 78)">
        <path
          d="M48 18h62l20 20v92H48z"
          fill="var(--margin)"
          stroke="var(--rule-strong)"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
      </g>
      <g transform="rotate(3 108 76)">
        <path
          d="M64 14h62l22 22v96H64z"
          fill="var(--sheet)"
          stroke="var(--rule-strong)"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
        <path
          d="M126 14v22h22"
          fill="var(--margin)"
          stroke="var(--rule-strong)"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
        <path d="M78 34h28" stroke="var(--ink)" strokeWidth="3" strokeLinecap="round" />
        <g stroke="var(--rule-strong)" strokeWidth="2" strokeLinecap="round">
          <path d="M78 50h54M78 60h48M78 84h54M78 94h40" />
        </g>
        <rect x="74" y="66.5" width="50" height="11" rx="3" fill="var(--accent-soft)" />
        <path d="M78 72h42" stroke="var(--accent)" strokeWidth="2.5" strokeLinecap="round" />
        <circle cx="124" cy="112" r="11" stroke="var(--accent)" strokeWidth="1.75" />
        <circle cx="124" cy="112" r="7" stroke="var(--accent)" strokeWidth="1" strokeDasharray="2 2" />
        <path
          d="m120.6 112.2 2.4 2.4 4.4-4.8"
          stroke="var(--accent)"
          strokeWidth="1.75"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </g>
    </svg>
  );
}
