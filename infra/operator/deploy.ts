/**
 * `npm run deploy`: runs `cdk deploy` with the settings of the deployed stack, and with the account's concurrency limit
 * as `accountConcurrency`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runCommand } from '#infra/operator/target/target.ts';
import { answerHelp } from '#infra/settings/commandLine.ts';
import { missingApproval } from './deployment/approval.ts';
import { concurrencyArguments } from './deployment/concurrencyArguments.ts';
import { DecisionRequired } from './deployment/concurrencyShare.ts';
import { keptSettings } from './deployment/keptSettings.ts';

const CDK = join(import.meta.dirname, '../../node_modules/aws-cdk/bin/cdk');

const USAGE = `npm run deploy [-- -c <setting>=<value>]… [--require-approval never] [options of cdk deploy]
Deploys Parley to the AWS account and region of the environment. Settings: docs/operations/settings.md.
Options of cdk deploy: npx cdk deploy --help. To run Parley here: npm start.`;

const given = process.argv.slice(2);

await runCommand(async () => {
  answerHelp(USAGE, 'none');
  const missing = missingApproval(given, Boolean(process.stdout.isTTY));
  if (missing) refuse(missing);
  else await deploy();
});

async function deploy(): Promise<void> {
  const kept = await keptSettings(given);
  if (kept.note) process.stdout.write(`${kept.note}\n`);
  const all = [...kept.args, ...given];
  const found = await concurrencyArguments(all).catch((error: unknown) => {
    if (error instanceof DecisionRequired) return error;
    throw error;
  });
  if (found instanceof DecisionRequired) return refuse(found.message);
  process.stdout.write(`${found.note}\n`);
  const cdk = spawn(process.execPath, [CDK, 'deploy', ...found.args, ...all], { stdio: 'inherit' });
  // Ctrl+C also reaches the CDK. Wait for it to exit.
  process.on('SIGINT', () => {});
  const [code] = await once(cdk, 'exit');
  process.exitCode = code ?? 1;
}

function refuse(reason: string): void {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}
