import { activity } from '../messages/en/activity.ts';
import { translator } from '../messages/translate.ts';

const t = translator('activity', activity);

const KINDS = {
  pending: 'busy',
  in_progress: 'busy',
  listening: 'idle',
  paused: 'idle',
  completed: 'good',
  failed: 'bad',
  timedout: 'bad',
  cancelled: 'idle',
} as const;

export const WORKFLOW_STATUSES = Object.keys(KINDS) as (keyof typeof KINDS)[];

/** Returns the label and color of a workflow's status. */
export const workflowStatus = (status: keyof typeof KINDS) => ({ kind: KINDS[status], label: t(status) });
