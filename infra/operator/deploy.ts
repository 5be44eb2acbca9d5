/** `npm run deploy`: runs `cdk deploy` with the account's concurrency limit as `accountConcurrency`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { missingApproval } from './approval.ts';
import { concurrencyArguments } from './concurrencyArguments.ts';

const CDK = join(import.meta.dirname, '../../node_modules/aws-cdk/bin/cdk');

const given = process.argv.slice(2);
const missing = missingApproval(given, Boolean(process.stdout.isTTY));
if (missing) {
  process.stderr.write(`${missing}\n`);
  process.exit(1);
}
const found = await concurrencyArguments(given);
process.stdout.write(`${found.note}\n`);
const cdk = spawn(process.execPath, [CDK, 'deploy', ...found.args, ...given], { stdio: 'inherit' });
// The terminal also interrupts the child, which then exits.
process.on('SIGINT', () => {});
const [code] = await once(cdk, 'exit');
process.exitCode = code ?? 1;
