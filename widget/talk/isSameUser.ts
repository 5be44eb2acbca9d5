/** Returns true for two keys of one user, such as a renewed key. Keys are not verified. */
export const isSameUser = (one: string, other: string): boolean =>
  one === other || (idIn(one) !== undefined && idIn(one) === idIn(other));

function idIn(key: string): unknown {
  try {
    return JSON.parse(atob(key.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))).id;
  } catch {
    return undefined;
  }
}
