/** Tells Parley's reasons of a failed registration apart. */

/** Parley's own reasons. Every other one is the text of an error that the integration threw. */
const OWN_REASONS = /^(?:The integration (?:did not respond|could not be reached|responded with status)|The code )/;

export const isOwnReason = (reason: string): boolean => OWN_REASONS.test(reason);
