/** Names that are unique in an account contain stage and region, because stages share accounts and regions. */
import { createHash } from 'node:crypto';
import { Aws } from 'aws-cdk-lib';
import { apis } from '#infra/gateway/apis.ts';
import type { Settings } from '#infra/settings/settings.ts';

const NAME = 'Parley';

/** Prefixes of function names, by which roles grant invocation. A stage with such a name would share permissions. */
const PARTS_OF_NAMES: ReadonlySet<string> = new Set([
  'code',
  'socket',
  ...apis.flatMap(({ name, operations }) => [name, ...operations.map(({ group }) => group)]),
]);

/** @throws Error for a stage whose functions the roles of another stage could call */
export function stackNameOf({ stage }: Pick<Settings, 'stage'>): string {
  if (stage === undefined) return NAME;
  if (PARTS_OF_NAMES.has(stage))
    throw new Error(
      `The setting stage must not be ${stage}: functions of the stack ${NAME} are named ${NAME}-${stage}-….`,
    );
  return `${NAME}-${stage}`;
}

export const globalName = (stackName: string, part: string): string => `${stackName}-${part}-${Aws.REGION}`;

/** A function's name has 64 characters. `-code-`, the owner, `-` and the deployment take the rest. */
const CODE_OWNER_CHARACTERS = 15;
const HASH_CHARACTERS = 6;

/** Returns the prefix of deployed code's function names. Truncates a long stack name and appends its hash. */
export function codePrefixOf(stackName: string): string {
  if (stackName.length <= CODE_OWNER_CHARACTERS) return `${stackName}-code-`;
  const hash = createHash('sha256').update(stackName).digest('hex').slice(0, HASH_CHARACTERS);
  return `${stackName.slice(0, CODE_OWNER_CHARACTERS - HASH_CHARACTERS - 1)}-${hash}-code-`;
}
