/** Returns the value of a name that callers choose, which may be `constructor` or another inherited one. */
export const own = <V>(map: Readonly<Record<string, V>> | undefined, name: string): V | undefined =>
  map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
