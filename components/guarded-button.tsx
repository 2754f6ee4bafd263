"use client";

import { Button, type ButtonProps, Tooltip, VisuallyHidden } from "@mantine/core";
import { type MouseEvent, useId } from "react";
import classes from "./guarded-button.module.css";

interface GuardedButtonProps extends ButtonProps {
  /** Why it cannot be pressed now; `null` when it can. */
  refusal: string | null;
  /** Whether the reason stands below the button; else it comes with the pointer or the focus, where there is no room. */
  saysWhy?: boolean;
  type?: "button" | "submit";
  /** Not needed of one that submits its form. */
  onClick?: () => void;
  "aria-label"?: string;
}

/** A button that stays where it is when it may not be pressed, and says why. */
export function GuardedButton(props: GuardedButtonProps) {
  const { refusal, saysWhy = false, type = "button", onClick, children, ...rest } = props;
  const why = useId();
  const isRefused = refusal !== null;
  const press = (event: MouseEvent) => (isRefused ? event.preventDefault() : onClick?.());
  const button = (
    <Button
      {...rest}
      type={type}
      data-disabled={isRefused || undefined}
      aria-disabled={isRefused}
      aria-describedby={isRefused ? why : undefined}
      onClick={press}
    >
      {children}
      {isRefused && !saysWhy && <VisuallyHidden id={why}>{refusal}</VisuallyHidden>}
    </Button>
  );
  if (!saysWhy)
    return (
      <Tooltip label={refusal} disabled={!isRefused} maw={320}>
        {button}
      </Tooltip>
    );
  return (
    <div>
      {button}
      {isRefused && (
        <p id={why} className={classes.why}>
          {refusal}
        </p>
      )}
    </div>
  );
}
