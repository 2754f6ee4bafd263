"use client";

import { Button, type ButtonProps, Text } from "@mantine/core";
import { useId } from "react";

interface RefusableButtonProps extends Omit<ButtonProps, "disabled"> {
  /** Why it cannot be pressed, for people; `null` when it can. */
  refusal: string | null;
  type?: "submit" | "button";
  /** Not needed of one that submits its form. */
  onClick?: () => void;
}

/** A button that says why it cannot be pressed; it keeps its place in the order of focus, so that everybody hears why. */
export function RefusableButton({ refusal, onClick, ...rest }: RefusableButtonProps) {
  const reason = useId();
  return (
    <>
      <Button
        {...rest}
        data-disabled={refusal !== null || undefined}
        aria-disabled={refusal !== null}
        aria-describedby={refusal === null ? undefined : reason}
        onClick={(event) => (refusal === null ? onClick?.() : event.preventDefault())}
      />
      {refusal !== null && (
        <Text id={reason} size="xs" c="dimmed">
          {refusal}
        </Text>
      )}
    </>
  );
}
