import { Button, Tooltip } from '@mantine/core';
import type { useReplay } from '../api/useReplay.ts';

/** Redelivers events that failed after a given time. */
export const Retry = ({ replay, since }: { replay: ReturnType<typeof useReplay>; since: string }) => (
  <Tooltip label="Delivers this event and later failed ones again">
    <Button size="compact-xs" variant="default" loading={replay.isPending} onClick={() => replay.mutate(since)}>
      Retry
    </Button>
  </Tooltip>
);
