/**
 * The name of the stack and the names derived from it. An account can have several stages in a region and one stage in
 * several regions, so names that are unique in an account contain both.
 */
import { createHash } from 'node:crypto';
import { Aws } from 'aws-cdk-lib';
import { apis } from '#infra/gateway/apis.ts';
import type { Settings } from '#infra/settings/settings.ts';

const NAME = 'Parley';

/**
 * The first parts of function names. Roles grant invocation by them (`Parley-chat-*`), so the roles of the stack
 * without a stage could call all functions of a stage with such a name.
 */
const PARTS_OF_NAMES: ReadonlySet<string> = new Set([
  'code',
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

/** A name of a global resource, such as a CloudFront policy. At most 64 characters. */
export const globalName = (stackName: string, part: string): string => `${stackName}-${part}-${Aws.REGION}`;

/**
 * A function's name has 64 characters: this, `-code-`, a bot's 32 or an integration's 31, `-`, and a deployment's 10.
 */
const CODE_OWNER_CHARACTERS = 15;
const HASH_CHARACTERS = 6;

/** The prefix of the function names of deployed code. Truncates a long stack name and appends its hash. */
export function codePrefixOf(stackName: string): string {
  if (stackName.length <= CODE_OWNER_CHARACTERS) return `${stackName}-code-`;
  const hash = createHash('sha256').update(stackName).digest('hex').slice(0, HASH_CHARACTERS);
  return `${stackName.slice(0, CODE_OWNER_CHARACTERS - HASH_CHARACTERS - 1)}-${hash}-code-`;
}
