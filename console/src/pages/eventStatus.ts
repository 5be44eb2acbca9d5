/** Label and color of an event's delivery status. */
export const EVENT_STATUS = {
  pending: { kind: 'busy', label: 'Pending' },
  processed: { kind: 'good', label: 'Delivered' },
  ignored: { kind: 'idle', label: 'Ignored by the bot' },
  failed: { kind: 'bad', label: 'Failed' },
  scheduled: { kind: 'idle', label: 'Scheduled' },
  canceled: { kind: 'idle', label: 'Canceled' },
} as const;
