/** `npm start`: runs the platform locally until interrupted. `npm run reset` deletes its data. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WIDGET_FILE } from '#infra/console/widget.ts';
import { replaceFile } from '#infra/local/runtime/replaceFile.ts';
import { StartupError } from '#infra/local/runtime/service.ts';
import { parseBaseUrl } from '#infra/settings/parseBaseUrl.ts';
import { parseOpenWorkLimits } from '#infra/settings/parseOpenWorkLimits.ts';
import { parseQuotas } from '#infra/settings/parseQuotas.ts';
import { parseRateLimits } from '#infra/settings/parseRateLimits.ts';
import { localLogFile, stateDirectory, streamFile } from '#infra/settings/stateDirectory.ts';
import { parseNetworks } from '#shared/api/callerAddress.ts';
import { clock } from '#shared/core/clock.ts';
import { environment, VARIABLES } from '#shared/core/environment.ts';
import { randomText } from '#shared/core/ids.ts';
import { describeKeyRing } from '#shared/core/keyRing.ts';
import { seedInbox } from '#shared/domain/admin/integrations/seedInbox.ts';
import { createLinkToken } from '#shared/domain/admin/linkToken.ts';
import { seedInterfaces } from '#shared/domain/admin/packages/seedInterfaces.ts';
import { connectBot, DEMO_EMAIL, installDemo, type LocalFile, widgetEmbedOf } from './demo.ts';
import { DEMO_PAGE } from './demoPage.ts';
import { startEchoBot } from './echoBot.ts';
import { environmentText } from './environmentFile.ts';
import { startConsole } from './localConsole.ts';
import { localCredentials, startPlatform } from './localPlatform.ts';
import { localSealingKey, watchSealingKey } from './localSealingKey.ts';
import { openLogFile } from './logFile.ts';
import { denyOthersNewFiles } from './privateFolder.ts';
import { localSecret } from './services/access/localSecret.ts';
import { startDynamodb } from './services/dynamodb.ts';
import { isFree } from './services/ports.ts';
import { startObjectStore } from './services/s3.ts';
import { isTunnelSecret, startTunnel } from './services/startTunnel.ts';
import { readPositions } from './services/streams.ts';
import { type LocalServices, localServicesFile } from './servicesFile.ts';
import { lockState } from './stateLock.ts';
import { watchFailures } from './watchFailures.ts';

const DEFAULT_PORT = 4100;
const LINK_HOURS = 24;
const BUCKET = 'parley';
const TABLE = 'parley';
const say = (text: string) => process.stdout.write(`${text}\n`);

const running: { stop(): Promise<void> }[] = [];

function started<Running extends { stop(): Promise<void> }>(service: Running): Running {
  running.unshift(service);
  return service;
}

async function end(code: number): Promise<never> {
  for (const service of running) await service.stop();
  process.exit(code);
}

/** Parses the operator's limits, which have the format of deployment settings. */
function limitVariables(): Record<string, string> {
  const {
    [VARIABLES.defaultQuotas]: quotas,
    [VARIABLES.rateLimits]: rates,
    [VARIABLES.openWorkLimits]: openWork,
    [VARIABLES.trustedProxies]: proxies,
  } = process.env;
  // Fails at startup rather than on each request.
  if (proxies !== undefined) parseNetworks(proxies);
  return {
    ...(quotas ? { [VARIABLES.defaultQuotas]: JSON.stringify(parseQuotas(quotas)) } : {}),
    ...(rates ? { [VARIABLES.rateLimits]: parseRateLimits(rates) } : {}),
    ...(openWork ? { [VARIABLES.openWorkLimits]: parseOpenWorkLimits(openWork) } : {}),
  };
}

