/** `npm start`: the platform on this machine, until ctrl-c. Data stays in the state folder; `npm run reset` clears it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocalServices, localServicesFile } from '#infra/operator/target.ts';
import { connectBot, installDemo, type LocalFile } from './demo.ts';
import { startEchoBot } from './echoBot.ts';
import { localCredentials, startPlatform } from './platform.ts';
import { CannotStart, startDynamodb } from './services/dynamodb.ts';
import { isFree } from './services/ports.ts';
import { startObjectStore } from './services/s3.ts';
import { stateDirectory } from './state.ts';

const DEFAULT_PORT = 4100;
const BUCKET = 'parley';
const TABLE = 'parley';
const say = (text: string) => process.stdout.write(`${text}\n`);

/** What has been started so far, in order: stopped the other way round, whenever it ends. */
const running: { stop(): Promise<void> }[] = [];

function started<Running extends { stop(): Promise<void> }>(service: Running): Running {
  running.unshift(service);
  return service;
}

async function end(code: number): Promise<never> {
  for (const service of running) await service.stop();
  process.exit(code);
}

async function start(): Promise<void> {
  const port = await portToUse();
  Object.assign(process.env, localCredentials());
  await mkdir(stateDirectory, { recursive: true });
  const file = join(stateDirectory, 'local.json');
  const before: LocalFile | undefined = await readFile(file, 'utf8').then(JSON.parse, () => undefined);

  say('Starting DynamoDB Local and the object store …');
  const dynamodb = started(await startDynamodb(join(stateDirectory, 'dynamodb')));
  const objects = started(await startObjectStore(join(stateDirectory, 'objects'), [BUCKET]));
  const platform = started(
    await startPlatform({
      port,
      dynamodbEndpoint: dynamodb.endpoint,
      s3Endpoint: objects.endpoint,
      tableName: TABLE,
      bucketName: BUCKET,
      stateDirectory,
    }),
  );

  const { tenant, userKey } = await installDemo(platform.apiBaseUrl, before);
  const chatUrl = `${platform.chatBaseUrl}/${tenant.webhookId}`;
  const bot = started(await startEchoBot({ apiUrl: platform.apiBaseUrl, token: tenant.tokens.bot }));
  await connectBot(platform.apiBaseUrl, tenant, bot.endpoint, before?.botUrl);
  const local: LocalFile = {
    ...tenant,
    chatUrl,
    extendedChatUrl: `${platform.chatBaseUrl}/${tenant.extendedWebhookId}`,
    apiUrl: platform.apiBaseUrl,
    botUrl: bot.endpoint,
  };
  await writeFile(file, `${JSON.stringify(local, null, 2)}\n`);
  const services: LocalServices = { dynamodbEndpoint: dynamodb.endpoint, tableName: TABLE };
  await writeFile(localServicesFile(), JSON.stringify(services));

  say(`
Parley is running.

  chat base URL      ${platform.chatBaseUrl}
  platform base URL  ${platform.apiBaseUrl}
  demo webhook       ${tenant.webhookId}
  demo user key      ${userKey}
  demo bot           ${bot.endpoint} (says what it is told)
  workspace          ${tenant.workspaceId}
  owner's token      ${tenant.tokens.owner}
  everything else    ${file}

Try it:

  curl -X POST ${chatUrl}/users/get-or-create -H 'x-user-key: ${userKey}' -H 'content-type: application/json' -d '{"name":"Ada"}'

  curl ${platform.apiBaseUrl}/v1/admin/bots -H 'authorization: Bearer ${tenant.tokens.owner}' -H 'x-workspace-id: ${tenant.workspaceId}'

Ctrl-c stops it.`);
}

/** @throws CannotStart when PORT is none, or taken */
async function portToUse(): Promise<number> {
  const port = Number(process.env.PORT ?? DEFAULT_PORT);
  const isPort = Number.isInteger(port) && port >= 0 && port <= 65_535;
  if (!isPort) throw new CannotStart(`PORT is no port: ${process.env.PORT}`);
  if (!(await isFree(port))) throw new CannotStart(`Port ${port} is taken. Choose another: PORT=… npm start`);
  return port;
}

const interrupted = () => {
  say('Stopping …');
  return end(0);
};
process.once('SIGINT', interrupted).once('SIGTERM', interrupted);

start().catch(error => {
  process.stderr.write(error instanceof CannotStart ? `${error.message}\n` : `${error.stack}\n`);
  return end(1);
});
