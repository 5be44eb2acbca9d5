import { Button } from '@mantine/core';
import type { useSendAgain } from '../api/useSendAgain.ts';

/** Delivers again what failed since a moment. */
export const SendAgain = ({ again, since }: { again: ReturnType<typeof useSendAgain>; since: string }) => (
  <Button size="compact-xs" variant="default" loading={again.isPending} onClick={() => again.mutate(since)}>
    Send again
  </Button>
);
