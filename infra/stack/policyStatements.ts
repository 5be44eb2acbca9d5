import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type Access, embedsTexts } from '#infra/bundle/access.ts';
import { TABLE_SHAPE } from '#shared/storage/dynamodb/keys/table.ts';
import {
  ASSETS_PREFIX,
  BODIES_PREFIX,
  EXPORTS_PREFIX,
  FILES_PREFIX,
  PARKED_PREFIX,
  SNAPSHOTS_PREFIX,
  UPLOADS_PREFIX,
  VALUES_PREFIX,
} from '#shared/storage/s3/prefixes.ts';
import type { Data } from './data.ts';
import type { Resources } from './resources.ts';
import { tableStatements } from './tableStatements.ts';

export const policyStatements = (
  access: Access,
  { data, queues, search, model, code }: Resources,
): PolicyStatement[] => [
  ...allowOnTable(access, data),
  ...valueStatements(access, data),
  ...objectStatements(access, data),
  ...parkingStatements(access, data),
  ...(embedsTexts(access) ? search.statements : []),
  ...(access.model ? model.statementsFor(access.model) : []),
  ...(access.code ? code.deployStatements : access.callsEndpoints ? code.callStatements : []),
  ...(access.sends ?? []).map(name => allow(['sqs:SendMessage'], queues.named[name].queueArn)),
];

const allow = (actions: string[], ...resources: string[]) => new PolicyStatement({ actions, resources });

function allowOnTable(access: Access, { table }: Data): PolicyStatement[] {
  return tableStatements(access).map(
    ({ actions, partitions, attributes }) =>
      new PolicyStatement({
        actions,
        resources: [table.tableArn, ...(actions.includes('dynamodb:Query') ? indexArns(table.tableArn) : [])],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
          ...(attributes ? { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes } } : {}),
        },
      }),
  );
}

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

function parkingStatements({ parks }: Access, { bucket }: Data): PolicyStatement[] {
  const parked = bucket.arnForObjects(`${PARKED_PREFIX}*`);
  if (parks === undefined) return [];
  if (parks === 'only') return [allow(['s3:PutObject'], parked)];
  return [allow(['s3:PutObject', 's3:GetObject', 's3:DeleteObject'], parked), allowList(bucket.bucketArn)];
}

function objectStatements({ objects }: Access, { bucket }: Data): PolicyStatement[] {
  const values = bucket.arnForObjects(`${VALUES_PREFIX}*`);
  const assets = bucket.arnForObjects(`${ASSETS_PREFIX}*`);
  const bodies = bucket.arnForObjects(`${BODIES_PREFIX}*`);
  const files = bucket.arnForObjects(`${FILES_PREFIX}*`);
  const uploads = bucket.arnForObjects(`${UPLOADS_PREFIX}*`);
  const parked = bucket.arnForObjects(`${PARKED_PREFIX}*`);
  const snapshots = bucket.arnForObjects(`${SNAPSHOTS_PREFIX}*`);
  const exports = bucket.arnForObjects(`${EXPORTS_PREFIX}*`);
  const list = allowList(bucket.bucketArn);
  // Accepting an upload copies it.
  const acceptUploads = [allow(['s3:GetObject'], uploads), allow(['s3:PutObject'], files), list];
  switch (objects) {
    case undefined:
      return [];
    case 'signsUploads':
      return [allow(['s3:PutObject'], bodies)];
    case 'readsCode':
    case 'readsAssets':
      return [allow(['s3:GetObject'], assets)];
    case 'writesAssets':
      return [allow(['s3:GetObject'], assets), allow(['s3:PutObject'], assets)];
    case 'copiesUploads':
    case 'writesFiles':
      return [...acceptUploads, allow(['s3:GetObject'], files)];
    case 'announcesUploads':
      return [
        ...acceptUploads,
        allow(['s3:GetObject'], files),
        // A presigned upload has the signer's permissions. The tag makes a file public.
        allow(['s3:PutObject', 's3:PutObjectTagging'], uploads),
      ];
    case 'announcesNewUploads':
      return [allow(['s3:PutObject', 's3:PutObjectTagging'], uploads)];
    case 'checksFiles':
      return [allow(['s3:GetObject'], files), list];
    case 'settlesUploads':
      return acceptUploads;
    case 'receivesUploads':
      return [...acceptUploads, allow(['s3:DeleteObject'], uploads)];
    case 'runsTableJobs':
      return [allow(['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload', 's3:DeleteObject'], files), list];
    case 'readsSnapshots':
      return [allow(['s3:GetObject'], snapshots), list];
    case 'readsExports':
      return [allow(['s3:GetObject'], exports)];
    case 'makesSnapshots':
      return [allow(['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], snapshots), list];
    case 'archives':
      return [
        allow(['s3:GetObject'], values, assets, files),
        allow(['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'], exports),
        list,
      ];
    case 'deletes':
      return [allow(['s3:DeleteObject'], values, assets, files, uploads), list];
    case 'sweeps':
      return [
        allow(['s3:DeleteObject'], values, assets, files, uploads, parked, snapshots, exports),
        allow(['s3:GetObject'], parked),
        list,
      ];
  }
}
