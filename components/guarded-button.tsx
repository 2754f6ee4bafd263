"use client";

import { Button, type ButtonProps } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./guarded-button.module.css";

interface GuardedButtonProps extends ButtonProps {
  /** Why it cannot be pressed now, in words that stand below it; `null` when it can. */
  refusal: string | null;
  onPress: () => void;
  children: ReactNode;
}

/** A button that stays where it is and says why when one may not press it. */
export function GuardedButton({ refusal, onPress, children, ...rest }: GuardedButtonProps) {
  const why = useId();
  return (
    <div>
      <Button
        {...rest}
        type="button"
        data-disabled={refusal !== null || undefined}
        aria-disabled={refusal !== null}
        aria-describedby={refusal === null ? undefined : why}
        onClick={(event) => (refusal === null ? onPress() : event.preventDefault())}
      >
        {children}
      </Button>
      {refusal !== null && (
        <p id={why} className={classes.why}>
          {refusal}
        </p>
      )}
    </div>
  );
}
