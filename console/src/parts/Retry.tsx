import { Button, Tooltip } from '@mantine/core';
import type { useReplay } from '../api/useReplay.ts';
import { activity } from '../messages/en/activity.ts';
import { translator } from '../messages/translate.ts';

const t = translator('activity', activity);

/** Redelivers events that failed after a given time. */
export const Retry = ({ replay, since }: { replay: ReturnType<typeof useReplay>; since: string }) => (
  <Tooltip label={t('retryAbout')}>
    <Button size="compact-xs" variant="default" loading={replay.isPending} onClick={() => replay.mutate(since)}>
      {t('retry')}
    </Button>
  </Tooltip>
);
