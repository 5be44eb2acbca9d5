import { Button } from '@mantine/core';
import type { useSendAgain } from '../api/useSendAgain.ts';

/** Redelivers events that failed after a given time. */
export const SendAgain = ({ again, since }: { again: ReturnType<typeof useSendAgain>; since: string }) => (
  <Button size="compact-xs" variant="default" loading={again.isPending} onClick={() => again.mutate(since)}>
    Send again
  </Button>
);
