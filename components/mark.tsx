/** The posthorn: one loop of tube, the bell to the right, the mouthpiece to the left. Decoration beside the name. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true" focusable="false">
      <g stroke="var(--ph-brass)" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M2 9h11.5" />
        <circle cx="9.5" cy="13" r="4" />
        <path d="M9.5 17h5.2c2.6 0 4.4 1.2 6.3 3V6c-1.9 1.8-3.7 3-6.3 3" />
      </g>
      <circle cx="2" cy="9" r="1.4" fill="var(--ph-brass)" />
    </svg>
  );
}