async function start(): Promise<void> {
  const port = await portToUse();
  denyOthersNewFiles();
  const lock = lockState(stateDirectory);
  Object.assign(process.env, localCredentials(), limitVariables(), {
    [VARIABLES.sealingKey]: await localSealingKey(stateDirectory),
  });
  const file = join(stateDirectory, 'local.json');
  const envFile = join(stateDirectory, 'env');
  const before: LocalFile | undefined = await readFile(file, 'utf8').then(JSON.parse, () => undefined);

  say('Starting the database and the object store …');
  const log = openLogFile(localLogFile());
  const dynamodb = started(
    await startDynamodb({
      directory: join(stateDirectory, 'dynamodb'),
      readTo: readPositions(streamFile(stateDirectory)),
      onOutput: text => log.append(text),
    }),
  );
  const objects = started(await startObjectStore(join(stateDirectory, 'objects'), [BUCKET], await portBeside(port, 2)));
  const console = process.env.CONSOLE === 'off' ? undefined : started(startConsole(objects.endpoint));
  started(watchFailures(log.print));
  const platform = started(
    await startPlatform({
      port,
      pages: console?.pages,
      dynamodbEndpoint: dynamodb.endpoint,
      s3Endpoint: objects.endpoint,
      tableName: TABLE,
      bucketName: BUCKET,
      stateDirectory,
      webhookBaseUrl: webhookBaseUrlToUse(),
      onAnswer: request => log.logRequest(request),
    }),
  );

  lock.setUrl(platform.apiBaseUrl);
  await seedInterfaces();
  await seedInbox();
  const tunnelSecret = tunnelSecretAfter(before);
  const tunnel = started(await startTunnel(await portBeside(port, 1), tunnelSecret));
  const { tenant, userKey } = await installDemo(platform.apiBaseUrl, before);
  const bot = started(
    await startEchoBot({
      apiUrl: platform.apiBaseUrl,
      token: tenant.tokens.bot,
      pauseMs: Number(process.env.DEMO_BOT_PAUSE_MS ?? 0),
    }),
  );
  await connectBot(platform.apiBaseUrl, tenant, bot.endpoint, before?.botUrl);
  const widgetEmbed = console && (await widgetEmbedOf(platform.apiBaseUrl, tenant));
  if (widgetEmbed) console.showDemo(widgetEmbed);
  const consoleUrl = console && `${platform.apiBaseUrl}/console/`;
  const local: LocalFile = {
    ...tenant,
    chatUrl: `${platform.chatBaseUrl}/${tenant.webhookId}`,
    extendedChatUrl: `${platform.chatBaseUrl}/${tenant.extendedWebhookId}`,
    deployedChatUrl: `${platform.chatBaseUrl}/${tenant.deployedWebhookId}`,
    webchatUrl: `${platform.chatBaseUrl}/${tenant.webchatWebhookId}`,
    shopChatUrl: `${platform.chatBaseUrl}/${tenant.shopWebhookId}`,
    apiUrl: platform.apiBaseUrl,
    botUrl: bot.endpoint,
    tunnelUrl: `${tunnel.endpoint}/${tunnelSecret}`,
    ...(consoleUrl ? { widgetUrl: `${consoleUrl}${WIDGET_FILE}`, widgetEmbed } : {}),
  };
  // Both files contain tokens.
  replaceFile(file, `${JSON.stringify(local, null, 2)}\n`);
  replaceFile(envFile, environmentText(local, userKey));
  const services: LocalServices = {
    dynamodbEndpoint: dynamodb.endpoint,
    tableName: TABLE,
    s3Endpoint: objects.endpoint,
    bucketName: BUCKET,
    secret: localSecret(),
    apiBaseUrl: platform.apiBaseUrl,
    chatBaseUrl: platform.chatBaseUrl,
    webhookBaseUrl: environment.webhookBaseUrl,
    keyRing: describeKeyRing(environment.sealingKey),
  };
  replaceFile(localServicesFile(), JSON.stringify(services));
  started(
    watchSealingKey(stateDirectory, async text => {
      await platform.useSealingKey(text);
      // `npm run rotate:key` waits for this entry.
      const changed = { ...services, keyRing: describeKeyRing(text) };
      replaceFile(localServicesFile(), JSON.stringify(changed));
    }),
  );

  const { chatBaseUrl } = platform;
  say(
    welcome({
      local,
      userKey,
      demoUrl: consoleUrl && `${consoleUrl}${DEMO_PAGE}${await signInFragment()}`,
      consoleUrl,
      chatBaseUrl,
      webhookBaseUrl: environment.webhookBaseUrl,
      file,
      envFile,
      logFile: log.path,
    }),
  );
  log.show();
}

