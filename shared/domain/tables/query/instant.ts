const DATE = /^(\d{4}-\d{2}-\d{2})$/;
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d)?)$/i;
const MINUTE_MS = 60_000;

/**
 * Normalizes an ISO 8601 date (midnight UTC) or date-time with an offset to `Date.toISOString()`. Limited to the years
 * 0 to 9999, within which strings sort like instants.
 */
export function toInstant(text: string): string | undefined {
  const match = DATE.exec(text) ?? DATE_TIME.exec(text);
  if (!match) return undefined;
  const [, date, time = '00:00', second = '00', fraction = '', sign = '+', hours = '0', minutes = '0'] = match;
  const local = `${date}T${time}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const localMs = Date.parse(local);
  // Date.parse reads 30 February as 1 March.
  if (Number.isNaN(localMs) || new Date(localMs).toISOString() !== local) return undefined;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  const instant = new Date(localMs + (sign === '-' ? offsetMs : -offsetMs)).toISOString();
  return instant.length === local.length ? instant : undefined;
}
