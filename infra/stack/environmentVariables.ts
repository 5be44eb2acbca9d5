import { Aws, Stack } from 'aws-cdk-lib';
import { type Access, hasSealingKey } from '#infra/bundle/functionAccess.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { QUEUE_VARIABLES } from './queueVariables.ts';
import type { Resources } from './resources.ts';

export function environmentVariables(
  access: Access,
  { data, queues, search, model, sealing, code, socket, settings }: Resources,
): Record<string, string> {
  const {
    table,
    largeValues,
    objects,
    showsContent,
    readsBodies,
    deadLetters,
    index,
    model: asksModel,
    sends = [],
    callsEndpoints,
    connections,
  } = access;
  const { contentBaseUrl } = data;
  return {
    [VARIABLES.metricsNamespace]: Stack.of(data).stackName,
    ...(settings.requestLog === 'all' ? {} : { [VARIABLES.requestLog]: settings.requestLog }),
    ...(table === 'none' ? {} : { [VARIABLES.tableName]: data.table.tableName, [VARIABLES.urlSuffix]: Aws.URL_SUFFIX }),
    ...(largeValues || objects || readsBodies || deadLetters ? { [VARIABLES.bucketName]: data.bucket.bucketName } : {}),
    ...(hasSealingKey(access) ? sealing.variables : {}),
    ...(index ? search.variables : {}),
    ...(asksModel ? model.variables : {}),
    ...(access.code ? code.variables : {}),
    ...(contentBaseUrl && showsContent ? { [VARIABLES.contentBaseUrl]: contentBaseUrl } : {}),
    ...Object.fromEntries(sends.map(name => [QUEUE_VARIABLES[name], queues.named[name].queueUrl])),
    ...(connections ? { [VARIABLES.socketEndpoint]: socket.endpoint } : {}),
    ...(callsEndpoints && settings.allowPrivateEndpoints ? { [VARIABLES.privateEndpoints]: 'true' } : {}),
  };
}
