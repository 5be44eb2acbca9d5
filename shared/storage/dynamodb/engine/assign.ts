/**
 * Returns an update that sets attributes, removes those that are null, and skips those that are undefined. Each gets a
 * placeholder of its name: `#status`, `:status`.
 * @param more.count number that the update increments @param more.values further values of the condition
 */
export function assign(
  attributes: Record<string, unknown>,
  { count, values: others }: { count?: string | undefined; values?: Record<string, unknown> } = {},
) {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = { ...others };
  const set: string[] = [];
  const removed: string[] = [];
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    names[`#${name}`] = name;
    if (value === null) removed.push(`#${name}`);
    else values[`:${name}`] = value;
    if (value !== null) set.push(`#${name} = :${name}`);
  }
  if (count) values[':one'] = 1;
  return {
    UpdateExpression: [
      ...(set.length > 0 ? [`SET ${set}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed}`] : []),
      ...(count ? [`ADD ${count} :one`] : []),
    ].join(' '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: Object.keys(values).length > 0 ? values : undefined,
  };
}
