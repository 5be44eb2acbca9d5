/** Failed deliveries of an event, which the log reports with the event's id. Events themselves have no counter. */

interface Line {
  level: string;
  message: string;
}

export function failedAttemptsOf(eventId: string, lines: readonly Line[]): { count: number; latest?: string } {
  const found = lines.filter(
    ({ level, message }) => (level === 'warn' || level === 'error') && message.includes(eventId),
  );
  const latest = found.at(-1)?.message;
  return { count: found.length, ...(latest === undefined ? {} : { latest }) };
}
