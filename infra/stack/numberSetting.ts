import type { Construct } from 'constructs';

/**
 * A whole number from the context.
 * @returns undefined when the context does not name it
 * @throws Error that names the setting and what it may be
 */
export function numberSetting(
  scope: Construct,
  name: string,
  { min, max }: { min: number; max: number },
): number | undefined {
  const text: string | number | undefined = scope.node.tryGetContext(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(String(text)) && value >= min && value <= max) return value;
  throw new Error(`The context ${name} must be a whole number from ${min} to ${max}, not ${text}.`);
}
