/**
 * Returns an own property's value. Callers choose the name, which may be `constructor` or another inherited property.
 */
export const own = <V>(map: Readonly<Record<string, V>> | undefined, name: string): V | undefined =>
  map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
