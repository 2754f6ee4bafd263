"use client";

import { Button, type ButtonProps, Tooltip, VisuallyHidden } from "@mantine/core";
import { type MouseEvent, useId } from "react";

interface GuardedButtonProps extends ButtonProps {
  /** Why it cannot be pressed now; `null` when it can. */
  refusal: string | null;
  onClick: () => void;
  "aria-label"?: string;
}

/** A button that stays where it is when it may not be pressed, and says why. */
export function GuardedButton({ refusal, onClick, children, ...rest }: GuardedButtonProps) {
  const explanation = useId();
  const press = (event: MouseEvent) => (refusal === null ? onClick() : event.preventDefault());
  return (
    <Tooltip label={refusal} disabled={refusal === null} maw={320}>
      <Button
        {...rest}
        data-disabled={refusal !== null || undefined}
        aria-disabled={refusal !== null}
        aria-describedby={refusal === null ? undefined : explanation}
        onClick={press}
      >
        {children}
        {refusal !== null && <VisuallyHidden id={explanation}>{refusal}</VisuallyHidden>}
      </Button>
    </Tooltip>
  );
}