interface Welcome {
  local: LocalFile;
  userKey: string;
  demoUrl: string | undefined;
  consoleUrl: string | undefined;
  chatBaseUrl: string;
  webhookBaseUrl: string;
  file: string;
  envFile: string;
  logFile: string;
}

const welcome = ({
  local,
  userKey,
  demoUrl,
  consoleUrl,
  chatBaseUrl,
  webhookBaseUrl,
  file,
  envFile,
  logFile,
}: Welcome) => `
Parley is running.${demoUrl ? ` Open the demo, which signs you in to the console:\n\n  ${demoUrl}\n` : ''}
  console            ${consoleUrl ?? 'off'} (npm run console -- --local prints another link that signs you in)
  demo shop          ${consoleUrl ? `${consoleUrl}${DEMO_PAGE}` : 'off'} (a page with the chat widget)
  widget             ${local.widgetUrl ?? 'off'} (puts a chat on any page, docs/widget.md)
  reference          ${local.apiUrl}/v1/docs and ${local.chatUrl}/docs
  chat base URL      ${chatBaseUrl}
  platform base URL  ${local.apiUrl}
  webhook base URL   ${webhookBaseUrl}
  demo webhook       ${local.webhookId}
  demo user key      ${userKey}
  echo bot           ${local.botUrl} (repeats every message)
  deployed echo bot  ${local.deployedChatUrl} (its code runs in the platform)
  webchat            ${local.webchatUrl} (client id: ${local.webchatWebhookId})
  tunnel of bp dev   ${local.tunnelUrl} (bp dev --tunnelUrl)
  workspace          ${local.workspaceId}
  owner's token      ${local.tokens.owner}
  all URLs and keys  ${file}, for a shell: . ${envFile}
  log, JSON lines    ${logFile}

Try it:

  curl -X POST ${local.chatUrl}/users/get-or-create -H 'x-user-key: ${userKey}' -H 'content-type: application/json' -d '{"name":"Ada"}'

  curl ${local.apiUrl}/v1/admin/bots -H 'authorization: Bearer ${local.tokens.owner}' -H 'x-workspace-id: ${local.workspaceId}'

Press Ctrl-C to stop. Requests and background failures follow:
`;

/** Returns the fragment of a one-time sign-in as the demo's owner. */
async function signInFragment(): Promise<string> {
  const link = await createLinkToken(DEMO_EMAIL, clock.now() + LINK_HOURS * 3_600_000);
  return link ? `#token=${link}` : '';
}

function webhookBaseUrlToUse(): string | undefined {
  const { [VARIABLES.webhookBaseUrl]: given } = process.env;
  try {
    return given ? parseBaseUrl(given) : undefined;
  } catch (error) {
    throw new StartupError(`${VARIABLES.webhookBaseUrl}: ${(error as Error).message}`);
  }
}

/** Keeps the secret across starts, so that the tunnel's URL is stable. */
function tunnelSecretAfter(before: LocalFile | undefined): string {
  const secret = URL.parse(before?.tunnelUrl ?? '')?.pathname.slice(1) ?? '';
  return isTunnelSecret(secret) ? secret : randomText(40);
}

/** Returns a port beside the platform's if it is free, so that the URLs of the tunnel and of files are stable. */
const portBeside = async (port: number, distance: number) =>
  port !== 0 && port + distance <= 65_535 && (await isFree(port + distance)) ? port + distance : 0;

async function portToUse(): Promise<number> {
  const port = Number(process.env.PORT ?? DEFAULT_PORT);
  const isPort = Number.isInteger(port) && port >= 0 && port <= 65_535;
  if (!isPort) throw new StartupError(`PORT is not a port number: ${process.env.PORT}. Use 0 to 65535.`);
  if (!(await isFree(port))) throw new StartupError(`Port ${port} is taken. Choose another: PORT=… npm start`);
  return port;
}

const interrupted = () => {
  say('Stopping …');
  return end(0);
};
process.once('SIGINT', interrupted).once('SIGTERM', interrupted);

start().catch(error => {
  process.stderr.write(error instanceof StartupError ? `${error.message}\n` : `${error.stack}\n`);
  return end(1);
});
