import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";

/** Stands in for a page until it is known who looks at it. */
export function PageSkeleton() {
  return (
    <Stack gap="md">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Skeleton height={28} width={180} />
      <Skeleton height={30} />
      <Skeleton height={420} />
    </Stack>
  );
}
