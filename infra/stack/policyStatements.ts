import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type Access, embedsTexts } from '#infra/bundle/functionAccess.ts';
import { TABLE_SHAPE } from '#shared/storage/dynamodb/keys/table.ts';
import type { ObjectPrefix } from '#shared/storage/s3/objectAccess.ts';
import {
  ASSETS_PREFIX,
  BODIES_PREFIX,
  DEAD_LETTERS_PREFIX,
  EXPORTS_PREFIX,
  FILES_PREFIX,
  SNAPSHOTS_PREFIX,
  UPLOADS_PREFIX,
  VALUES_PREFIX,
} from '#shared/storage/s3/prefixes.ts';
import type { Data } from './data.ts';
import type { Resources } from './resources.ts';
import { SOCKET_STAGE } from './socketAddress.ts';
import { tableStatements } from './tableStatements.ts';

export const policyStatements = (
  access: Access,
  { data, queues, search, model, code, socket }: Resources,
): PolicyStatement[] => [
  ...allowOnTable(access, data),
  ...valueStatements(access, data),
  ...objectStatements(access, data),
  ...deadLetterStatements(access, data),
  ...(embedsTexts(access) ? search.statements : []),
  ...(access.model ? model.statementsFor(access.model) : []),
  ...(access.code ? code.deployStatements : access.callsEndpoints ? code.callStatements : []),
  ...(access.sends ?? []).map(name => allow(['sqs:SendMessage'], queues.named[name].queueArn)),
  ...(access.connections ? [allow(['execute-api:ManageConnections'], ...connectionArns(socket))] : []),
];

const allow = (actions: string[], ...resources: string[]) => new PolicyStatement({ actions, resources });

function allowOnTable(access: Access, { table }: Data): PolicyStatement[] {
  return tableStatements(access).map(({ actions, partitions, attributes, index }) =>
    index
      ? allow(actions, `${table.tableArn}/index/${index}`)
      : new PolicyStatement({
          actions,
          resources: [table.tableArn, ...(actions.includes('dynamodb:Query') ? indexArns(table.tableArn) : [])],
          conditions: {
            'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
            ...(attributes ? { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes } } : {}),
          },
        }),
  );
}

/** Methods that send a frame and that close a connection. */
const connectionArns = ({ apiId }: Resources['socket']) =>
  ['POST', 'DELETE'].map(
    method =>
      `arn:${Aws.PARTITION}:execute-api:${Aws.REGION}:${Aws.ACCOUNT_ID}:${apiId}/${SOCKET_STAGE}/${method}/@connections/*`,
  );

const indexArns = (tableArn: string) => Object.keys(TABLE_SHAPE.indexes).map(name => `${tableArn}/index/${name}`);

function valueStatements({ largeValues, readsBodies }: Access, { bucket }: Data): PolicyStatement[] {
  const values = bucket.arnForObjects(`${VALUES_PREFIX}*`);
  return [
    ...(largeValues ? [allow(['s3:GetObject'], values)] : []),
    ...(largeValues === 'writes' ? [allow(['s3:PutObject'], values)] : []),
    ...(readsBodies
      ? [allow(['s3:GetObject'], bucket.arnForObjects(`${BODIES_PREFIX}*`)), allowList(bucket.bucketArn)]
      : []),
  ];
}

/** Makes S3 return 404 instead of 403 for a missing object. */
const allowList = (bucketArn: string) => allow(['s3:ListBucket'], bucketArn);

function deadLetterStatements({ deadLetters }: Access, { bucket }: Data): PolicyStatement[] {
  const objects = bucket.arnForObjects(`${DEAD_LETTERS_PREFIX}*`);
  if (deadLetters === undefined) return [];
  if (deadLetters === 'only') return [allow(['s3:PutObject'], objects)];
  return [allow(['s3:PutObject', 's3:GetObject', 's3:DeleteObject'], objects), allowList(bucket.bucketArn)];
}

const PREFIXES: Record<ObjectPrefix, string> = {
  values: VALUES_PREFIX,
  assets: ASSETS_PREFIX,
  bodies: BODIES_PREFIX,
  files: FILES_PREFIX,
  uploads: UPLOADS_PREFIX,
  deadLetters: DEAD_LETTERS_PREFIX,
  snapshots: SNAPSHOTS_PREFIX,
  exports: EXPORTS_PREFIX,
};

/** Prefixes whose objects may be missing when a function reads them. */
const MAY_BE_MISSING: ReadonlySet<ObjectPrefix> = new Set(['files', 'uploads', 'deadLetters', 'snapshots']);

function objectStatements({ objects }: Access, { bucket }: Data): PolicyStatement[] {
  const { reads = [], writes = [], stages = [], inParts = false, deletes = [] } = objects ?? {};
  const written = [...new Set([...writes, ...stages])];
  const on = (actions: string[], prefixes: readonly ObjectPrefix[]) =>
    prefixes.length === 0
      ? []
      : [allow(actions, ...prefixes.map(prefix => bucket.arnForObjects(`${PREFIXES[prefix]}*`)))];
  return [
    ...on(['s3:GetObject'], reads),
    ...on(['s3:PutObject', ...(inParts ? ['s3:AbortMultipartUpload'] : [])], written),
    // The tag makes a file public.
    ...on(
      ['s3:PutObjectTagging'],
      writes.filter(prefix => prefix === 'uploads'),
    ),
    ...on(['s3:DeleteObject'], deletes),
    ...(deletes.length > 0 || reads.some(prefix => MAY_BE_MISSING.has(prefix)) ? [allowList(bucket.bucketArn)] : []),
  ];
}
