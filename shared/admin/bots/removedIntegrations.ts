/** Warnings of a deployment that removes integrations. The contract has no place for them in the answer, so they go to the bot's log. */
import type { Installation } from '#shared/dynamodb/workspace/bots.ts';

/**
 * Returns a warning for each installation that a deployment removes. The command line sends null for each one that the deployed definition
 * lacks, also where another program installed it.
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
