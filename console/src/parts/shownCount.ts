/** Maximum count that the API returns. */
const MOST_COUNTED = 100;

/** Formats a count. Counts at the API's maximum are shown as `99+`. */
export const shownCount = (count: number): string => (count >= MOST_COUNTED ? `${MOST_COUNTED - 1}+` : String(count));
