"use client";

import { Alert, Button, Modal, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useAnnounce } from "../announcer.tsx";
import { EmptyNote } from "../empty-note.tsx";
import classes from "./portal-frame.module.css";

const TITLE = "This link does not work";

/** The same words for a link that is unknown, has expired or was revoked: a stranger learns nothing of it. */
const WHAT_TO_DO =
  "It may have ended, been taken back, or not been copied whole. Ask whoever sent it to you for a new one.";

/** In the place of a portal whose link does not open it. */
export function EndedPage() {
  return (
    <main className={classes.ended}>
      <EmptyNote title={TITLE} level={1}>
        {WHAT_TO_DO}
      </EmptyNote>
    </main>
  );
}

/** The same over whatever was open when the link ended, which stays there to be copied. */
export function EndedDialog({ hasEnded }: { hasEnded: boolean }) {
  const announce = useAnnounce();
  const [isPut, putAway] = useState(false);
  useEffect(() => {
    if (hasEnded) announce(TITLE);
  }, [hasEnded, announce]);
  if (!hasEnded || isPut) return null;
  return (
    <Modal
      opened
      onClose={() => putAway(true)}
      withCloseButton={false}
      fullScreen
      zIndex={500}
      aria-label={TITLE}
      transitionProps={{ duration: 0 }}
    >
      <div className={classes.ended}>
        <EmptyNote
          title={TITLE}
          level={1}
          action={
            <Button variant="default" size="xs" onClick={() => putAway(true)}>
              Show what was open
            </Button>
          }
        >
          {WHAT_TO_DO} What you had typed is still there to be copied; it can no longer be saved.
        </EmptyNote>
      </div>
    </Modal>
  );
}

/** Says on the page itself that nothing of it can be saved any more. */
export function EndedBanner() {
  return (
    <Alert variant="default" title={TITLE} mb="md">
      <Text size="sm">{WHAT_TO_DO} Nothing is read or saved here any more; copy what you still need.</Text>
    </Alert>
  );
}
