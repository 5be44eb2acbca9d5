/** What became of an event, in words. */
export const EVENT_STATUS = {
  pending: { kind: 'busy', label: 'On its way' },
  processed: { kind: 'good', label: 'Delivered' },
  ignored: { kind: 'idle', label: 'Not wanted by the bot' },
  failed: { kind: 'bad', label: 'Not delivered' },
  scheduled: { kind: 'idle', label: 'Planned' },
  canceled: { kind: 'idle', label: 'Cancelled' },
} as const;
