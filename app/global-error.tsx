"use client";

/** When even the layout has failed: nothing of ours can be relied on here. */
export default function GlobalError({ reset }: { error: Error; reset: () => void }) {
  return (
    <html lang="en">
      <head>
        <title>Posthorn</title>
      </head>
      <body style={{ fontFamily: "system-ui, sans-serif", padding: "3rem 1rem", textAlign: "center" }}>
        <h1 style={{ fontSize: "1.25rem" }}>Posthorn has stopped working in this tab</h1>
        <p>Nothing was changed on the server.</p>
        <button type="button" onClick={reset}>
          Try again
        </button>
      </body>
    </html>
  );
}
