/** `npm run deploy`: runs `cdk deploy` with the account's concurrency limit as `accountConcurrency`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { concurrencyArguments } from './deployment/concurrencyArguments.ts';
import { DecisionRequired } from './deployment/concurrencyShare.ts';

const CDK = join(import.meta.dirname, '../../node_modules/aws-cdk/bin/cdk');

const given = process.argv.slice(2);
try {
  await deploy(await concurrencyArguments(given));
} catch (error) {
  if (!(error instanceof DecisionRequired)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function deploy({ args, note }: Awaited<ReturnType<typeof concurrencyArguments>>): Promise<void> {
  process.stdout.write(`${note}\n`);
  const cdk = spawn(process.execPath, [CDK, 'deploy', ...args, ...given], { stdio: 'inherit' });
  // The terminal also interrupts the child, which then exits.
  process.on('SIGINT', () => {});
  const [code] = await once(cdk, 'exit');
  process.exitCode = code ?? 1;
}
