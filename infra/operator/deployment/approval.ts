import { parseArgs } from 'node:util';

/**
 * Returns an error message if a deployment requires a terminal, otherwise undefined. The CDK prompts for approval of
 * new permissions only after bundling, and fails if there is no terminal.
 */
export function missingApproval(given: readonly string[], hasTerminal: boolean): string | undefined {
  const {
    'require-approval': approval,
    yes,
    help,
  } = parseArgs({
    args: [...given],
    strict: false,
    options: {
      'require-approval': { type: 'string' },
      yes: { type: 'boolean', short: 'y' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values;
  if (hasTerminal || approval === 'never' || yes || help) return undefined;
  return (
    'There is no terminal in which new permissions could be approved. ' +
    'Review them with npx cdk diff, then deploy: npm run deploy -- --require-approval never'
  );
}
