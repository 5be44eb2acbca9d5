import { parseArgs } from 'node:util';

/**
 * Returns the reason why a deployment could not finish, or undefined. The CDK asks for the approval of new permissions
 * after it has bundled and compared everything, and fails without a terminal.
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
