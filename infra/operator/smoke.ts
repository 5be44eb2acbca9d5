/** `npm run smoke -- --stack Parley`: tests each part of a platform once with the official clients. */

import { readFile } from 'node:fs/promises';
import {
  findAddresses,
  isStartedHere,
  runCommand,
  targetOptions,
  UsageError,
  useTarget,
} from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { parseBaseUrl } from '#infra/settings/parseBaseUrl.ts';
import { bootstrap } from '#shared/domain/admin/workspaces/bootstrap.ts';
import { notifyByAlarm } from './smoke/alarm.ts';
import {
  callWebhook,
  checkDeployedBot,
  checkPlatform,
  converse,
  createUser,
  listen,
  search,
  upload,
  writeRows,
} from './smoke/checks.ts';
import { observeResponses } from './smoke/responses.ts';
import { type Account, createChatBot, createHome, findAccount } from './smoke/smokeTenant.ts';
import { type Outcome, type Step, Steps } from './smoke/steps.ts';

const STEPS = {
  platform: 'the API is served at this address',
  'sign in': 'the table is reached, and a token was made',
  workspace: 'a workspace was created',
  bot: 'a bot was created, with the chat integration',
  user: 'a user was created with a signed key',
  conversation: 'a user and the bot exchanged messages with the official clients',
  listener: "a stream delivered the bot's message",
  upload: 'a file was uploaded and downloaded',
  search: 'the file was indexed and found',
  table: 'rows were written and found',
  'deployed bot': 'the platform ran the code of a bot, which replied',
  webhook: 'a webhook reached the code of an integration, and its response the caller',
  alarm: 'an alarm notified its recipient',
} as const;
type StepName = keyof typeof STEPS;
const USAGE = `npm run smoke -- [--url <API base URL>] [--token-file <file>] [--skip <step>]… [--stack Parley | --local]
Steps: ${Object.keys(STEPS).join(', ')}.`;

const EMAIL = 'smoke@example.com';
const WORKSPACE = 'Smoke';

const STEP_MS = 60_000;
const LONG_STEP_MS = 180_000;

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interruption.abort());

const say = (line: string) => process.stdout.write(`${line}\n`);

await runCommand(async () => {
  const { values } = parseCommand(USAGE, {
    options: {
      ...targetOptions,
      url: { type: 'string' },
      'token-file': { type: 'string' },
      skip: { type: 'string', multiple: true, default: [] },
    },
  });
  const { skip, stack, url, 'token-file': tokenFile } = values;
  if (skip.some(name => !Object.hasOwn(STEPS, name))) throw new UsageError(USAGE);
  const given = url === undefined ? undefined : baseUrlOf(url);
  const local = values.local || (given !== undefined && (await isStartedHere(given)));
  const token = tokenFile === undefined ? undefined : await tokenIn(tokenFile);
  // A given token replaces AWS credentials.
  if (!token) await useTarget({ local, stack });
  const apiUrl = given ?? (await findAddresses({ local, stack })).apiBaseUrl;

  const steps = new Steps({
    say,
    skipped: new Set(skip),
    isRemote: !/^(127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(apiUrl).hostname),
    target: local ? ' --local' : stack === targetOptions.stack.default ? '' : ` --stack ${stack}`,
    interruption: interruption.signal,
  });
  observeResponses();
  say(`Testing ${apiUrl}`);
  try {
    await runSteps(steps, apiUrl, token);
    // Alarms need AWS credentials, which a token replaces.
    if (!local && !token)
      await steps.run({ name: 'alarm', shows: STEPS.alarm, timeoutMs: STEP_MS }, undefined, (_, step) =>
        notifyByAlarm(stack, steps, step),
      );
  } finally {
    await steps.cleanUp();
  }
  const { passed, failed, left } = steps.counts;
  say(`${passed} steps passed, ${failed} failed, ${left} did not run.`);
  const isComplete = failed === 0 && left === skip.length;
  if (!isComplete) process.exitCode = 1;
});
// Clients keep idle connections open.
process.exit();

async function runSteps(steps: Steps, apiUrl: string, givenToken: string | undefined): Promise<void> {
  const run = <N, T>(
    name: StepName,
    needed: Outcome<N> | undefined,
    work: (value: N, step: Step) => Promise<T>,
    timeoutMs = STEP_MS,
  ) => steps.run({ name, shows: STEPS[name], timeoutMs }, needed, work);

  await run('platform', undefined, (_, step) => checkPlatform(apiUrl, step));
  const account = await run('sign in', undefined, (_, step) => signIn(steps, apiUrl, { given: givenToken, step }));
  const home = await run('workspace', account, (value, step) => createHome(value, steps, step));
  const bot = await run('bot', home, value => createChatBot(value, steps, { name: 'Smoke' }));
  await run('user', bot, createUser);
  await run('conversation', bot, value => converse(value, home.value!));
  await run('listener', bot, listen);
  const file = await run('upload', bot, upload);
  await run('search', file, search, LONG_STEP_MS);
  await run('table', bot, writeRows);
  await run('deployed bot', home, (value, step) => checkDeployedBot(value, steps, step), LONG_STEP_MS);
  await run('webhook', home, (value, step) => callWebhook(value, steps, step), LONG_STEP_MS);
}

/** Creates a token in the table, as `npm run bootstrap` does, unless one is given. */
async function signIn(
  steps: Steps,
  apiUrl: string,
  { given, step }: { given: string | undefined; step: Step },
): Promise<Account> {
  if (given) {
    step.remark('the token of --token-file is valid');
    return findAccount(apiUrl, given);
  }
  const { workspaceId, token, tokenId } = await bootstrap(EMAIL, WORKSPACE, { isTokenWanted: true });
  const headers = { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId };
  steps.removeLater('token', async () => {
    const response = await fetch(`${apiUrl}/v1/admin/account/pats/${tokenId}`, { method: 'DELETE', headers });
    if (!response.ok) throw new Error(`The token was not deleted: ${response.status}`);
  });
  return { apiUrl, token: token!, workspaceId };
}

function baseUrlOf(url: string): string {
  try {
    return parseBaseUrl(url);
  } catch (error) {
    throw new UsageError(`--url: ${(error as Error).message}`);
  }
}

function tokenIn(file: string): Promise<string> {
  return readFile(file, 'utf8').then(
    content => content.trim(),
    () => {
      throw new UsageError(`Cannot read ${file}. The file must contain only a personal access token.`);
    },
  );
}
