/** Returns an alias for a new installation: the integration's name without the handle, numbered if taken. */
export function freeAlias(name: string, taken: readonly string[]): string {
  const base = name.split('/').at(-1)!;
  if (!taken.includes(base)) return base;
  for (let n = 2; ; n++) if (!taken.includes(`${base}-${n}`)) return `${base}-${n}`;
}
