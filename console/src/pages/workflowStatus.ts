/** The status of a workflow, as a label and a colour. */
export const WORKFLOW_STATUS = {
  pending: { kind: 'busy', label: 'Pending' },
  in_progress: { kind: 'busy', label: 'In progress' },
  listening: { kind: 'idle', label: 'Listening' },
  paused: { kind: 'idle', label: 'Paused' },
  completed: { kind: 'good', label: 'Completed' },
  failed: { kind: 'bad', label: 'Failed' },
  timedout: { kind: 'bad', label: 'Timed out' },
  cancelled: { kind: 'idle', label: 'Canceled' },
} as const;
