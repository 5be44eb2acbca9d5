/**
 * Warnings about integrations that a deployment removes. They are logged, because the contract's response has no field
 * for them.
 */
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';

/**
 * Returns a warning per removed installation. The CLI removes every integration that is missing from the deployed
 * definition, including those installed by other programs.
 */
export function removalWarnings(before: readonly Installation[], after: readonly Installation[]): string[] {
  const aliases = new Set(after.map(({ alias }) => alias));
  const names = new Set(after.map(({ name }) => name));
  return before
    .filter(({ alias }) => !aliases.has(alias))
    .map(({ alias, name = alias }) =>
      names.has(name)
        ? `The installation ${alias} of the ${name} integration was removed because the deployed definition installs the integration under another alias. Its address no longer works.`
        : `The ${name} integration was removed because the deployed definition does not contain it. Run bp add ${name}.`,
    );
}
