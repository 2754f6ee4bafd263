/** The posthorn: one loop of tube, the bell to the right, the mouthpiece to the left. Decoration beside the name. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true" focusable="false">
      <path
        d="M10.5 8.1c4.4-.2 7.7-1.7 10.3-4.6.4-.4 1.2-.2 1.2.4v10.4c0 .6-.7.9-1.1.5-2.7-2.7-5.9-4.2-10.4-4.5z"
        fill="var(--ph-brass)"
      />
      <g stroke="var(--ph-brass)" strokeWidth="2" strokeLinecap="round">
        <circle cx="9.4" cy="14" r="5" />
        <path d="M2.3 9.1h8" />
      </g>
    </svg>
  );
}
