/**
 * A proxy before the DynamoDB server that the developer named. Tests create tables with unique names. When they end,
 * the proxy deletes the tables that were created through it, and no others.
 */
import { createServer, type IncomingMessage, request } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Service } from '#infra/local/runtime/service.ts';
import { listen } from '#infra/local/services/listenOnPort.ts';

interface OwnTable {
  name: string;
  /** DynamoDB Local has a database for each access key and region, unless it is started with `-sharedDb`. */
  accessKeyId: string;
  region: string;
}

const CREDENTIAL = /Credential=([^/]+)\/\d+\/([^/]+)\//;

export async function startOwnTables(server: string): Promise<Service> {
  await requireServer(server);
  const tables: OwnTable[] = [];
  const proxy = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    if (`${incoming.headers['x-amz-target']}`.endsWith('.CreateTable')) tables.push(tableOf(incoming, body));
    const { url, method, headers } = incoming;
    request(new URL(url ?? '/', server), { method, headers: { ...headers, host: new URL(server).host } }, response => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    })
      .on('error', () => outgoing.destroy())
      .end(body);
  });
  const { endpoint, stop } = await listen(proxy, 0);
  return {
    endpoint,
    stop: async () => {
      await stop();
      for (const table of tables) await deleteTable(server, table);
    },
  };
}

function tableOf({ headers }: IncomingMessage, body: Buffer): OwnTable {
  const [, accessKeyId, region] = CREDENTIAL.exec(headers.authorization ?? '') ?? [];
  return { name: JSON.parse(body.toString()).TableName, accessKeyId: accessKeyId!, region: region! };
}

async function deleteTable(endpoint: string, { name, accessKeyId, region }: OwnTable): Promise<void> {
  const client = new DynamoDBClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey: 'none' } });
  // A test may have deleted it.
  await client.send(new DeleteTableCommand({ TableName: name })).catch(error => {
    if (error.name !== 'ResourceNotFoundException') throw error;
  });
  client.destroy();
}

/** @throws Error that names the server, instead of one of the first test */
async function requireServer(server: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    request(server, response => void text(response).then(() => resolve(), reject))
      .on('error', error => reject(new Error(`No server responds at DYNAMODB=${server}: ${error.message}`)))
      .end();
  });
}
