/** `npm start`: the platform on this machine, until ctrl-c. Data stays in the state folder; `npm run reset` clears it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { installDemo, type LocalFile } from './demo.ts';
import { CannotStart, startDynamodb } from './dynamodb.ts';
import { startObjectStore } from './objectStore.ts';
import { localCredentials, startPlatform } from './platform.ts';
import { stateDirectory } from './state.ts';

const DEFAULT_PORT = 4100;
const BUCKET = 'parley';
const say = (text: string) => process.stdout.write(`${text}\n`);

async function start(): Promise<void> {
  const port = Number(process.env.PORT ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new CannotStart(`PORT is no port: ${process.env.PORT}`);
  Object.assign(process.env, localCredentials());
  await mkdir(stateDirectory, { recursive: true });
  const file = join(stateDirectory, 'local.json');
  const before: LocalFile | undefined = await readFile(file, 'utf8').then(JSON.parse, () => undefined);

  say('Starting DynamoDB Local and the object store …');
  const dynamodb = await startDynamodb(join(stateDirectory, 'dynamodb'));
  const objects = await startObjectStore(join(stateDirectory, 'objects'), [BUCKET]);
  const platform = await startPlatform({
    port,
    dynamodbEndpoint: dynamodb.endpoint,
    s3Endpoint: objects.endpoint,
    tableName: 'parley',
    bucketName: BUCKET,
  }).catch(async error => {
    await Promise.all([objects.stop(), dynamodb.stop()]);
    throw error.code === 'EADDRINUSE'
      ? new CannotStart(`Port ${port} is taken. Choose another: PORT=… npm start`)
      : error;
  });

  const stop = async () => {
    say('Stopping …');
    await platform.stop();
    await Promise.all([objects.stop(), dynamodb.stop()]);
    process.exit(0);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);

  const { tenant, userKey } = await installDemo(before);
  const local: LocalFile = {
    ...tenant,
    chatUrl: `${platform.chatBaseUrl}/${tenant.webhookId}`,
    apiUrl: platform.apiBaseUrl,
  };
  await writeFile(file, `${JSON.stringify(local, null, 2)}\n`);

  say(`
Parley is running.

  chat base URL      ${platform.chatBaseUrl}
  platform base URL  ${platform.apiBaseUrl}
  demo webhook       ${tenant.webhookId}
  demo user key      ${userKey}
  everything else    ${resolve(file)}

Try it:

  curl -X POST ${local.chatUrl}/users/get-or-create -H 'x-user-key: ${userKey}' -H 'content-type: application/json' -d '{"name":"Ada"}'

Ctrl-c stops it.`);
}

start().catch(error => {
  process.stderr.write(error instanceof CannotStart ? `${error.message}\n` : `${error.stack}\n`);
  process.exit(1);
});
